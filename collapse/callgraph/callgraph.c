#include <stdlib.h>

#include "callgraph.h"

void
callgraph_init(struct callgraph *graph, bool is_detailed)
{
	*graph = (struct callgraph){ .is_detailed = is_detailed };
	pairs_init(&graph->pairs);
}

void
callgraph_free(struct callgraph *graph)
{
	free(graph->functions);
	free(graph->calls);
	pairs_free(&graph->pairs);
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

struct call *
callgraph_call(struct callgraph *graph, uint32_t from, uint32_t to)
{
	uint32_t number = pairs_add(&graph->pairs, from, to);

	if (number == graph->call_count) {
		graph->calls = mem_grow(graph->calls, &graph->call_room,
		    (size_t)number + 1, sizeof(*graph->calls));
		graph->calls[number] = (struct call){ from, to, 0, 0 };
		graph->call_count++;
		graph->functions[from].calls_itself |= from == to;
	}
	return &graph->calls[number];
}
