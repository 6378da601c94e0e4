/*
 * callpaths: infers the stacks of a call graph.
 *
 * Each path of calls from a function without a caller becomes a stack, with the
 * part of its last function's own cost that is due to the path: that function
 * has spent a third of its cost in calls by the one before it, say, of whose
 * cost a half is due to the path.
 *
 * There may be any number of paths, so one of less than a part of all cost,
 * 1/CALLPATHS_SHARES, is not shared out to all that its last function calls:
 * it goes on in one call, or in as few as can take it.  So their number is
 * bounded, and each function's own cost, and each call's, is still the sum of
 * its stacks.
 */
#ifndef CALLPATHS_H
#define CALLPATHS_H

#include "callgraph.h"
#include "fold/stacks.h"

#define CALLPATHS_SHARES	16384

/* The most frames of a stack; of a longer one those before the last go. */
#define CALLPATHS_DEPTH		1000

/* Adds the stacks of a graph, which count what it spent, in its unit. */
void callpaths_add(const struct callgraph *graph, struct stacks *stacks);

#endif
