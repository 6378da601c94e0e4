/*
 * folded: a line of folded stacks, "main;parse;read 12" or, for two profiles,
 * "main;parse;read 12 34".  See folded(5).
 */
#ifndef FOLDED_H
#define FOLDED_H

#include "../lib/text.h"

/*
 * Cuts the last count off a line: one blank and DIGITS or DIGITS.DIGITS, where
 * the digits behind the point may be missing.  What stands before it is left
 * in *line.  False, and *line as it was, when there is none.
 */
bool folded_cut_count(struct str *line, struct str *count);

/* Where the frame begins that the byte at index `at` of a line belongs to. */
size_t folded_frame_start(struct str line, size_t at);

/* Adds part of a frame's name: ';', which would part frames, becomes ':'. */
void folded_add_name(struct text *text, struct str name);

/* The value of a count; HUGE_VAL when it is larger than any double. */
double folded_value(struct str count);

#endif
