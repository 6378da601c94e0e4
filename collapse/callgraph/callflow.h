/*
 * callflow: a call graph without cycles, whose numbers add up: what comes into
 * a node by the calls of it is what it has spent itself, and what goes out by
 * its own calls.
 *
 * It is made by sharing what was spent in each function of a call graph among
 * those that called it, in proportion to what each spent in it:
 *
 *	parse 600  called by main, 500, and by test, 100
 *	read  300  called by parse: 250 of them are main's, 50 test's
 *
 * All numbers are whole.  Where those of the graph add up, too, a call that is
 * in no cycle keeps its cost.
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
	uint32_t start, end;	/* of its calls, those of most cost first */
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

/* Returns all that was spent during a call. */
static inline uint64_t
flow_cost(const struct flow_call *call)
{
	return call->self + call->rest;
}

#endif
