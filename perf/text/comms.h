/*
 * comms: remembers the commands of threads.  perf 6.12 and 7 forget a thread
 * when it exits, and print its ID as the command of later samples, for example
 * while the kernel frees its memory:
 *
 *	cc1   23158 [001] 33957.258604:     500000 cpu-clock:
 *	:23158   23158 [001] 33957.259106:     500000 cpu-clock:
 *
 * Such a sample gets the last command that appeared for the thread before the
 * first such sample in the same file, even if the ID is used again later.
 */
#ifndef COMMS_H
#define COMMS_H

#include "lib/intmap.h"
#include "perf/sample.h"

struct comms {
	const char *file;		/* whose threads these are */
	struct intmap numbers;		/* a thread's place, plus 1, by tid */
	struct comms_thread *threads;
	size_t count, room;
	struct intmap seen;		/* 1, by tid and root */
};

void comms_init(struct comms *comms);

/*
 * Returns the root that the sample has by its printed command, or the root of
 * the earlier command if the thread has exited.
 */
struct root comms_root(struct comms *comms, const char *file,
    const struct sample *sample);

#endif
