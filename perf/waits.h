/*
 * waits: adds up the time in which threads are on no processor: from leaving
 * one, with a stack, to coming back.
 *
 *	time	 1       3        6                8
 *	CPU 0	 a to b  b to a
 *	CPU 1	                  a to c, asleep   c to a
 *
 *	a	 waits 2		   waits 2
 *
 * What happened is told in the order of time.  A thread that has not been seen
 * to leave does not wait; one that never comes back waits until the end.  Where
 * records were lost, all that waited may have come and left again: so the wait
 * ends there, as far as it counts, and what is left of it is unknown.
 *
 * Memory grows with the threads that wait, and with different stacks.
 */
#ifndef WAITS_H
#define WAITS_H

#include <stdint.h>

#include "fold/calls.h"
#include "fold/timeline.h"
#include "lib/intmap.h"
#include "sample.h"

struct select;

#define WAITS_STACK_NONE	UINT32_MAX	/* a wait that does not count */
#define WAITS_CPU_MOST		65536	/* 8 times as many as Linux has */

/* No thread has a larger number: Linux's PID_MAX_LIMIT. */
#define WAITS_THREAD_MOST	(1 << 22)

/* What counts, and how it is shown. */
struct waits_options {
	bool counts[WAIT_KINDS];	/* these kinds do... */
	bool running;		/* ...and the times on a processor, too */
	const struct select *select;	/* the times in which they do;
					   NULL: all */
	bool wakers;		/* add the stack of who woke the thread */
	bool kinds;		/* add a frame, "[blocked]" */
};

/* A processor has switched. */
struct wait_switch {
	uint64_t time;
	int32_t next;		/* to this thread */
	bool is_known;		/* and no record was lost since */
};

/* Begins with waits_init. */
struct waits {
	const struct waits_options *options;
	struct stacks *stacks;		/* take the sums, in nanoseconds... */
	struct timeline *timeline;	/* ...or this does, if not NULL */
	struct namer *namer;
	struct stacks told;		/* those that the caller tells */

	struct wait_thread **pages;	/* threads, by number */
	struct wait_switch *switched;	/* the last ones, by cpu */
	size_t switched_room;
	uint64_t *losses;		/* times, of those that matter */
	size_t losses_count, losses_room;
	bool loss_matters;		/* a thread changed since the last */
	struct wait_sum *sums;		/* of times with one stack */
	size_t sums_count, sums_room;
	struct intmap known[WAIT_KINDS];	/* one of them, plus one, by
					   the stacks that they are made of */
	struct stack stack;		/* that is made */
	bool counts;			/* a time does */

	size_t count;			/* of waits that have ended */
	size_t unseen;			/* of those whose end was not told,
					   though no record was lost */
	size_t untold;			/* others that no switch told */
	uint64_t unknown;		/* nanoseconds of threads, as some
					   were */
	size_t broken;			/* switches from another thread than
					   the processor's last, though... */
	size_t comes;			/* times that a thread came which were
					   told alone */
	bool idle_left;			/* so the switches are those of whole
					   processors */
};

void waits_init(struct waits *waits, const struct waits_options *options,
    struct stacks *stacks, struct timeline *timeline, struct namer *namer);

/*
 * Takes what happened at a time, in nanoseconds, no earlier than all before.
 * The stack, by its number of those told, is that of the thread that leaves,
 * wakes, has waited or ran; WAITS_STACK_NONE if its wait is left out.
 */
void waits_take(struct waits *waits, const struct wait_event *event,
    uint64_t time, uint32_t stack);

/*
 * Ends an input at a time, and all waits, and says what is not known of them.
 * False, and then none of them counts, if it does not tell when threads come
 * back, as those of single programs do not unless they are asked to.
 */
bool waits_end(struct waits *waits, uint64_t time, const char *input);

/*
 * Returns the kind that a thread's state means, as it is printed: "S", "D|K",
 * "R+".
 */
enum wait_kind waits_kind(struct str state);

#endif
