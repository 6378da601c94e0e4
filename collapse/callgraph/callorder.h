/*
 * callorder: brings the functions of a call graph into an order in which each
 * comes behind those that it calls, but for cycles: functions that call each
 * other, which are one in the order.
 */
#ifndef CALLORDER_H
#define CALLORDER_H

#include "callgraph.h"

/* Calls by one of their ends: those of function f from starts[f] on. */
struct call_list {
	uint32_t *calls;	/* their numbers */
	uint32_t *starts;	/* as many as functions, and one */
};

struct callorder {
	const struct callgraph *graph;
	struct call_list out, in;	/* by caller, by callee */
	uint32_t *inside;	/* how many of a function's in `in`, the first
				   ones, come from its own cycle */
	uint32_t *cycle;	/* the number of a function's cycle; most have
				   one function alone */
	uint32_t *members;	/* functions, cycle by cycle... */
	uint32_t *starts;	/* ...each from here, and the end of all */
	uint32_t cycles;
};

/*
 * Finds the order; calls of a function by itself are left out of it.  The graph
 * must outlive it, and not grow.
 */
void callorder_init(struct callorder *order, const struct callgraph *graph);
void callorder_free(struct callorder *order);

/*
 * Ranks the functions of a cycle that is entered at `entry`: it is the first,
 * and the next one always the one that the heaviest call from those before
 * reaches.  Stores them in this order in `ranked`, and each one's place there
 * in `rank`, by function.
 */
void callorder_rank(const struct callorder *order, uint32_t entry,
    uint32_t *ranked, uint32_t *rank);

/* Returns how many functions a cycle has. */
static inline uint32_t
callorder_size(const struct callorder *order, uint32_t cycle)
{
	return order->starts[cycle + 1] - order->starts[cycle];
}

#endif
