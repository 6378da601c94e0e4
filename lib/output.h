/* output: reports output that is not complete when a program ends. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>

#include "text.h"

/*
 * Prepares the standard streams, before all else.  One that is closed stays so,
 * instead of becoming the next file that is opened; and writing beyond a limit
 * of file sizes (ulimit -f) fails, instead of ending the program.
 */
void output_begin(void);

/* Writes text to `out` and empties it; the first failure is reported. */
void output_flush(struct text *text, FILE *out);

/* Does the same once text is long enough to be worth a write. */
void output_drain(struct text *text, FILE *out);

/*
 * Writes what standard output still holds and closes it.  Returns the status to
 * exit with: `status`, or 1 if anything written so far was lost (a full disk, a
 * closed descriptor); that has been reported then.
 */
int output_close(int status);

/*
 * Replaces the content of the file at path in one step, so that whoever reads
 * it sees the old file or the new one.  Follows a link, even to a missing file,
 * unless another user but root made it.  False, after a message, on failure.
 */
bool output_replace(const char *path, struct str content);

#endif
