/*
 * child: another program at work for ours.  It is found in PATH and started
 * without a shell, so that an argument is never more than an argument.
 *
 * We read what it prints from a pipe.  It reads what we write to another one,
 * or a file that we have open.  Its complaints are dropped, since we report
 * failures.  It gets none of our other files, and its end does not end us.
 *
 *	struct child child;
 *	char xz[] = "xz", decompress[] = "-dc";
 *	char *const argv[] = { xz, decompress, NULL };
 *
 *	if (!child_start(&child, argv, fd))
 *		(errno says why)
 *	while (child_exchange(&child, &input, &output, 60) > 0)
 *		(the output grows)
 *	if (!child_finish(&child))
 *		(the file is damaged)
 */
#ifndef CHILD_H
#define CHILD_H

#include <sys/types.h>

#include "str.h"
#include "text.h"

struct child {
	pid_t pid;		/* 0: it does not run */
	int to;			/* a pipe to its standard input, or -1 */
	int from;		/* a pipe from its standard output */
};

/* A child reads an open file, given by its number, or one of these. */
#define CHILD_PIPE	(-1)	/* what child_exchange sends */
#define CHILD_NOTHING	(-2)

/*
 * Starts argv[0], found in PATH; false, with errno, when that fails.  Ctrl-C
 * does not end it: we may outlive one, and then still need the program.  It
 * ends when its pipes do.  Ctrl-C ends a program that reads nothing.
 */
bool child_start(struct child *child, char *const argv[], int input);

/*
 * Writes as much of *input as the child takes at once and steps over it, and
 * adds what it has printed to output, once one of the two is possible; so
 * neither waits for the other.  With an empty input it only reads; where the
 * child takes no more, the input becomes empty.  Returns a number above 0; 0 at
 * the end of the output; or -1, with errno, on a failure: ETIMEDOUT if nothing
 * is possible within these seconds.
 */
ssize_t child_exchange(struct child *child, struct str *input,
    struct text *output, int seconds);

/* Ends what the child reads; it may still print. */
void child_end_input(struct child *child);

/* Waits for a child that has printed all; true if its status is 0. */
bool child_finish(struct child *child);

/* Ends the child, whatever state it is in. */
void child_stop(struct child *child);

#endif
