/*
 * progress: says how far a program is in one line on standard error, once it
 * has been busy for a second, if that is a terminal and standard output is not:
 *
 *	flamegraph: 36 % of 3.40 GB, 12 s left, 1.23 M lines
 *
 * There is one terminal, so the state belongs to the program, not to a
 * caller.  Any thread may tell and clear.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "str.h"

/* This counts what was done so far; it begins as { 0 }. */
struct tally {
	unsigned long long bytes;	/* read */
	unsigned long long counted;	/* samples, lines, entries */
	unsigned long long stacks;	/* different ones */
};

/* Shows nothing from now on, for --quiet. */
void progress_silence(void);

/*
 * Begins for a program that counts "samples" or the like.  It reads the
 * operands; "-", or none, is standard input, and NULL means no files.
 */
void progress_start(const char *program, const char *const *operands,
    const char *counted);

/* Shows no percentage from now on, as compressed input becomes larger. */
void progress_forget_size(void);

/*
 * Adds what `tally` has more than *told, and copies it to *told.  `where` is
 * shown, too, unless it is empty.  The call looks at the clock: every few
 * milliseconds is often enough.
 */
void progress_tell(struct tally *told, struct tally tally, struct str where);

/*
 * Adds bytes that were read to *told, with the number of samples and of
 * different stacks so far; each pointer may be NULL.
 */
void progress_read(struct tally *told, size_t bytes, const size_t *samples,
    const uint32_t *stacks);

/*
 * Takes the line away, before anything else is printed on standard error; the
 * line comes again a little later.  Keeps errno.
 */
void progress_clear(void);

#endif
