/*
 * progress: says how far a program is in one line on standard error, once it
 * has been busy for a second, if that is a terminal and standard output is not:
 *
 *	flamegraph: 36 % of 3.40 GB, 12 s left, 1.23 M lines
 *
 * There is one terminal, so the state belongs to the program, not to a
 * caller.  Any thread may add and clear.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "str.h"

/* Shows nothing from now on, for --quiet. */
void progress_silence(void);

/*
 * Begins for a program that counts "samples" or the like.  It reads the
 * operands; "-", or none, is standard input, and NULL means no files.
 */
void progress_start(const char *program, const char *const *operands,
    const char *counted);

/* Sets the counters to show; `stacks` may be NULL. */
void progress_watch(const size_t *counted, const uint32_t *stacks);

/* Shows no percentage from now on, as compressed input becomes larger. */
void progress_forget_size(void);

/*
 * Adds bytes that were read, or what is counted if the program does not read
 * files.  `where` is shown, too, unless it is empty.  The call looks at the
 * clock: every few milliseconds is often enough.
 */
void progress_add(unsigned long long amount, struct str where);

/*
 * Takes the line away, before anything else is printed on standard error; the
 * line comes again a little later.  Keeps errno.
 */
void progress_clear(void);

/* Returns how many columns a terminal has; 0 if that is unknown. */
size_t progress_columns(int fd);

#endif
