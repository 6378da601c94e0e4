/*
 * callnodes: a call graph without cycles, whose numbers add up: what comes into
 * a node by the calls of it is what it has spent itself, and what goes out by
 * its own calls.  A function may have several nodes.
 */
#ifndef CALLNODES_H
#define CALLNODES_H

#include <stdint.h>

#include "lib/mem.h"

/* A call from one node to another. */
struct node_call {
	uint32_t from, to;
	uint64_t self;		/* spent in `to` itself */
	uint64_t rest;		/* spent in what `to` calls */
};

#define NODE_ROOT	0	/* it calls those without a caller */

struct call_node {
	uint32_t frame;
	uint32_t start, end;	/* its calls, once they are listed */
};

struct callnodes {
	struct call_node *nodes;
	struct node_call *calls;
	uint32_t count, call_count;
	size_t room, call_room;
};

/* Begins with the root. */
void callnodes_init(struct callnodes *nodes);
void callnodes_free(struct callnodes *nodes);

/* Adds a node, whose name has the number `frame`, and returns its number. */
uint32_t callnodes_add(struct callnodes *nodes, uint32_t frame);

/* Adds a call, unless it cost nothing. */
void callnodes_call(struct callnodes *nodes, struct node_call call);

/* Lists the calls by each node, those of most cost first. */
void callnodes_list(struct callnodes *nodes);

/* Returns all that was spent during a call. */
static inline uint64_t
node_cost(const struct node_call *call)
{
	return call->self + call->rest;
}

#endif
