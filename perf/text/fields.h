/*
 * fields: what perf script -F prints after the frames of a sample, on a line in
 * the place of the empty one, or after a lone frame on its line:
 *
 *	 insn: 01 ca
 *	 0x401126/0x401130/P/-/-/0  0x401136/0x401120/M/-/-/1
 */
#ifndef FIELDS_H
#define FIELDS_H

#include "lib/str.h"

/* True if a line holds fields, even if brackets look like a frame's. */
bool fields_are_certain(struct str line);

/* True if a line that matches no other form looks like fields. */
bool fields_are_likely(struct str line);

/*
 * Returns how much of text, perhaps the rest of a head with a lone frame, comes
 * before such fields; the second is for a frame without a module.
 */
size_t fields_start(struct str text);
size_t fields_start_bare(struct str text);

#endif
