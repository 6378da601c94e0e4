/*
 * fields: what perf script -F adds behind the frames of a sample, in a line
 * that takes the place of the empty one, or behind a lone frame on its line:
 *
 *	 insn: 01 ca
 *	 0x401126/0x401130/P/-/-/0  0x401136/0x401120/M/-/-/1
 */
#ifndef EXTRAS_H
#define EXTRAS_H

#include "../lib/str.h"

/* Whether a line is such, though brackets in it may look like a frame's. */
bool fields_are_certain(struct str line);

/* Whether a line that is nothing else may be such. */
bool fields_are_likely(struct str line);

/*
 * How much of an event line's rest, with a lone frame perhaps, stands before
 * such; the second is for a frame without a module.
 */
size_t fields_start(struct str text);
size_t fields_start_bare(struct str text);

#endif
