/*
 * callpaths: infers the stacks of a call graph.
 *
 * Each path of calls from a function without a caller becomes a stack, with its
 * part of the last function's own cost.  If half of the cost of read is due to
 * a path, and a third of the cost of seek to calls by read, the path through
 * read to seek gets a sixth.
 *
 * There may be any number of paths.  So the cost of a small one, of less than
 * 1/CALLPATHS_SHARES of all cost, is not shared out to all that its last
 * function calls: the path goes on in one call, or in as few as can take its
 * cost.  So the number of paths is bounded, and the sum of the stacks of each
 * function, and of each call, is still right.
 */
#ifndef CALLPATHS_H
#define CALLPATHS_H

#include "callgraph.h"
#include "fold/stacks.h"

#define CALLPATHS_SHARES	16384

/* The most frames of a stack; a longer one loses those before the last. */
#define CALLPATHS_DEPTH		1000

/* Adds the stacks of a graph, which count its costs. */
void callpaths_add(const struct callgraph *graph, struct stacks *stacks);

#endif
