/*
 * callcycles: finds the functions of a call graph that reach each other, which
 * are a cycle, and the shortest ways of calls inside a cycle.
 *
 * A function that is in no such group is a cycle of one.
 */
#ifndef CALLCYCLES_H
#define CALLCYCLES_H

#include "callgraph.h"

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
 * and returns their number.  If there are more than `most`, which is 1 to
 * CALL_DEPTH, those before the last are left out.
 */
uint32_t callcycles_way(struct callcycles *all, uint32_t from, uint32_t to,
    uint32_t *way, uint32_t most);

#endif
