/*
 * output: the end of standard output.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

/*
 * Writes what standard output still holds and closes it.  The exit status to
 * end with: `status`, or 1, with a message, when anything written so far was
 * lost (a full disk, a closed descriptor).
 */
int output_close(int status);

#endif
