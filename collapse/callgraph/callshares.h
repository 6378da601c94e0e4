/*
 * callshares: shares what a function has spent, or a cycle, which is functions
 * that call each other, among those that called it.
 */
#ifndef CALLSHARES_H
#define CALLSHARES_H

#include "callnodes.h"
#include "callorder.h"

#define NO_CALL	UINT32_MAX

/* A call, or NO_CALL, by which a function is entered from outside. */
struct call_entry {
	uint32_t call, function;
	uint64_t cost, self;		/* its weights */
	uint64_t share, self_share;	/* what it is of what was spent */
};

/* A cost that was spent: by a function itself (NO_CALL), or in a call out. */
struct call_spent {
	uint32_t call, function;
	uint64_t self, rest;
};

/* The share of a call. */
struct call_part {
	uint32_t node;
	uint64_t self, rest;
};

struct callshares {
	struct callnodes *nodes;	/* that are made */
	const struct callgraph *graph;
	const struct callorder *order;
	struct call_part *parts;	/* by call */
	/* Of the function or the cycle at hand: */
	struct call_entry *entries;
	struct call_spent *spent;
	uint32_t entered, spendings;
	size_t entry_room, spent_room;
	uint64_t self, rest;		/* sums of what was spent */
};

/*
 * Prepares for all cycles in turn; the nodes, the order and its graph must
 * outlive it.
 */
void callshares_init(struct callshares *shares, struct callnodes *nodes,
    const struct callorder *order);
void callshares_free(struct callshares *shares);

/*
 * Collects what a cycle, or a function that is in none, has spent, and how it
 * is entered; false if nothing was spent.  All that it calls must be done.
 */
bool callshares_collect(struct callshares *shares, uint32_t cycle);

/* Shares out among the entries what was spent, by their costs. */
void callshares_divide(struct callshares *shares);

/* Makes a function that is in no cycle a node. */
void callshares_add(struct callshares *shares, uint32_t function);

/* Passes on to a call, or to the root, what is its part of a node. */
void callshares_pass(struct callshares *shares,
    const struct call_entry *entry, uint32_t node);

/* Takes from *self, which is a part of *left, what is due to a share of it. */
uint64_t callshares_take(uint64_t *self, uint64_t *left, uint64_t share);

/* True if a call is between functions of one cycle. */
static inline bool
callshares_inside(const struct callshares *shares, uint32_t number)
{
	const struct call *call = &shares->graph->calls[number];

	return shares->order->cycle[call->from] ==
	    shares->order->cycle[call->to];
}

#endif
