/*
 * extras: the fields that perf script -F adds after the frames of a sample, on
 * a line in the place of the empty one, or after a lone frame on its line:
 *
 *	 insn: 01 ca
 *	 0x401126/0x401130/P/-/-/0  0x401136/0x401120/M/-/-/1
 */
#ifndef EXTRAS_H
#define EXTRAS_H

#include "lib/str.h"

/* True if a tab and an address begin a line: then it holds no extra fields. */
static inline bool
extras_frame_starts(struct str line)
{
	return line.len > 1 && line.data[0] == '\t' &&
	    (line.data[1] == ' ' || is_hex(line.data[1]));
}

/* True if a line holds extra fields, even if brackets look like a frame's. */
bool extras_are_certain(struct str line);

/* True if a line that matches no other form looks like extra fields. */
bool extras_are_likely(struct str line);

/*
 * Returns how much of text, perhaps the rest of an event line with a lone
 * frame, comes before extra fields; the second is for a frame without a module.
 */
size_t extras_start(struct str text);
size_t extras_start_bare(struct str text);

#endif
