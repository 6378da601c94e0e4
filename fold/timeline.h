/*
 * timeline: stacks in the order of time, thread by thread, as a flame chart
 * draws them:
 *
 *	make-41/41;main;read 20101010
 *	make-41/41;main 10101010
 *	make-41/41 3200000000
 *	make-41/41;main;read 10101010
 *	cc-42/42;main;parse 40404040
 *
 * A stack's outermost frame names its thread.  Threads are in the order of
 * their first samples; equal stacks one after another in a thread are one line.
 *
 * If gaps are shown, the line of a root alone is one: time in which the thread
 * had no sample.  Then all threads share a clock, which begins with the first
 * sample of all: a thread that starts later has a gap first, and none is ever
 * behind its times by more than the longest gap that is left out.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include <stdio.h>

#include "stacks.h"

#define TIMELINE_NO_TIME	UINT64_MAX

struct timeline {
	struct stacks *stacks;
	uint64_t gap;		/* longer ones are shown; 0: none are */
	uint64_t begin;		/* of the clock, if gaps are shown; the caller
				   may set an earlier one */
	bool cuts;		/* what began before the end of its thread's
				   last sample counts from there on, if gaps
				   are shown; else samples may overlap */
	struct timeline_thread *threads;
	size_t count, room;
	uint32_t *known;	/* by the name of a root: the thread, from 1 */
	size_t names;
};

/* Begins a timeline of these stacks; `gap` is in the unit of time. */
void timeline_init(struct timeline *timeline, struct stacks *stacks,
    uint64_t gap);

/*
 * Adds a sample with this stack number; the stack has a frame.  The time is the
 * end of the sample, in the unit of counts, or TIMELINE_NO_TIME.
 */
void timeline_add(struct timeline *timeline, uint32_t number,
    unsigned long long count, uint64_t time);

/* Adds a sample with a stack that may have no number yet. */
void timeline_add_stack(struct timeline *timeline, const struct stack *stack,
    unsigned long long count, uint64_t time);

/*
 * A thread whose times are known from 0 on, and for which time without a stack
 * is the line of its name alone.
 */
struct lane {
	struct timeline *timeline;	/* without gaps */
	uint32_t root;		/* the number of the thread's name */
	double at;		/* the time that it reaches */
};

/*
 * Adds a stack, to which the thread's name is still to be added, and empties
 * it.  Times are in the unit of counts, and are rounded; what is before the end
 * of the last stack is left out.
 */
void lane_add(struct lane *lane, struct stack *stack, double start,
    double end);

/*
 * Ends the program if gaps are to be shown, and this sample has no time, or an
 * event with a name whose periods are not nanoseconds, as gaps are.
 */
void timeline_check(const struct timeline *timeline, struct str event,
    uint64_t time);

void timeline_print(const struct timeline *timeline, const struct table *names,
    FILE *out);

#endif
