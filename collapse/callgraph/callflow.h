/*
 * callflow: a call graph without cycles, whose numbers add up: the costs of all
 * calls of a node are the cost of itself and of all calls by it.
 *
 * It is made of any call graph.  The cost of each function is shared among its
 * callers, in proportion to what each of them has spent in it:
 *
 *	parse 600  called by main, 500, and by test, 100
 *	read  300  called by parse: 250 of them are main's, 50 test's
 *
 * All numbers are whole.  If those of the graph add up, too, a call that is in
 * no cycle keeps its cost.
 */
#ifndef CALLFLOW_H
#define CALLFLOW_H

#include "callgraph.h"

/* A call from one node to another. */
struct flow_call {
	uint32_t from, to;
	uint64_t self;		/* spent in `to` itself */
	uint64_t rest;		/* spent in what `to` calls */
};

#define FLOW_ROOT	0	/* the node that calls those without a caller */

/* A function, or one of the nodes of a function in a cycle. */
struct flow_node {
	uint32_t frame;
	uint32_t start, end;	/* of its calls, the largest cost first */
};

struct callflow {
	struct flow_node *nodes;
	struct flow_call *calls;
	uint32_t count, call_count;
	size_t room, call_room;
};

/* Makes the nodes and their calls. */
void callflow_init(struct callflow *flow, const struct callgraph *graph);
void callflow_free(struct callflow *flow);

/* Returns the whole cost of a call. */
static inline uint64_t
flow_cost(const struct flow_call *call)
{
	return call->self + call->rest;
}

#endif
