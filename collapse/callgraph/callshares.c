#include <stdlib.h>

#include "callshares.h"
#include "share.h"

void
callshares_init(struct callshares *shares, struct callnodes *nodes,
    const struct callorder *order)
{
	*shares = (struct callshares){
		.nodes = nodes, .order = order, .graph = order->graph,
		.parts = mem_array(order->graph->call_count,
		    sizeof(struct call_part)),
	};
}

void
callshares_free(struct callshares *shares)
{
	free(shares->parts);
	free(shares->entries);
	free(shares->spent);
}

static void
add_entry(struct callshares *shares, struct call_entry entry)
{
	shares->entries = mem_grow(shares->entries, &shares->entry_room,
	    (size_t)shares->entered + 1, sizeof(*shares->entries));
	shares->entries[shares->entered++] = entry;
}

static void
add_spent(struct callshares *shares, struct call_spent spent)
{
	if (spent.self == 0 && spent.rest == 0)
		return;
	shares->spent = mem_grow(shares->spent, &shares->spent_room,
	    (size_t)shares->spendings + 1, sizeof(*shares->spent));
	shares->spent[shares->spendings++] = spent;
}

/* Collects what a function spends, itself and in calls out of its cycle. */
static void
collect_spent(struct callshares *shares, uint32_t function)
{
	const struct call_list *out = &shares->order->out;
	uint64_t self = shares->graph->functions[function].self;
	const struct call_part *part;
	uint32_t i, call;

	shares->self += self;
	add_spent(shares, (struct call_spent){ NO_CALL, function, self, 0 });
	for (i = out->starts[function]; i < out->starts[function + 1]; i++) {
		call = out->calls[i];
		if (callshares_inside(shares, call))
			continue;
		part = &shares->parts[call];
		shares->rest += part->self + part->rest;
		add_spent(shares, (struct call_spent){ call, function,
		    part->self, part->rest });
	}
}

/* Collects the calls by which a function is entered from outside. */
static void
collect_entries(struct callshares *shares, uint32_t function)
{
	const struct call_list *in = &shares->order->in;
	const struct call_function *known =
	    &shares->graph->functions[function];
	const struct call *call;
	uint32_t i;

	for (i = in->starts[function]; i < in->starts[function + 1]; i++) {
		call = &shares->graph->calls[in->calls[i]];
		if (!callshares_inside(shares, in->calls[i]))
			add_entry(shares, (struct call_entry){ in->calls[i],
			    function, call->cost, call->self, 0, 0 });
	}
	if (known->root > 0)
		add_entry(shares, (struct call_entry){ NO_CALL, function,
		    known->root, known->root_self, 0, 0 });
}

/* Returns what the graph says was spent in a function in all. */
static uint64_t
total_of(const struct callshares *shares, uint32_t function)
{
	const struct call_list *out = &shares->order->out;
	uint64_t total = shares->graph->functions[function].self;
	uint32_t i;

	for (i = out->starts[function]; i < out->starts[function + 1]; i++)
		total = call_sum(total,
		    shares->graph->calls[out->calls[i]].cost);
	return total;
}

/* Returns the function of a cycle in which most was spent. */
static uint32_t
find_heaviest(const struct callshares *shares, uint32_t cycle)
{
	const struct callorder *order = shares->order;
	uint32_t i = order->starts[cycle], heaviest = order->members[i];
	uint64_t most = 0, total;

	if (callorder_size(order, cycle) == 1)
		return heaviest;
	for (; i < order->starts[cycle + 1]; i++) {
		total = total_of(shares, order->members[i]);
		if (total > most) {
			most = total;
			heaviest = order->members[i];
		}
	}
	return heaviest;
}

/* Adds, as an entry, what was spent without a call that is known. */
static void
add_unknown(struct callshares *shares, uint32_t cycle)
{
	uint64_t spent = shares->self + shares->rest, known = 0;
	uint32_t i;

	for (i = 0; i < shares->entered; i++)
		known = call_sum(known, shares->entries[i].cost);
	if (shares->entered == 0 ||
	    (known < spent && !shares->graph->is_detailed))
		add_entry(shares, (struct call_entry){ NO_CALL,
		    find_heaviest(shares, cycle), spent - known, 0, 0, 0 });
}

bool
callshares_collect(struct callshares *shares, uint32_t cycle)
{
	const struct callorder *order = shares->order;
	uint32_t i;

	shares->spendings = shares->entered = 0;
	shares->self = shares->rest = 0;
	for (i = order->starts[cycle]; i < order->starts[cycle + 1]; i++)
		collect_spent(shares, order->members[i]);
	if (shares->self + shares->rest == 0)
		return false;
	for (i = order->starts[cycle]; i < order->starts[cycle + 1]; i++)
		collect_entries(shares, order->members[i]);
	add_unknown(shares, cycle);
	return true;
}

void
callshares_divide(struct callshares *shares)
{
	struct share share = { .left = shares->self + shares->rest };
	uint32_t i;

	for (i = 0; i < shares->entered; i++)
		share_weigh(&share, shares->entries[i].cost);
	for (i = 0; i < shares->entered; i++)
		shares->entries[i].share = share_take(&share,
		    shares->entries[i].cost);
}

static uint64_t
rest_of(const struct call_entry *entry)
{
	return entry->cost > entry->self ? entry->cost - entry->self : 0;
}

/* Divides by what each entry tells of the function, and of what it calls. */
static void
divide_details(struct callshares *shares)
{
	struct share own = { .left = shares->self };
	struct share others = { .left = shares->rest };
	struct call_entry *entry, *end = shares->entries + shares->entered;

	for (entry = shares->entries; entry < end; entry++) {
		share_weigh(&own, entry->self);
		share_weigh(&others, rest_of(entry));
	}
	for (entry = shares->entries; entry < end; entry++) {
		entry->self_share = share_take(&own, entry->self);
		entry->share = entry->self_share +
		    share_take(&others, rest_of(entry));
	}
}

uint64_t
callshares_take(uint64_t *self, uint64_t *left, uint64_t share)
{
	uint64_t due = *left > 0 ? share_of(*self, share, *left) : 0;

	*self -= due;
	*left -= share;
	return due;
}

/* Divides the costs of the function itself as all its costs are. */
static void
divide_alike(struct callshares *shares)
{
	uint64_t self = shares->self, left = self + shares->rest;
	uint32_t i;

	callshares_divide(shares);
	for (i = 0; i < shares->entered; i++)
		shares->entries[i].self_share = callshares_take(&self, &left,
		    shares->entries[i].share);
}

void
callshares_pass(struct callshares *shares, const struct call_entry *entry,
    uint32_t node)
{
	uint64_t rest = entry->share - entry->self_share;

	if (entry->call == NO_CALL)
		callnodes_call(shares->nodes, (struct node_call){ NODE_ROOT,
		    node, entry->self_share, rest });
	else
		shares->parts[entry->call] = (struct call_part){ node,
		    entry->self_share, rest };
}

void
callshares_add(struct callshares *shares, uint32_t function)
{
	const struct call_function *own = &shares->graph->functions[function];
	uint32_t node = callnodes_add(shares->nodes, own->frame), i;
	const struct call_spent *spent;

	for (i = 0; i < shares->spendings; i++) {
		spent = &shares->spent[i];
		if (spent->call != NO_CALL)
			callnodes_call(shares->nodes, (struct node_call){ node,
			    shares->parts[spent->call].node, spent->self,
			    spent->rest });
	}
	/* What its callers tell of it itself is not of the calls by itself. */
	if (shares->graph->is_detailed && !own->calls_itself)
		divide_details(shares);
	else
		divide_alike(shares);
	for (i = 0; i < shares->entered; i++)
		callshares_pass(shares, &shares->entries[i], node);
}
