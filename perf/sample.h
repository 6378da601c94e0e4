/* sample: what both readers make of a sample, of text or a recording. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/str.h"

/* Why a thread was switched out. */
enum wait_kind {
	WAIT_NONE,		/* it exited */
	WAIT_BLOCKED,		/* it sleeps */
	WAIT_UNINTERRUPTIBLE,	/* it sleeps, and ignores signals */
	WAIT_PREEMPTED,		/* it is able to run */
	WAIT_KINDS
};

/* What has happened. */
enum wait_change {
	WAIT_NO_CHANGE,
	WAIT_SWITCH,		/* a processor, from a thread to another */
	WAIT_SWITCH_IN,		/* switch-in of a thread */
	WAIT_SWITCH_OUT,	/* its switch-out, after the switch event */
	WAIT_WAKE,		/* a thread was woken */
	WAIT_LOST,		/* records, since the processor's last switch */
	WAIT_RECORDED,		/* a completed wait (perf record --off-cpu) */
	WAIT_RAN		/* a clock's sample: the thread was running */
};

#define WAITS_CPU_NONE	UINT32_MAX	/* unknown */
#define WAITS_CPU_MOST	65536		/* 8 times as many as Linux has */

struct wait_event {
	uint8_t change;		/* a wait_change */
	uint8_t kind;		/* of a switch: a wait_kind */
	int32_t prev, next;	/* the threads of a switch, 0 for idle; other
				   changes have theirs in next */
	uint32_t cpu;		/* of a switch or a loss */
	uint64_t count;		/* how long it waited or ran until now, in ns */
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
	uint64_t count;		/* its weight: the period or a field */
	uint32_t root;		/* the frame of its command + 1, or 0 */
	bool java;		/* the command is called java... */
	uint32_t cgroup;	/* the cgroup's frame + 1, or 0 */
	uint32_t event;		/* the event's frame + 1, or 0 */
	struct wait_event change;	/* if waits are counted */
	bool is_selected;	/* its stack counts as a wait */
};

#endif
