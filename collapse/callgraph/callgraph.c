#include <stdlib.h>

#include "callgraph.h"

void
callgraph_init(struct callgraph *graph, bool is_detailed)
{
	*graph = (struct callgraph){ .is_detailed = is_detailed };
	intmap_init(&graph->numbers);
}

void
callgraph_free(struct callgraph *graph)
{
	free(graph->functions);
	free(graph->calls);
	intmap_free(&graph->numbers);
}

uint32_t
callgraph_add(struct callgraph *graph, uint32_t frame)
{
	graph->functions = mem_grow(graph->functions, &graph->room,
	    (size_t)graph->count + 1, sizeof(*graph->functions));
	graph->functions[graph->count] = (struct call_function){
	    .frame = frame };
	return graph->count++;
}

void
callgraph_spend(struct callgraph *graph, uint32_t function,
    unsigned long long cost)
{
	if (graph->total + cost < cost) {
		graph->overflowed = true;
		return;
	}
	graph->total += cost;
	graph->functions[function].self += cost;
}

/*
 * A profile of several parts has the same calls in the same order in each.  The
 * call after the one that was found last is tried first, which saves a third of
 * the time of reading callgrind's files.
 */
struct graph_call *
callgraph_call(struct callgraph *graph, uint32_t from, uint32_t to)
{
	uint32_t next = graph->last + 1, *number;

	if (next < graph->call_count && graph->calls[next].from == from &&
	    graph->calls[next].to == to) {
		graph->last = next;
		return &graph->calls[next];
	}
	number = intmap_at(&graph->numbers, intmap_pair(from, to));
	if (*number == 0) {
		graph->calls = mem_grow(graph->calls, &graph->call_room,
		    (size_t)graph->call_count + 1, sizeof(*graph->calls));
		graph->calls[graph->call_count] =
		    (struct graph_call){ from, to, 0, 0 };
		*number = ++graph->call_count;
		graph->functions[from].calls_itself |= from == to;
	}
	graph->last = *number - 1;
	return &graph->calls[graph->last];
}
