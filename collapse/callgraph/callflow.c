/*
 * Functions are put in an order in which each comes after those that it calls.
 * Functions that call each other, a cycle, have one place in it.  So the cost
 * of a function, with its calls, is known when it is shared out among its
 * callers.
 *
 * A function of a cycle has a node for each function by which the cycle is
 * entered.  The calls between these nodes lead from the entrance to the
 * functions that it calls most, and on from there, and not back, so that no
 * stack has a function twice.  The graph does not say how much of a cost in the
 * cycle is due to which entrance, so each entrance gets its part of every cost.
 */
#include <stdlib.h>

#include "callflow.h"
#include "share.h"

#define UNSEEN	UINT32_MAX

/* The calls of each function by one of their ends; f's are at starts[f]. */
struct call_list {
	uint32_t *calls;	/* their numbers */
	uint32_t *starts;	/* one more than there are functions */
};

struct call_order {
	const struct callgraph *graph;
	struct call_list out;	/* by caller */
	struct call_list in;	/* by callee, its own cycle's calls first */
	uint32_t *inside;	/* by function: how many of these there are */
	uint32_t *cycle;	/* by function: the number of its cycle, in
				   which it may be alone */
	uint32_t *members;	/* functions, cycle by cycle */
	uint32_t *starts;	/* where each cycle begins in members */
	uint32_t cycles;
};

#define NO_CALL	UINT32_MAX

/* A call, or NO_CALL, by which a function is entered from outside. */
struct call_entry {
	uint32_t call, function;
	uint64_t cost, self;		/* its weights */
	uint64_t share, self_share;	/* what it gets of all, and of self */
};

/* A cost: of a function itself (NO_CALL), or of a call out of its cycle. */
struct call_spent {
	uint32_t call, function;
	uint64_t self, rest;
};

/* The share of a call. */
struct call_part {
	uint32_t node;
	uint64_t self, rest;
};

struct call_shares {
	struct callflow *flow;
	const struct callgraph *graph;
	const struct call_order *order;
	struct call_part *parts;	/* by call */
	/* of the function or the cycle at hand */
	struct call_entry *entries;
	struct call_spent *spent;
	uint32_t entered, spendings;
	size_t entry_room, spent_room;
	uint64_t self, rest;		/* sums of `spent` */
};

/* A function of a cycle. */
struct cycle_member {
	uint64_t incoming;	/* cost that enters the cycle here */
	uint32_t stand_in;	/* the function where it enters instead */
	uint32_t node;		/* its node if the cycle is entered here */
	uint64_t self_left;	/* that node's own cost, not yet shared */
	uint64_t self, rest;	/* of its node for the entrance at hand */
};

struct call_cycles {
	struct call_shares *shares;
	struct cycle_member *members;	/* by function */
	uint64_t least;			/* incoming cost of an entrance */
	uint32_t most_entrances;
	uint64_t left;			/* cost of the cycle, not yet shared */
	uint32_t *ranked, *rank;	/* see rank_functions */
};

/*
 * Order.
 */

/* Returns the end of a call that is a list's key. */
static uint32_t
key_of(const struct graph_call *call, bool by_callee)
{
	return by_callee ? call->to : call->from;
}

/* Lists the calls in their order, except those of functions by themselves. */
static struct call_list
list_calls(const struct callgraph *graph, bool by_callee)
{
	struct call_list list = {
		mem_array(graph->call_count, sizeof(uint32_t)),
		mem_array((size_t)graph->count + 2, sizeof(uint32_t)),
	};
	const struct graph_call *call;
	uint32_t i;

	for (i = 0; i < graph->call_count; i++) {
		call = &graph->calls[i];
		if (call->from != call->to)
			list.starts[key_of(call, by_callee) + 2]++;
	}
	for (i = 2; i < graph->count + 2; i++)
		list.starts[i] += list.starts[i - 1];
	for (i = 0; i < graph->call_count; i++) {
		call = &graph->calls[i];
		if (call->from != call->to)
			list.calls[list.starts[key_of(call, by_callee) +
			    1]++] = i;
	}
	return list;
}

/* Tarjan's search for cycles, which keeps its path of calls in memory. */
struct cycle_search {
	struct call_order *order;
	uint32_t *number;	/* by function: when it was found */
	uint32_t *lowest;	/* the lowest number that it reaches */
	uint32_t *next;		/* its next call to follow */
	uint32_t *path, depth;
	uint32_t *open, opened;	/* functions whose cycle is not known */
	uint32_t found;
};

static void
enter(struct cycle_search *search, uint32_t function)
{
	search->number[function] = search->lowest[function] = search->found++;
	search->next[function] = search->order->out.starts[function];
	search->path[search->depth++] = function;
	search->open[search->opened++] = function;
}

/* Ends the cycle of its first function, with all that were opened since. */
static void
end_cycle(struct cycle_search *search, uint32_t first)
{
	struct call_order *order = search->order;
	uint32_t end = order->starts[order->cycles], function;

	do {
		function = search->open[--search->opened];
		order->cycle[function] = order->cycles;
		order->members[end++] = function;
	} while (function != first);
	order->starts[++order->cycles] = end;
}

static void
reach(struct cycle_search *search, uint32_t function, uint32_t number)
{
	if (number < search->lowest[function])
		search->lowest[function] = number;
}

/* Leaves the function at the end of the path. */
static void
leave(struct cycle_search *search)
{
	uint32_t function = search->path[--search->depth];

	if (search->lowest[function] == search->number[function])
		end_cycle(search, function);
	if (search->depth > 0)
		reach(search, search->path[search->depth - 1],
		    search->lowest[function]);
}

/* Follows the calls of functions from this one on. */
static void
search_from(struct cycle_search *search, uint32_t start)
{
	const struct call_order *order = search->order;
	uint32_t function, to;

	enter(search, start);
	while (search->depth > 0) {
		function = search->path[search->depth - 1];
		if (search->next[function] ==
		    order->out.starts[function + 1]) {
			leave(search);
			continue;
		}
		to = order->graph->calls[order->out.calls[
		    search->next[function]++]].to;
		if (search->number[to] == UNSEEN)
			enter(search, to);
		else if (order->cycle[to] == UNSEEN)
			reach(search, function, search->number[to]);
	}
}

/* Returns an array of numbers that are all the same. */
static uint32_t *
numbers(size_t count, uint32_t value)
{
	uint32_t *array = mem_array(count, sizeof(*array));
	size_t i;

	for (i = 0; i < count; i++)
		array[i] = value;
	return array;
}

/* Brings the calls of each function by its own cycle before the others. */
static void
sort_inside(struct call_order *order)
{
	uint32_t *calls = order->in.calls, function, i, end, first, call;

	for (function = 0; function < order->graph->count; function++) {
		first = order->in.starts[function];
		end = order->in.starts[function + 1];
		for (i = first; i < end; i++) {
			call = calls[i];
			if (order->cycle[order->graph->calls[call].from] !=
			    order->cycle[function])
				continue;
			calls[i] = calls[first];
			calls[first++] = call;
		}
		order->inside[function] = first - order->in.starts[function];
	}
}

/* Finds the order, in which calls of a function by itself do not count. */
static void
order_init(struct call_order *order, const struct callgraph *graph)
{
	size_t count = graph->count;
	struct cycle_search search = {
		.order = order,
		.number = numbers(count, UNSEEN),
		.lowest = numbers(count, 0),
		.next = numbers(count, 0),
		.path = numbers(count, 0),
		.open = numbers(count, 0),
	};
	uint32_t i;

	*order = (struct call_order){
		.graph = graph,
		.out = list_calls(graph, false),
		.in = list_calls(graph, true),
		.inside = numbers(count, 0),
		.cycle = numbers(count, UNSEEN),
		.members = numbers(count, 0),
		.starts = numbers(count + 1, 0),
	};
	for (i = 0; i < graph->count; i++)
		if (search.number[i] == UNSEEN)
			search_from(&search, i);
	sort_inside(order);
	free(search.number);
	free(search.lowest);
	free(search.next);
	free(search.path);
	free(search.open);
}

static void
order_free(struct call_order *order)
{
	free(order->out.calls);
	free(order->out.starts);
	free(order->in.calls);
	free(order->in.starts);
	free(order->inside);
	free(order->cycle);
	free(order->members);
	free(order->starts);
}

/* Calls that lead on in a cycle: a heap of numbers, the heaviest first. */
struct heap {
	const struct graph_call *calls;
	uint32_t *numbers;
	size_t count, room;
};

/* True if call a is followed before call b. */
static bool
precedes(const struct heap *heap, uint32_t a, uint32_t b)
{
	if (heap->calls[a].cost != heap->calls[b].cost)
		return heap->calls[a].cost > heap->calls[b].cost;
	return a < b;
}

static void
heap_add(struct heap *heap, uint32_t number)
{
	size_t at = heap->count, above;

	heap->numbers = mem_grow(heap->numbers, &heap->room, heap->count + 1,
	    sizeof(*heap->numbers));
	heap->count++;
	for (; at > 0; at = above) {
		above = (at - 1) / 2;
		if (!precedes(heap, number, heap->numbers[above]))
			break;
		heap->numbers[at] = heap->numbers[above];
	}
	heap->numbers[at] = number;
}

static uint32_t
heap_take(struct heap *heap)
{
	uint32_t first = heap->numbers[0], last = heap->numbers[--heap->count];
	size_t at = 0, below;

	for (; (below = 2 * at + 1) < heap->count; at = below) {
		if (below + 1 < heap->count && precedes(heap,
		    heap->numbers[below + 1], heap->numbers[below]))
			below++;
		if (!precedes(heap, heap->numbers[below], last))
			break;
		heap->numbers[at] = heap->numbers[below];
	}
	heap->numbers[at] = last;
	return first;
}

/* Returns the number of functions in a cycle. */
static uint32_t
cycle_size(const struct call_order *order, uint32_t cycle)
{
	return order->starts[cycle + 1] - order->starts[cycle];
}

/*
 * Ranks the functions of a cycle that is entered at `entry`.  That is the first
 * one; the next one is always reached by the heaviest call from those before
 * it.  Stores them in this order in `ranked`, and their places in `rank`.
 */
static void
rank_functions(const struct call_order *order, uint32_t entry,
    uint32_t *ranked, uint32_t *rank)
{
	struct heap heap = { .calls = order->graph->calls };
	uint32_t cycle = order->cycle[entry], done = 0, i, call, to = entry;
	const uint32_t *starts = order->out.starts;

	for (i = order->starts[cycle]; i < order->starts[cycle + 1]; i++)
		rank[order->members[i]] = UNSEEN;
	for (;;) {
		if (rank[to] == UNSEEN) {
			rank[to] = done;
			ranked[done++] = to;
			for (i = starts[to]; i < starts[to + 1]; i++) {
				call = order->out.calls[i];
				if (order->cycle[heap.calls[call].to] == cycle)
					heap_add(&heap, call);
			}
		}
		if (heap.count == 0)
			break;
		to = heap.calls[heap_take(&heap)].to;
	}
	free(heap.numbers);
}

/*
 * Nodes.
 */

/* Adds a node, whose name has the number `frame`, and returns its number. */
static uint32_t
add_node(struct callflow *flow, uint32_t frame)
{
	flow->nodes = mem_grow(flow->nodes, &flow->room,
	    (size_t)flow->count + 1, sizeof(*flow->nodes));
	flow->nodes[flow->count] = (struct flow_node){ .frame = frame };
	return flow->count++;
}

/* Adds a call, unless it cost nothing. */
static void
add_call(struct callflow *flow, struct flow_call call)
{
	if (flow_cost(&call) == 0)
		return;
	flow->calls = mem_grow(flow->calls, &flow->call_room,
	    (size_t)flow->call_count + 1, sizeof(*flow->calls));
	flow->calls[flow->call_count++] = call;
}

/* Compares calls by their nodes; of one node the largest cost comes first. */
static int
compare_calls(const void *left, const void *right)
{
	const struct flow_call *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (flow_cost(a) != flow_cost(b))
		return flow_cost(a) > flow_cost(b) ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

/* Lists the calls of each node, the largest cost first. */
static void
list_by_node(struct callflow *flow)
{
	uint32_t node, i = 0;

	if (flow->call_count > 0)
		qsort(flow->calls, flow->call_count, sizeof(*flow->calls),
		    compare_calls);
	for (node = 0; node < flow->count; node++) {
		flow->nodes[node].start = i;
		while (i < flow->call_count && flow->calls[i].from == node)
			i++;
		flow->nodes[node].end = i;
	}
}

/*
 * Shares.
 */

static void
shares_init(struct call_shares *shares, struct callflow *flow,
    const struct call_order *order)
{
	*shares = (struct call_shares){
		.flow = flow, .order = order, .graph = order->graph,
		.parts = mem_array(order->graph->call_count,
		    sizeof(struct call_part)),
	};
}

static void
shares_free(struct call_shares *shares)
{
	free(shares->parts);
	free(shares->entries);
	free(shares->spent);
}

static void
add_entry(struct call_shares *shares, struct call_entry entry)
{
	shares->entries = mem_grow(shares->entries, &shares->entry_room,
	    (size_t)shares->entered + 1, sizeof(*shares->entries));
	shares->entries[shares->entered++] = entry;
}

static void
add_spent(struct call_shares *shares, struct call_spent spent)
{
	if (spent.self == 0 && spent.rest == 0)
		return;
	shares->spent = mem_grow(shares->spent, &shares->spent_room,
	    (size_t)shares->spendings + 1, sizeof(*shares->spent));
	shares->spent[shares->spendings++] = spent;
}

/* True if a call is between functions of one cycle. */
static bool
is_inside(const struct call_shares *shares, uint32_t number)
{
	const struct graph_call *call = &shares->graph->calls[number];

	return shares->order->cycle[call->from] ==
	    shares->order->cycle[call->to];
}

/* Collects the costs of a function itself and of its calls out of its cycle. */
static void
collect_spent(struct call_shares *shares, uint32_t function)
{
	const struct call_list *out = &shares->order->out;
	uint64_t self = shares->graph->functions[function].self;
	const struct call_part *part;
	uint32_t i, call;

	shares->self += self;
	add_spent(shares, (struct call_spent){ NO_CALL, function, self, 0 });
	for (i = out->starts[function]; i < out->starts[function + 1]; i++) {
		call = out->calls[i];
		if (is_inside(shares, call))
			continue;
		part = &shares->parts[call];
		shares->rest += part->self + part->rest;
		add_spent(shares, (struct call_spent){ call, function,
		    part->self, part->rest });
	}
}

/* Collects the calls by which a function is entered from outside. */
static void
collect_entries(struct call_shares *shares, uint32_t function)
{
	const struct call_list *in = &shares->order->in;
	const struct call_function *known =
	    &shares->graph->functions[function];
	const struct graph_call *call;
	uint32_t i;

	for (i = in->starts[function]; i < in->starts[function + 1]; i++) {
		call = &shares->graph->calls[in->calls[i]];
		if (!is_inside(shares, in->calls[i]))
			add_entry(shares, (struct call_entry){ in->calls[i],
			    function, call->cost, call->self, 0, 0 });
	}
	if (known->root > 0)
		add_entry(shares, (struct call_entry){ NO_CALL, function,
		    known->root, known->root_self, 0, 0 });
}

/* Returns the whole cost of a function as the graph has it. */
static uint64_t
total_of(const struct call_shares *shares, uint32_t function)
{
	const struct call_list *out = &shares->order->out;
	uint64_t total = shares->graph->functions[function].self;
	uint32_t i;

	for (i = out->starts[function]; i < out->starts[function + 1]; i++)
		total = call_sum(total,
		    shares->graph->calls[out->calls[i]].cost);
	return total;
}

/* Returns the function of a cycle with the largest cost. */
static uint32_t
find_heaviest(const struct call_shares *shares, uint32_t cycle)
{
	const struct call_order *order = shares->order;
	uint32_t i = order->starts[cycle], heaviest = order->members[i];
	uint64_t most = 0, total;

	if (cycle_size(order, cycle) == 1)
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

/* Adds an entry for the cost that no known call has caused. */
static void
add_unknown(struct call_shares *shares, uint32_t cycle)
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

/*
 * Collects the costs of a cycle, or of a single function, and its entries;
 * false if there is no cost.  All functions that it calls must be done.
 */
static bool
collect(struct call_shares *shares, uint32_t cycle)
{
	const struct call_order *order = shares->order;
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

/* Shares the costs among the entries, in proportion to theirs. */
static void
divide(struct call_shares *shares)
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

/*
 * Divides by each entry's costs, those of the function and those of its calls.
 */
static void
divide_details(struct call_shares *shares)
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

/* Takes from *self, which is a part of *left, the part due to a share. */
static uint64_t
take_due(uint64_t *self, uint64_t *left, uint64_t share)
{
	uint64_t due = *left > 0 ? share_of(*self, share, *left) : 0;

	*self -= due;
	*left -= share;
	return due;
}

/* Divides the function's own cost in proportion to all its cost. */
static void
divide_alike(struct call_shares *shares)
{
	uint64_t self = shares->self, left = self + shares->rest;
	uint32_t i;

	divide(shares);
	for (i = 0; i < shares->entered; i++)
		shares->entries[i].self_share = take_due(&self, &left,
		    shares->entries[i].share);
}

/* Gives a call, or the root, its part of a node's cost. */
static void
pass_on(struct call_shares *shares, const struct call_entry *entry,
    uint32_t node)
{
	uint64_t rest = entry->share - entry->self_share;

	if (entry->call == NO_CALL)
		add_call(shares->flow, (struct flow_call){ FLOW_ROOT,
		    node, entry->self_share, rest });
	else
		shares->parts[entry->call] = (struct call_part){ node,
		    entry->self_share, rest };
}

/* Makes a node of a function that is in no cycle. */
static void
add_function(struct call_shares *shares, uint32_t function)
{
	const struct call_function *own = &shares->graph->functions[function];
	uint32_t node = add_node(shares->flow, own->frame), i;
	const struct call_spent *spent;

	for (i = 0; i < shares->spendings; i++) {
		spent = &shares->spent[i];
		if (spent->call != NO_CALL)
			add_call(shares->flow, (struct flow_call){ node,
			    shares->parts[spent->call].node, spent->self,
			    spent->rest });
	}
	/* The costs that its callers have leave out its calls by itself. */
	if (shares->graph->is_detailed && !own->calls_itself)
		divide_details(shares);
	else
		divide_alike(shares);
	for (i = 0; i < shares->entered; i++)
		pass_on(shares, &shares->entries[i], node);
}

/*
 * Cycles.
 */

/*
 * A function by which a cycle is entered has nodes of its own if 1/1000 of all
 * cost enters there, and if cycles become no more than about a million nodes
 * and calls.  If not, the function where most enters stands in for it.
 */
#define LEAST_ENTRANCE	1000
#define MOST_COPIES	((uint32_t)1 << 20)

/* Returns the number of functions and calls in all cycles. */
static uint32_t
count_parts(const struct call_order *order)
{
	const uint32_t *starts = order->out.starts;
	uint32_t count = 0, function;

	for (function = 0; function < order->graph->count; function++)
		if (cycle_size(order, order->cycle[function]) > 1)
			count += 1 + starts[function + 1] - starts[function];
	return count;
}

static void
cycles_init(struct call_cycles *cycle, struct call_shares *shares)
{
	size_t count = shares->graph->count;

	*cycle = (struct call_cycles){
		.shares = shares,
		.members = mem_array(count, sizeof(*cycle->members)),
		.least = shares->graph->total / LEAST_ENTRANCE,
		.most_entrances = MOST_COPIES /
		    (count_parts(shares->order) + 1) + 1,
		.ranked = mem_array(count, sizeof(*cycle->ranked)),
		.rank = mem_array(count, sizeof(*cycle->rank)),
	};
}

static void
cycles_free(struct call_cycles *cycle)
{
	free(cycle->members);
	free(cycle->ranked);
	free(cycle->rank);
}

/* Gives an entrance its part of all costs. */
static void
share_spent(struct call_cycles *cycle, uint64_t incoming, uint32_t base)
{
	struct call_shares *shares = cycle->shares;
	uint64_t whole = cycle->left, cost, due, self;
	struct cycle_member *member;
	struct call_spent *spent;
	uint32_t i;

	cycle->left -= incoming;
	for (i = 0; i < shares->spendings && incoming > 0; i++) {
		spent = &shares->spent[i];
		member = &cycle->members[spent->function];
		cost = spent->self + spent->rest;
		due = take_due(&incoming, &whole, cost);
		self = take_due(&spent->self, &cost, due);
		spent->rest -= due - self;
		if (spent->call == NO_CALL) {
			member->self += due;
			continue;
		}
		member->rest += due;
		add_call(shares->flow, (struct flow_call){
		    base + cycle->rank[spent->function],
		    shares->parts[spent->call].node, self, due - self });
	}
}

/* Returns the next call inside the cycle, up to end, that leads forward. */
static uint32_t
next_forward(const struct call_cycles *cycle, uint32_t i, uint32_t end)
{
	const struct call_shares *shares = cycle->shares;
	const struct graph_call *call;

	for (; i < end; i++) {
		call = &shares->graph->calls[shares->order->in.calls[i]];
		if (cycle->rank[call->from] < cycle->rank[call->to])
			break;
	}
	return i;
}

/* Shares a node's cost among the nodes of the cycle that call it. */
static void
share_node(struct call_cycles *cycle, uint32_t function, uint32_t base)
{
	const struct call_order *order = cycle->shares->order;
	const struct call_list *in = &order->in;
	const struct graph_call *calls = cycle->shares->graph->calls, *call;
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
		own = take_due(&self, &left, due);
		cycle->members[call->from].rest += due;
		add_call(cycle->shares->flow, (struct flow_call){
		    base + cycle->rank[call->from],
		    base + cycle->rank[function], own, due - own });
	}
}

/* Makes nodes of all functions for the cost that enters at one of them. */
static void
unfold(struct call_cycles *cycle, uint32_t entrance, uint32_t size)
{
	struct callflow *flow = cycle->shares->flow;
	struct cycle_member *member = &cycle->members[entrance];
	uint32_t base = flow->count, i, function;

	rank_functions(cycle->shares->order, entrance, cycle->ranked,
	    cycle->rank);
	for (i = 0; i < size; i++) {
		function = cycle->ranked[i];
		cycle->members[function].self = 0;
		cycle->members[function].rest = 0;
		add_node(flow,
		    cycle->shares->graph->functions[function].frame);
	}
	share_spent(cycle, member->incoming, base);
	for (i = size - 1; i > 0; i--)
		share_node(cycle, cycle->ranked[i], base);
	member->node = base;
	member->self_left = member->self;
}

/* Finds how much enters at each function; returns the one where most does. */
static uint32_t
find_entrances(struct call_cycles *cycle, const uint32_t *functions,
    uint32_t size)
{
	const struct call_shares *shares = cycle->shares;
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

/* Lets one function stand in for all where little enters. */
static void
merge_entrances(struct call_cycles *cycle, const uint32_t *functions,
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

/* Makes the nodes of a cycle, whose costs are collected. */
static void
add_cycle(struct call_cycles *cycle, uint32_t number)
{
	struct call_shares *shares = cycle->shares;
	const uint32_t *functions = shares->order->members +
	    shares->order->starts[number];
	uint32_t size = cycle_size(shares->order, number), i;
	struct cycle_member *members = cycle->members, *member;
	struct call_entry *entry;

	cycle->left = shares->self + shares->rest;
	divide(shares);
	merge_entrances(cycle, functions, size,
	    find_entrances(cycle, functions, size));
	for (i = 0; i < size; i++)
		if (members[functions[i]].incoming > 0)
			unfold(cycle, functions[i], size);
	for (i = 0; i < shares->entered; i++) {
		entry = &shares->entries[i];
		member = &members[members[entry->function].stand_in];
		entry->self_share = take_due(&member->self_left,
		    &member->incoming, entry->share);
		pass_on(shares, entry, member->node);
	}
}

void
callflow_init(struct callflow *flow, const struct callgraph *graph)
{
	struct call_order order;
	struct call_shares shares;
	struct call_cycles cycle;
	uint32_t number;

	*flow = (struct callflow){ .room = 0 };
	add_node(flow, 0);
	order_init(&order, graph);
	shares_init(&shares, flow, &order);
	cycles_init(&cycle, &shares);
	for (number = 0; number < order.cycles; number++) {
		if (!collect(&shares, number))
			continue;
		if (cycle_size(&order, number) > 1)
			add_cycle(&cycle, number);
		else
			add_function(&shares,
			    order.members[order.starts[number]]);
	}
	list_by_node(flow);
	cycles_free(&cycle);
	shares_free(&shares);
	order_free(&order);
}

void
callflow_free(struct callflow *flow)
{
	free(flow->nodes);
	free(flow->calls);
}
