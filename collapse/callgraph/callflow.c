#include "callcycle.h"
#include "callflow.h"

void
callflow_init(struct callnodes *nodes, const struct callgraph *graph)
{
	struct callorder order;
	struct callshares shares;
	struct callcycle cycle;
	uint32_t number;

	callnodes_init(nodes);
	callorder_init(&order, graph);
	callshares_init(&shares, nodes, &order);
	callcycle_init(&cycle, &shares);
	for (number = 0; number < order.cycles; number++) {
		if (!callshares_collect(&shares, number))
			continue;
		if (callorder_size(&order, number) > 1)
			callcycle_add(&cycle, number);
		else
			callshares_add(&shares,
			    order.members[order.starts[number]]);
	}
	callnodes_list(nodes);
	callcycle_free(&cycle);
	callshares_free(&shares);
	callorder_free(&order);
}
