/*
 * progress: one line on standard error that says how far a program is, once
 * it has been busy for a second, where that is a terminal and standard output
 * is none:
 *
 *	flamegraph: 36 % of 3.40 GB, 12 s left, 1.23 M lines
 *
 * There is one terminal, so this is of the program, not of a caller.  Any
 * thread may tell and clear.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "str.h"

/* What was done so far; begins as { 0 }. */
struct tally {
	unsigned long long bytes;	/* read */
	unsigned long long counted;	/* samples, lines, entries */
	unsigned long long stacks;	/* different ones */
	bool in_part;			/* other threads may have more */
};

/* Has nothing be shown: --quiet. */
void progress_silence(void);

/*
 * Begins, for the named program, which reads the operands, "-" or none being
 * standard input, or NULL if it does not read files; `counted` names what it
 * counts, "samples".
 */
void progress_start(const char *program, const char *const *operands,
    const char *counted);

/*
 * Adds to what is shown how much more `tally` is than what was told before, and
 * makes that equal.  Of the stacks, which threads may have in common, those of
 * the thread with most are shown.  To call every few milliseconds: it looks at
 * the clock.  `where` is shown too, or empty.
 */
void progress_tell(struct tally *told, struct tally tally, struct str where);

/*
 * Takes the line away.  To call before anything else is printed on standard
 * error, for which there is time until the line comes again; keeps errno.
 */
void progress_clear(void);

#endif
