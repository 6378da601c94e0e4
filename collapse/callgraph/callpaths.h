/*
 * callpaths: infers the stacks of a call graph.
 *
 * Each path of calls from a function without a caller becomes a stack, with its
 * part of the last function's own cost.
 */
#ifndef CALLPATHS_H
#define CALLPATHS_H

#include "callgraph.h"
#include "fold/stacks.h"

/* Adds the stacks of a graph with its costs. */
void callpaths_add(const struct callgraph *graph, struct stacks *stacks);

#endif
