/*
 * waits: adds up off-CPU time, between two switches, by the stack at the first.
 *
 *	time	 1       3        6                8
 *	CPU 0	 a to b  b to a
 *	CPU 1	                  a to c, asleep   c to a
 *
 *	a	 waits 2		   waits 2
 *
 * Events must come in time order.  A thread waits only after a recorded
 * switch-out, and until the end of the input if it is never switched in.  Where
 * records were lost, a waiting thread may have run and left again: its wait
 * ends at the loss, and the rest of the time is unaccounted for.
 */
#ifndef WAITS_H
#define WAITS_H

#include "fold/collapse.h"
#include "lib/intmap.h"
#include "sample.h"

struct select;

#define WAITS_STACK_NONE	UINT32_MAX	/* the wait is left out */

/* The largest thread ID: Linux's PID_MAX_LIMIT. */
#define WAITS_THREAD_MOST	(1 << 22)

/* Which times count, and how they are shown. */
struct waits_options {
	bool counts[WAIT_KINDS];
	bool running;		/* count on-CPU time, too, and add a frame of
				   the kind, "[blocked]" */
	const struct select *select;	/* ranges of time; NULL: all */
	bool wakers;		/* add the stack of the waking thread */
};

/* The last switch of a processor. */
struct wait_switch {
	uint64_t time;
	int32_t next;		/* the thread that was switched in */
	bool is_known;		/* no record was lost since */
};

/* Begins with waits_init. */
struct waits {
	const struct waits_options *options;
	struct fold *fold;		/* its timeline receives waits, or its
					   stacks the sums, in ns */
	struct stacks sampled;		/* the caller's stacks, by number */

	struct wait_thread **pages;	/* threads, by ID */
	struct wait_switch *switched;	/* the last switch, by processor */
	size_t switched_room;
	uint64_t *losses;		/* times of losses */
	size_t losses_count, losses_room;
	bool loss_matters;		/* a thread changed since the last */
	struct wait_sum *sums;
	size_t sums_count, sums_room;
	struct intmap known[WAIT_KINDS];	/* sums, by waker and waiter */
	struct stack stack;		/* scratch */

	size_t count;			/* completed waits */
	size_t no_switch_in;	/* waits whose switch-in is missing */
	size_t no_switch_out;	/* waits whose switch-out is missing */
	uint64_t unknown;		/* unaccounted thread-time, in ns */
	size_t contradicted;	/* switches from another thread than the last */
	bool sees_resumes;	/* there are switch-in records, or all of the
				   machine was recorded */
};

void waits_init(struct waits *waits, const struct waits_options *options,
    struct fold *fold);

/*
 * Takes an event at a time in nanoseconds, not before earlier ones.  The stack
 * in `sampled` is of the thread that is switched out, wakes another, has waited
 * or ran; WAITS_STACK_NONE leaves its wait out.
 */
void waits_take(struct waits *waits, const struct wait_event *event,
    uint64_t time, uint32_t stack);

/*
 * Ends an input and all its waits at a time, and reports what is uncertain.
 * Returns false, and counts none of them, if switch-ins are not recorded: perf
 * record of a single program needs --switch-events for them.
 */
bool waits_end(struct waits *waits, uint64_t time, const char *input);

/* Returns the kind of wait for a state of perf script: "S", "D|K", "R+". */
enum wait_kind waits_kind(struct str state);

#endif
