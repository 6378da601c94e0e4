/*
 * pystats: what Python's profilers save of each function, as pstats reads it: a
 * dictionary from functions, which are a file, a line and a name, to
 *
 *	(primitive calls, calls, own time, cumulative time, callers)
 *
 * of which the callers are a dictionary, too, from functions to
 *
 *	(calls, primitive calls, own time, cumulative time)
 *
 * as cProfile has it, or to a number of calls, as profile does.
 */
#ifndef PYSTATS_H
#define PYSTATS_H

#include "collapse/callgraph/callgraph.h"
#include "lib/table.h"
#include "marshal.h"

/* Functions of one profile after the other, as one call graph. */
struct pystats {
	struct callgraph graph;
	struct table texts;		/* files and names */
	struct table functions;		/* by file, line and name */
	bool counts_calls;		/* instead of microseconds */
	bool has_negative;		/* times */
	/* Returns the number of a function's frame. */
	uint32_t (*frame)(void *context, struct str file, int64_t line,
	    struct str name);
	void *context;
};

/* Begins without functions, with counts_calls, frame and context set. */
void pystats_init(struct pystats *stats);
void pystats_free(struct pystats *stats);

/*
 * Reads the next profile and adds it; returns NULL, or why it is none.  If it
 * is damaged marshal->trouble says why.
 */
const char *pystats_add(struct pystats *stats, struct marshal *marshal);

#endif
