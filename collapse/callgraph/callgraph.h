/*
 * callgraph: infers stacks from functions, with the cost of each itself, and
 * calls, with the cost during each.  Some profilers keep these instead.
 *
 *	main  20                  20 in main itself
 *	main -> parse  500        500 in parse, and in all that it called, when
 *	parse  100                main had called it
 */
#ifndef CALLGRAPH_H
#define CALLGRAPH_H

#include "fold/stacks.h"
#include "lib/intmap.h"

struct call_function {
	uint32_t frame;			/* the number of its name */
	unsigned long long self;	/* cost in itself */
	/* weights: its cost without a known caller, and the part in itself */
	unsigned long long root, root_self;
	bool calls_itself;
};

/* The costs of calls are weights for dividing the cost of `to`. */
struct graph_call {
	uint32_t from, to;
	unsigned long long cost;
	unsigned long long self;	/* the part in `to` itself */
};

/* It begins as { 0 }, but is_detailed.  Costs have any unit. */
struct callgraph {
	struct call_function *functions;
	uint32_t count;
	size_t room;
	struct graph_call *calls;
	uint32_t call_count;
	uint32_t last;		/* the call that was found last */
	size_t call_room;
	struct intmap numbers;	/* of calls, plus one, by their functions */
	unsigned long long total;	/* of the functions' own costs */
	bool overflowed;	/* the total is more than 2^64 - 1 */
	bool is_detailed;	/* calls have `self`, and functions `root`;
				   both are computed otherwise */
};

/* Frees all, and leaves it empty. */
void callgraph_free(struct callgraph *graph);

/* Adds a function with this frame, and returns its number. */
uint32_t callgraph_add(struct callgraph *graph, uint32_t frame);

/* Adds to a function's own cost; sets `overflowed` beyond 2^64 - 1. */
void callgraph_spend(struct callgraph *graph, uint32_t function,
    unsigned long long cost);

/* Returns the call of `to` by `from`; valid until the next call. */
struct graph_call *callgraph_call(struct callgraph *graph, uint32_t from,
    uint32_t to);

/*
 * Adds a graph's stacks: each path of calls from a function without a caller
 * becomes one, with its part of the last function's own cost.
 */
void callpaths_add(const struct callgraph *graph, struct stacks *stacks);

/* Returns a + b, or the largest number if that is more. */
static inline unsigned long long
call_sum(unsigned long long a, unsigned long long b)
{
	return a + b < a ? ~0ULL : a + b;
}

#endif
