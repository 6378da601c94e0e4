/*
 * sample: what both readers make of a sample, whether perf script printed it or
 * a recording holds it.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/str.h"

/* Why a thread leaves a processor. */
enum wait_kind {
	WAIT_NONE,		/* it has ended */
	WAIT_BLOCKED,		/* it sleeps */
	WAIT_UNINTERRUPTIBLE,	/* it sleeps, and signals do not wake it */
	WAIT_PREEMPTED,		/* it could run */
	WAIT_KINDS
};

/* What has happened. */
enum wait_change {
	WAIT_NOTHING,		/* that matters */
	WAIT_SWITCH,		/* a processor, from a thread to another */
	WAIT_COME,		/* a thread comes to a processor */
	WAIT_GO,		/* it leaves one, as a switch has told before */
	WAIT_WAKE,		/* it is woken */
	WAIT_LOSS,		/* records were lost since the switch of this
				   processor that was told last */
	WAIT_PAST,		/* a wait has ended, which is told as a whole */
	WAIT_RAN		/* a thread was running, as a clock tells; if it
				   waits, it has come, though no switch told */
};

#define WAITS_CPU_NONE	UINT32_MAX	/* it is not known */

struct wait_event {
	uint8_t change;		/* a wait_change */
	uint8_t kind;		/* of a switch: a wait_kind */
	int32_t prev, next;	/* threads; 0, idle, is none: those of a
				   switch; the one of any other change is
				   next */
	uint32_t cpu;		/* of a switch, on which it runs, or whose
				   records were lost */
	uint64_t count;		/* nanoseconds that it waited, or ran, until
				   now */
};

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
