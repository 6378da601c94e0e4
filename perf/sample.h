/*
 * sample: what both readers make of a sample, whether perf script printed it or
 * a recording holds it.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "waits.h"

/* The outermost frame of a command's stacks. */
struct root {
	uint32_t frame;
	bool java;		/* the command is called java... */
	struct str name;	/* the frame's, which stays where it is */
};

/* What a sample may have; the bits say which of its members are set. */
enum sample_has {
	SAMPLE_HAS_TIME = 1 << 0,
	SAMPLE_HAS_CPU = 1 << 1,
	SAMPLE_HAS_PID = 1 << 2,
	SAMPLE_HAS_TID = 1 << 3,
	SAMPLE_HAS_COMM = 1 << 4
};

#define SAMPLE_FIELDS	5	/* of these */

struct sample {
	unsigned has;		/* of SAMPLE_HAS_... */
	uint64_t time;		/* nanoseconds */
	int64_t pid, tid;	/* -1: the thread has exited */
	uint32_t cpu;
	struct str comm;	/* lives as long as the reader's record */
	uint64_t count;		/* what its stack counts, its period or so */
	struct root root;	/* the frame of its command, */
	uint32_t cgroup;	/* a frame outside it, plus one, or 0 */
	uint32_t event;		/* the same outside that */
	struct wait_event change;	/* of threads, which it reports... */
	bool is_selected;	/* ...and whether its stack counts */
};

#endif
