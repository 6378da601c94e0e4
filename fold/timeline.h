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
 * their first samples; equal stacks that follow one another in a thread are one
 * line.  The line of a root alone may be a gap: time in which the thread had no
 * sample.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include <stdio.h>

#include "stacks.h"

#define TIMELINE_NO_TIME	UINT64_MAX

struct timeline {
	struct stacks *stacks;
	uint64_t gap;		/* shorter ones are left out; 0: all are */
	struct timeline_thread *threads;
	size_t count, room;
	uint32_t *known;	/* by the name of a root: the thread, from 1 */
	size_t names;
};

/* Begins a timeline of these stacks; `gap` is in the unit of time. */
void timeline_init(struct timeline *timeline, struct stacks *stacks,
    uint64_t gap);

/*
 * Adds a sample with the stack of this number, which has a frame.  The time is
 * when the sample ended, for gaps, in the unit of counts.
 */
void timeline_add(struct timeline *timeline, uint32_t number,
    unsigned long long count, uint64_t time);

/* Adds a sample with a stack that may have no number yet. */
void timeline_add_stack(struct timeline *timeline, const struct stack *stack,
    unsigned long long count, uint64_t time);

/*
 * Ends the program if gaps are to be shown, and this sample has no time, or an
 * event whose periods are not nanoseconds, as gaps are.  An event without a
 * name may have them.
 */
void timeline_check(const struct timeline *timeline, struct str event,
    uint64_t time);

/* Prints "root;...;leaf count" for every stack. */
void timeline_print(const struct timeline *timeline, const struct table *names,
    FILE *out);

#endif
