/*
 * callgraph: functions, with the cost of each itself, and calls, with the cost
 * during each.  Some profilers keep these instead of stacks.
 *
 *	main  20                  20 in main itself
 *	main -> parse  500        500 in parse, and in all that it called, when
 *	parse  100                main had called it
 *
 * callpaths infers stacks from these.
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

/*
 * Adds to a function's own cost; sets `overflowed` instead if the total would
 * be more than 2^64 - 1.
 */
void callgraph_spend(struct callgraph *graph, uint32_t function,
    unsigned long long cost);

/*
 * Returns the call of `to` by `from`, at first without cost; valid until the
 * next call of this.
 */
struct graph_call *callgraph_call(struct callgraph *graph, uint32_t from,
    uint32_t to);

/*
 * Infers the stacks of a graph, and adds them: each path of calls from a
 * function without a caller becomes a stack, with its part of the last
 * function's own cost.
 */
void callpaths_add(const struct callgraph *graph, struct stacks *stacks);

/* Returns a + b, or the largest number if that is more. */
static inline unsigned long long
call_sum(unsigned long long a, unsigned long long b)
{
	return a + b < a ? ~0ULL : a + b;
}

/*
 * Functions that reach each other are a cycle; one that is in no such group is
 * a cycle of one.
 */

/* The most frames of a stack; a longer one loses those before the last. */
#define CALL_DEPTH	1000

/*
 * Calls sorted by caller, or by callee.  Function f has those from starts[f] up
 * to starts[f + 1].
 */
struct call_list {
	uint32_t *calls;	/* their numbers */
	uint32_t *starts;	/* one more than there are functions */
	bool by_callee;
};

/* A function as a part of its cycle. */
struct call_member {
	uint32_t cycle;		/* its number */
	uint32_t via;		/* the call to it on the way from the root */
	uint32_t level;		/* calls on this way */
	uint32_t next;		/* the next call to follow */
};

struct call_cycle {
	uint32_t start, end;	/* of its functions in the order */
	uint32_t root;		/* where its last search for ways began */
};

struct callcycles {
	const struct callgraph *graph;
	struct call_list out, in;	/* by caller, and by callee */
	struct call_member *members;	/* by function */
	struct call_cycle *cycles;	/* callers before their callees */
	uint32_t count;
	uint32_t *order;		/* functions, cycle by cycle */
	uint32_t *queue;
	uint64_t steps;			/* of all searches */
};

void callcycles_init(struct callcycles *all, const struct callgraph *graph);
void callcycles_free(struct callcycles *all);

/*
 * Stores the functions on the way from one to another of its cycle, each once,
 * and returns their number.  If there are more than `most` (1 to CALL_DEPTH),
 * those before the last are left out.
 */
uint32_t callcycles_way(struct callcycles *all, uint32_t from, uint32_t to,
    uint32_t *way, uint32_t most);

#endif
