/*
 * callflow: shares what was spent in each function of a call graph among those
 * that called it, in proportion to what each spent in it; what comes out has no
 * cycles.
 *
 *	parse 600  called by main, 500, and by test, 100
 *	read  300  called by parse: 250 of them are main's, 50 test's
 *
 * All numbers are whole, and add up.  Where those of the graph do, too, a call
 * that is in no cycle keeps its cost.
 */
#ifndef CALLFLOW_H
#define CALLFLOW_H

#include "callgraph.h"
#include "callnodes.h"

/* Makes nodes of the functions, with their calls listed. */
void callflow_init(struct callnodes *nodes, const struct callgraph *graph);

#endif
