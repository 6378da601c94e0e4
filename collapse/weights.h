/*
 * weights: adds up weights of stacks, such as nanoseconds, before they are
 * rounded to counts.  Stacks are a tree of calls, so a call costs the same at
 * any depth.
 */
#ifndef WEIGHTS_H
#define WEIGHTS_H

#include "fold/collapse.h"
#include "lib/intmap.h"

struct weighed_call {
	uint32_t caller;	/* its number; 0: none */
	uint32_t name;		/* the number of a name in struct fold */
	double weight;		/* its own */
};

/* It begins as { 0 }. */
struct weights {
	struct weighed_call *calls;	/* by number, from 1 */
	size_t count, room;
	struct intmap known;	/* calls by caller and name */
};

void weights_free(struct weights *weights);

/* Returns the number of the call of this name by a caller, or, for 0, none. */
uint32_t weights_call(struct weights *weights, uint32_t caller, uint32_t name);

/* Adds a weight.  It may be negative as long as the sum is not. */
static inline void
weights_add(struct weights *weights, uint32_t call, double weight)
{
	weights->calls[call - 1].weight += weight;
}

/* Sets fold->stack to the stack of a call. */
void weights_stack(const struct weights *weights, uint32_t call,
    struct fold *fold);

/* Counts each stack that weighs something as fold_count_weight does, scaled. */
void weights_count(const struct weights *weights, struct fold *fold,
    double scale, const struct stack *roots);

#endif
