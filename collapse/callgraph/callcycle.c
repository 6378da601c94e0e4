#include <stdlib.h>

#include "callcycle.h"
#include "share.h"

/*
 * A function by which a cycle is entered has nodes of its own if this part of
 * all cost enters there, and if cycles do not become more nodes and calls than
 * so many, about.  Else the one where most enters stands in for it.
 */
#define LEAST_ENTRANCE	1000
#define MOST_COPIES	((uint32_t)1 << 20)

/* Returns how many functions and calls all cycles have. */
static uint32_t
count_parts(const struct callorder *order)
{
	const uint32_t *starts = order->out.starts;
	uint32_t count = 0, function;

	for (function = 0; function < order->graph->count; function++)
		if (callorder_size(order, order->cycle[function]) > 1)
			count += 1 + starts[function + 1] - starts[function];
	return count;
}

void
callcycle_init(struct callcycle *cycle, struct callshares *shares)
{
	size_t count = shares->graph->count;

	*cycle = (struct callcycle){
		.shares = shares,
		.members = mem_array(count, sizeof(*cycle->members)),
		.least = shares->graph->total / LEAST_ENTRANCE,
		.most_entrances = MOST_COPIES /
		    (count_parts(shares->order) + 1) + 1,
		.ranked = mem_array(count, sizeof(*cycle->ranked)),
		.rank = mem_array(count, sizeof(*cycle->rank)),
	};
}

void
callcycle_free(struct callcycle *cycle)
{
	free(cycle->members);
	free(cycle->ranked);
	free(cycle->rank);
}

/* Shares out to an entrance what is its part of all that was spent. */
static void
share_spent(struct callcycle *cycle, uint64_t incoming, uint32_t base)
{
	struct callshares *shares = cycle->shares;
	uint64_t whole = cycle->left, cost, due, self;
	struct cycle_member *member;
	struct call_spent *spent;
	uint32_t i;

	cycle->left -= incoming;
	for (i = 0; i < shares->spendings && incoming > 0; i++) {
		spent = &shares->spent[i];
		member = &cycle->members[spent->function];
		cost = spent->self + spent->rest;
		due = callshares_take(&incoming, &whole, cost);
		self = callshares_take(&spent->self, &cost, due);
		spent->rest -= due - self;
		if (spent->call == NO_CALL) {
			member->self += due;
			continue;
		}
		member->rest += due;
		callnodes_call(shares->nodes, (struct node_call){
		    base + cycle->rank[spent->function],
		    shares->parts[spent->call].node, self, due - self });
	}
}

/* Returns the next call inside the cycle, up to end, that leads forward. */
static uint32_t
next_forward(const struct callcycle *cycle, uint32_t i, uint32_t end)
{
	const struct callshares *shares = cycle->shares;
	const struct call *call;

	for (; i < end; i++) {
		call = &shares->graph->calls[shares->order->in.calls[i]];
		if (cycle->rank[call->from] < cycle->rank[call->to])
			break;
	}
	return i;
}

/* Shares a node's cost among the nodes of the cycle that call it. */
static void
share_node(struct callcycle *cycle, uint32_t function, uint32_t base)
{
	const struct callorder *order = cycle->shares->order;
	const struct call_list *in = &order->in;
	const struct call *calls = cycle->shares->graph->calls, *call;
	const struct cycle_member *member = &cycle->members[function];
	uint64_t self = member->self, left = self + member->rest, due, own;
	struct share share = { .left = left };
	uint32_t start = in->starts[function], i;
	uint32_t end = start + order->inside[function];

	for (i = start; (i = next_forward(cycle, i, end)) < end; i++)
		share_weigh(&share, calls[in->calls[i]].cost);
	for (i = start; (i = next_forward(cycle, i, end)) < end; i++) {
		call = &calls[in->calls[i]];
		due = share_take(&share, call->cost);
		own = callshares_take(&self, &left, due);
		cycle->members[call->from].rest += due;
		callnodes_call(cycle->shares->nodes, (struct node_call){
		    base + cycle->rank[call->from],
		    base + cycle->rank[function], own, due - own });
	}
}

/* Makes nodes of the functions for what enters the cycle at one of them. */
static void
unfold(struct callcycle *cycle, uint32_t entrance, uint32_t size)
{
	struct callnodes *nodes = cycle->shares->nodes;
	struct cycle_member *member = &cycle->members[entrance];
	uint32_t base = nodes->count, i, function;

	callorder_rank(cycle->shares->order, entrance, cycle->ranked,
	    cycle->rank);
	for (i = 0; i < size; i++) {
		function = cycle->ranked[i];
		cycle->members[function].self = 0;
		cycle->members[function].rest = 0;
		callnodes_add(nodes,
		    cycle->shares->graph->functions[function].frame);
	}
	share_spent(cycle, member->incoming, base);
	for (i = size - 1; i > 0; i--)
		share_node(cycle, cycle->ranked[i], base);
	member->node = base;
	member->self_left = member->self;
}

/* Finds what enters the cycle where; returns the function where most does. */
static uint32_t
find_entrances(struct callcycle *cycle, const uint32_t *functions,
    uint32_t size)
{
	const struct callshares *shares = cycle->shares;
	struct cycle_member *members = cycle->members;
	uint32_t i, most = functions[0];

	for (i = 0; i < size; i++)
		members[functions[i]] = (struct cycle_member){
		    .stand_in = functions[i] };
	for (i = 0; i < shares->entered; i++)
		members[shares->entries[i].function].incoming +=
		    shares->entries[i].share;
	for (i = 0; i < size; i++)
		if (members[functions[i]].incoming > members[most].incoming)
			most = functions[i];
	return most;
}

/* Has one function stand in for all where little enters. */
static void
merge_entrances(struct callcycle *cycle, const uint32_t *functions,
    uint32_t size, uint32_t most)
{
	struct cycle_member *member;
	uint32_t i, count = 1;

	for (i = 0; i < size; i++) {
		member = &cycle->members[functions[i]];
		if (member->incoming == 0 || functions[i] == most ||
		    (member->incoming >= cycle->least &&
		    count++ < cycle->most_entrances))
			continue;
		cycle->members[most].incoming += member->incoming;
		member->incoming = 0;
		member->stand_in = most;
	}
}

void
callcycle_add(struct callcycle *cycle, uint32_t number)
{
	struct callshares *shares = cycle->shares;
	const uint32_t *functions = shares->order->members +
	    shares->order->starts[number];
	uint32_t size = callorder_size(shares->order, number), i;
	struct cycle_member *members = cycle->members, *member;
	struct call_entry *entry;

	cycle->left = shares->self + shares->rest;
	callshares_divide(shares);
	merge_entrances(cycle, functions, size,
	    find_entrances(cycle, functions, size));
	for (i = 0; i < size; i++)
		if (members[functions[i]].incoming > 0)
			unfold(cycle, functions[i], size);
	for (i = 0; i < shares->entered; i++) {
		entry = &shares->entries[i];
		member = &members[members[entry->function].stand_in];
		entry->self_share = callshares_take(&member->self_left,
		    &member->incoming, entry->share);
		callshares_pass(shares, entry, member->node);
	}
}
