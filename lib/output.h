/*
 * output: what is left on disk when a tool has ended is whole, or the user is
 * told.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>

#include "text.h"

/*
 * To call first.  A standard stream that is closed stays so, instead of
 * becoming the next file that is opened; and writing beyond the limit of a
 * file's size (ulimit -f) fails, instead of ending the program in the middle.
 */
void output_begin(void);

/*
 * Writes text to `out` and empties it.  The first failure is reported, and
 * output_close sees it.
 */
void output_flush(struct text *text, FILE *out);

/* The same once text is long enough to be worth a write. */
void output_drain(struct text *text, FILE *out);

/*
 * Writes what standard output still holds and closes it.  The exit status to
 * end with: `status`, or 1 when anything written so far was lost (a full disk,
 * a closed descriptor), which has been reported then.
 */
int output_close(int status);

/*
 * Makes content that of the file at path (or of what a link there points to,
 * be it missing) in one step: whoever reads it sees the old or the new file.
 * False, after a message, when that fails.
 */
bool output_replace(const char *path, struct str content);

#endif
