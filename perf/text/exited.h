/*
 * exited: finds the commands of threads that have exited.  perf 6.12 and 7
 * forget a thread when it exits, and print its number for its command in
 * samples that come later, such as those of the kernel freeing its memory:
 *
 *	cc1   23158 [001] 33957.258604:     500000 cpu-clock:
 *	:23158   23158 [001] 33957.259106:     500000 cpu-clock:
 *
 * Such a sample gets the last command that was new to the thread before the
 * first one of them in the same file.  What the number means after that, if it
 * is used again, does not change it.
 */
#ifndef EXITED_H
#define EXITED_H

#include "lib/intmap.h"
#include "perf/sample.h"
#include "perf/threadid.h"

struct exited {
	const char *file;		/* whose threads these are */
	struct intmap numbers;		/* a thread's place, plus 1, by tid */
	struct exited_thread *threads;
	size_t count, room;
	struct intmap seen;		/* 1, by tid and root */
};

void exited_init(struct exited *exited);

/*
 * Returns the root of a sample's thread, of which a file tells this id and
 * root: that of its command if it has exited.
 */
struct root exited_root(struct exited *exited, const char *file,
    const struct thread_id *id, struct root root);

#endif
