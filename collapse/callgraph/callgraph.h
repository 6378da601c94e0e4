/*
 * callgraph: some profilers keep no stacks, but functions, with the cost that
 * was spent in each of them itself, and calls, with the cost that was spent
 * during them.
 *
 *	main  20                  20 in main itself
 *	main -> parse  500        500 in parse, and in all that it called, when
 *	parse  100                main had called it
 *
 * callpaths infers stacks from these.
 */
#ifndef CALLGRAPH_H
#define CALLGRAPH_H

#include "lib/intmap.h"
#include "lib/mem.h"

struct call_function {
	uint32_t frame;			/* the number of its name */
	unsigned long long self;	/* spent in itself */
	/* Weights: what it spent without a known caller, and of that itself. */
	unsigned long long root, root_self;
	bool calls_itself;
};

/* Its costs are weights: by them what was spent in `to` is shared. */
struct call {
	uint32_t from, to;
	unsigned long long cost;
	unsigned long long self;	/* of the cost, spent in `to` itself */
};

struct callgraph {
	struct call_function *functions;
	uint32_t count;
	size_t room;
	struct call *calls;
	uint32_t call_count;
	uint32_t last;		/* the call that was found last */
	size_t call_room;
	struct intmap numbers;	/* of calls, plus one, by their functions */
	unsigned long long total;	/* of what functions spent themselves */
	bool overflowed;	/* that is more than 2^64 - 1 */
	/* Calls tell `self`, and functions `root`; else both are found. */
	bool is_detailed;
};

/* Begins without functions; costs have the unit that the caller gives them. */
void callgraph_init(struct callgraph *graph, bool is_detailed);
void callgraph_free(struct callgraph *graph);

/* Adds a function with this frame, and returns its number. */
uint32_t callgraph_add(struct callgraph *graph, uint32_t frame);

/*
 * Adds to what a function spent itself; if all would be more than 2^64 - 1 it
 * does not, and `overflowed` is true.
 */
void callgraph_spend(struct callgraph *graph, uint32_t function,
    unsigned long long cost);

/*
 * Returns the call of `to` by `from`, which begins with no cost, for adding to
 * it; it lives until the next one is asked for.
 */
struct call *callgraph_call(struct callgraph *graph, uint32_t from,
    uint32_t to);

/* Returns a + b, or the largest number if that is more. */
static inline unsigned long long
call_sum(unsigned long long a, unsigned long long b)
{
	return a + b < a ? ~0ULL : a + b;
}

#endif
