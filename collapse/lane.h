/*
 * lane: what a thread did in the order of time, for --in-order: see timeline.h.
 * Time without a stack, from the begin of the profile on, is the line of the
 * thread's name alone.
 */
#ifndef LANE_H
#define LANE_H

#include "fold/collapse.h"

/* The row of a collapser's options that asks for lanes. */
#define LANE_OPTION(flag)	{ "in-order", OPTION_FLAG, flag, NULL, \
	"keep the order of time, for flamegraph --flamechart" }

struct lane {
	struct fold *fold;	/* it has a timeline without gaps */
	uint32_t root;		/* the number of the thread's name */
	double at;		/* the time that it reaches */
};

/* Gives the fold a timeline, before anything is read. */
void lane_prepare(struct fold *fold, struct timeline *timeline);

/* Begins the lane of a thread, at the time 0. */
struct lane lane_begin(struct fold *fold, uint32_t root);

/*
 * Adds the stack in fold->stack, to which the thread's name is still to be
 * added, and empties that one.  Times are in the unit of counts, and are
 * rounded; what is before the end of the last stack is left out.
 */
void lane_add(struct lane *lane, double start, double end);

#endif
