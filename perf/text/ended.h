/*
 * ended: finds the commands of threads that have ended.  perf 6.12 and 7 forget
 * a thread when it ends, and print its number for its command in samples that
 * come after, as of the kernel that takes its memory away:
 *
 *	cc1   23158 [001] 33957.258604:     500000 cpu-clock:
 *	:23158   23158 [001] 33957.259106:     500000 cpu-clock:
 *
 * Lines before tell the command.  Other threads may read them, so these stacks
 * have roots of their own until all is read.
 */
#ifndef ENDED_H
#define ENDED_H

#include "lib/intmap.h"
#include "perf/root.h"

struct ended {
	const char *file;	/* read last, in which these are noted: */
	struct intmap known;	/* the root, plus 1, by number and root */
	struct table roots;	/* "FILE\nNUMBER\nROOT" */
	uint64_t *places;	/* where each of them came first */
	size_t room;
	struct text key;
};

void ended_init(struct ended *ended);

/*
 * Notes whose root comes at a place of a file; returns it, or the one that it
 * has until all is read.  Places grow from line to line.
 */
struct root ended_note(struct ended *ended, struct namer *namer,
    struct root root, const struct thread_id *thread, const char *file,
    uint64_t place);

/* Adds what another thread has noted. */
void ended_merge(struct ended *ended, const struct ended *other);

/*
 * Returns the names of all frames, of which roots get their last ones, or NULL
 * if none changes.  The list lives until the program ends.
 */
struct str *ended_names(const struct ended *ended, const struct table *names);

#endif
