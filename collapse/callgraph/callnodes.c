#include <stdlib.h>

#include "callnodes.h"

void
callnodes_init(struct callnodes *nodes)
{
	*nodes = (struct callnodes){ .room = 0 };
	callnodes_add(nodes, 0);
}

void
callnodes_free(struct callnodes *nodes)
{
	free(nodes->nodes);
	free(nodes->calls);
}

uint32_t
callnodes_add(struct callnodes *nodes, uint32_t frame)
{
	nodes->nodes = mem_grow(nodes->nodes, &nodes->room,
	    (size_t)nodes->count + 1, sizeof(*nodes->nodes));
	nodes->nodes[nodes->count] = (struct call_node){ .frame = frame };
	return nodes->count++;
}

void
callnodes_call(struct callnodes *nodes, struct node_call call)
{
	if (node_cost(&call) == 0)
		return;
	nodes->calls = mem_grow(nodes->calls, &nodes->call_room,
	    (size_t)nodes->call_count + 1, sizeof(*nodes->calls));
	nodes->calls[nodes->call_count++] = call;
}

/* Compares calls: those by one node come together, the most cost first. */
static int
compare_calls(const void *left, const void *right)
{
	const struct node_call *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (node_cost(a) != node_cost(b))
		return node_cost(a) > node_cost(b) ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

void
callnodes_list(struct callnodes *nodes)
{
	uint32_t node, i = 0;

	if (nodes->call_count > 0)
		qsort(nodes->calls, nodes->call_count, sizeof(*nodes->calls),
		    compare_calls);
	for (node = 0; node < nodes->count; node++) {
		nodes->nodes[node].start = i;
		while (i < nodes->call_count && nodes->calls[i].from == node)
			i++;
		nodes->nodes[node].end = i;
	}
}
