/*
 * Functions that reach each other, a cycle, are one node, and calls inside it
 * are ways and not costs.  The sinks of a node are the own costs of its
 * functions and its calls of other nodes.
 *
 *	main 5, run 10, eval 30, call 20, read 40
 *	main>eval 60, main>run 40, run>call 30, eval>call 90, call>eval 70,
 *	eval>read 25, call>read 15
 *
 * From callees to callers, the sum of a node's sinks is shared among the calls
 * that enter it, in proportion to their weights.  The node of eval and call has
 * the sinks 30, 25, 20 and 15.  The call by main gets 60, that by run 30.
 *
 * Then paths bring these costs from the roots to the sinks.  The cost of a path
 * is divided among the sinks in proportion to their remaining cost:
 *
 *	main;eval 20, main;eval;read 17, main;eval;call 13, ...
 *	main;run;call 7, main;run;call;eval 10, main;run;call;eval;read 8, ...
 *
 * What is left in a node's sinks is always what paths have yet to bring, so the
 * last path takes all, and every sum is right.
 */
#include <stdlib.h>

#include "callgraph.h"

/*
 * A path of less than 1/MOST_SHARES of all cost is not shared out, so that the
 * number of paths is bounded: it goes on in as few sinks as can take it.
 */
#define MOST_SHARES	16384

/*
 * Where cost leaves a node.  The entry is the number of a call by one of its
 * functions; for a function's own cost it is the number of calls plus that of
 * the function.
 */
struct call_sink {
	uint32_t function, entry;
	uint64_t whole, left;		/* at first, and for paths to come */
};

/* The functions of a cycle; its sinks begin with the largest. */
struct call_node {
	uint32_t start, end;		/* of the sinks that have some left */
	uint64_t whole, left;		/* sums of its sinks' */
};

/*
 * Cost that paths have yet to bring into a node by a call; weights until the
 * sum of its sinks is shared.
 */
struct call_entry {
	uint64_t cost[2];	/* SELF, REST */
};

/* The own cost of the callee, where callers tell it; all other cost. */
enum call_part { SELF, REST };

/* A path to follow: it ends with this entry. */
struct call_path {
	uint32_t entry;
	uint32_t from;		/* where it enters the node of the caller */
	uint32_t depth;		/* of that function in the stack */
	uint64_t cost;
};

struct call_walk {
	const struct callgraph *graph;
	struct callcycles cycles;
	struct call_node *nodes;	/* by cycle */
	struct call_sink *sinks;
	struct call_entry *entries;	/* by call, then by function: what no
					   call accounts for */
	/* of the node at hand */
	uint32_t *entered, entered_count;	/* its entries */
	bool is_detailed;	/* callers tell its own cost */
	uint64_t least;			/* cost of a path that is shared out */
	struct call_path *paths;	/* the next one is last */
	size_t count, room;
	uint32_t frames[CALL_DEPTH];	/* of the path, root first */
	struct stack stack;
	struct stacks *stacks;
};

/*
 * Returns x * part / whole, rounded, but all of x for the last part.  If x is
 * at most `whole`, the result is at most `part`, and the rest of x at most
 * whole - part.
 */
static uint64_t
share(uint64_t x, uint64_t part, uint64_t whole)
{
	double due = (double)x * (double)part / (double)whole + 0.5;
	uint64_t result = due < (double)x ? (uint64_t)due : x;

	if (part == whole || x > whole)
		return part == whole ? x : result;
	if (result > part)
		result = part;
	return x - result > whole - part ? x - (whole - part) : result;
}

/*
 * Nodes.
 */

static void
add_sink(struct call_walk *walk, struct call_node *node, uint32_t function,
    uint32_t entry, uint64_t cost)
{
	if (cost == 0)
		return;
	walk->sinks[node->end++] = (struct call_sink){ function, entry, cost,
	    cost };
	node->whole += cost;
}

/* True if a call is between functions of one cycle. */
static bool
is_inside(const struct call_walk *walk, uint32_t call)
{
	const struct graph_call *ends = &walk->graph->calls[call];

	return walk->cycles.members[ends->from].cycle ==
	    walk->cycles.members[ends->to].cycle;
}

/*
 * Adds the sinks of a function; the nodes that it calls must be done.  Returns
 * its cost with its calls.
 */
static uint64_t
add_sinks(struct call_walk *walk, struct call_node *node, uint32_t function)
{
	const struct call_list *out = &walk->cycles.out;
	uint64_t total = walk->graph->functions[function].self;
	const uint64_t *cost;
	uint32_t i, call;

	if (!walk->is_detailed)
		add_sink(walk, node, function,
		    walk->graph->call_count + function, total);
	for (i = out->starts[function]; i < out->starts[function + 1]; i++) {
		call = out->calls[i];
		total = call_sum(total, walk->graph->calls[call].cost);
		cost = walk->entries[call].cost;
		if (!is_inside(walk, call))
			add_sink(walk, node, function, call,
			    cost[SELF] + cost[REST]);
	}
	return total;
}

/* Adds an entry with its weights, and returns their sum. */
static uint64_t
enter(struct call_walk *walk, uint32_t entry, uint64_t cost, uint64_t self)
{
	walk->entered[walk->entered_count++] = entry;
	if (!walk->is_detailed)
		self = 0;
	if (cost < self)
		cost = self;
	walk->entries[entry] = (struct call_entry){{ self, cost - self }};
	return cost;
}

/* Adds the entries at a function, and returns the sum of their weights. */
static uint64_t
add_entries(struct call_walk *walk, uint32_t function)
{
	const struct callgraph *graph = walk->graph;
	const struct call_function *known = &graph->functions[function];
	const struct call_list *in = &walk->cycles.in;
	const struct graph_call *call;
	uint64_t sum = 0;
	uint32_t i;

	for (i = in->starts[function]; i < in->starts[function + 1]; i++) {
		call = &graph->calls[in->calls[i]];
		if (!is_inside(walk, in->calls[i]))
			sum = call_sum(sum, enter(walk, in->calls[i],
			    call->cost, call->self));
	}
	if (graph->is_detailed && known->root > 0)
		sum = call_sum(sum, enter(walk, graph->call_count + function,
		    known->root, known->root_self));
	return sum;
}

/* Shares a cost among the entries, alike if all weights are 0. */
static void
divide(struct call_walk *walk, uint64_t cost, enum call_part part)
{
	uint64_t sum = 0, weight, *due;
	bool is_equal;
	uint32_t i;

	for (i = 0; i < walk->entered_count; i++)
		sum = call_sum(sum,
		    walk->entries[walk->entered[i]].cost[part]);
	is_equal = sum == 0;
	if (is_equal)
		sum = walk->entered_count;
	for (i = 0; i < walk->entered_count; i++) {
		due = &walk->entries[walk->entered[i]].cost[part];
		/* weights of more than 2^64 - 1 in all are cut off */
		weight = is_equal ? 1 : *due < sum ? *due : sum;
		*due = share(cost, weight, sum);
		cost -= *due;
		sum -= weight;
	}
}

/* Brings the largest first. */
static int
compare_sinks(const void *left, const void *right)
{
	const struct call_sink *a = left, *b = right;

	if (a->whole != b->whole)
		return a->whole > b->whole ? -1 : 1;
	return a->entry < b->entry ? -1 : a->entry > b->entry;
}

/* Collects the sinks and the entries of a cycle. */
static void
collect(struct call_walk *walk, const struct call_cycle *cycle,
    struct call_node *node)
{
	uint32_t i, function, heaviest = walk->cycles.order[cycle->start];
	uint64_t most = 0, known = 0, total, own;

	walk->entered_count = 0;
	for (i = cycle->start; i < cycle->end; i++) {
		function = walk->cycles.order[i];
		total = add_sinks(walk, node, function);
		if (total > most) {
			most = total;
			heaviest = function;
		}
		known = call_sum(known, add_entries(walk, function));
	}
	own = walk->is_detailed ? walk->graph->functions[heaviest].self : 0;
	if (walk->entered_count == 0 ||
	    (known < node->whole && !walk->graph->is_detailed))
		enter(walk, walk->graph->call_count + heaviest,
		    own + node->whole - known, 0);
}

/*
 * Makes the node of a cycle, whose sinks begin at a number, and shares its cost
 * among its entries.  Returns the number after the last sink.
 */
static uint32_t
add_node(struct call_walk *walk, uint32_t number, uint32_t sinks)
{
	const struct call_cycle *cycle = &walk->cycles.cycles[number];
	const struct call_function *first = &walk->graph->functions[
	    walk->cycles.order[cycle->start]];
	struct call_node *node = &walk->nodes[number];

	/* what callers tell leaves out calls by itself */
	walk->is_detailed = walk->graph->is_detailed && !first->calls_itself &&
	    cycle->end - cycle->start == 1;
	node->start = node->end = sinks;
	collect(walk, cycle, node);
	divide(walk, walk->is_detailed ? first->self : 0, SELF);
	divide(walk, node->whole, REST);
	node->left = node->whole;
	qsort(walk->sinks + sinks, node->end - sinks, sizeof(*walk->sinks),
	    compare_sinks);
	return node->end;
}

/*
 * Paths.
 */

/*
 * Adds the path between functions of a node, the first at this depth.  Returns
 * the depth after the last.
 */
static uint32_t
add_way(struct call_walk *walk, uint32_t from, uint32_t to, uint32_t depth)
{
	uint32_t end = depth + callcycles_way(&walk->cycles, from, to,
	    walk->frames + depth, CALL_DEPTH - depth);

	for (; depth < end; depth++)
		walk->frames[depth] =
		    walk->graph->functions[walk->frames[depth]].frame;
	return end;
}

/* Counts the stack of the path's first frames. */
static void
add_stack(struct call_walk *walk, uint32_t depth, uint64_t cost)
{
	walk->stack.depth = 0;
	for (; depth > 0; depth--)
		stack_push(&walk->stack, walk->frames[depth - 1]);
	stacks_add(walk->stacks, &walk->stack, cost);
}

/* Takes a cost from a sink, for a path that entered its node at `from`. */
static void
take(struct call_walk *walk, struct call_sink *sink, uint32_t from,
    uint32_t depth, uint64_t cost)
{
	if (cost == 0)
		return;
	sink->left -= cost;
	if (sink->entry >= walk->graph->call_count) {
		add_stack(walk, add_way(walk, from, sink->function, depth),
		    cost);
		return;
	}
	walk->paths = mem_grow(walk->paths, &walk->room, walk->count + 1,
	    sizeof(*walk->paths));
	walk->paths[walk->count++] = (struct call_path){ sink->entry, from,
	    depth, cost };
}

/* Takes the cost of a path from the sinks of the node that it enters. */
static void
take_all(struct call_walk *walk, struct call_node *node, uint32_t from,
    uint32_t depth, uint64_t cost)
{
	uint64_t part, left = cost, all = node->left;
	struct call_sink *sink;
	uint32_t i;

	node->left -= cost;
	/* divide the cost, until the next sink would get too little */
	for (i = node->start; cost >= walk->least && i < node->end; i++) {
		sink = &walk->sinks[i];
		if (left == 0 || share(cost, sink->whole, node->whole) <
		    (walk->least + 1) / 2)
			break;
		part = share(left, sink->left, all);
		all -= sink->left;
		left -= part;
		take(walk, sink, from, depth, part);
	}
	/* the rest empties the smallest sinks, so that few paths go on */
	for (; left > 0; left -= part) {
		while (walk->sinks[node->end - 1].left == 0)
			node->end--;
		sink = &walk->sinks[node->end - 1];
		part = sink->left < left ? sink->left : left;
		take(walk, sink, from, depth, part);
	}
}

static void
follow(struct call_walk *walk, struct call_path path)
{
	const struct callgraph *graph = walk->graph;
	uint64_t *left = walk->entries[path.entry].cost;
	const struct graph_call *call;
	uint32_t function = path.entry - graph->call_count, depth = 0;
	uint64_t self;

	if (path.entry < graph->call_count) {
		call = &graph->calls[path.entry];
		function = call->to;
		depth = add_way(walk, path.from, call->from, path.depth);
	}
	if (depth == CALL_DEPTH)
		depth--;
	self = left[SELF] < path.cost ? left[SELF] : path.cost;
	if (path.cost >= walk->least)
		self = share(path.cost, left[SELF], left[SELF] + left[REST]);
	left[SELF] -= self;
	left[REST] -= path.cost - self;
	if (self > 0)
		add_stack(walk, add_way(walk, function, function, depth),
		    self);
	take_all(walk, &walk->nodes[walk->cycles.members[function].cycle],
	    function, depth, path.cost - self);
}

void
callpaths_add(const struct callgraph *graph, struct stacks *stacks)
{
	size_t entries = (size_t)graph->call_count + graph->count, i;
	struct call_walk walk = {
		.graph = graph, .stacks = stacks,
		.nodes = mem_array(graph->count, sizeof(*walk.nodes)),
		.sinks = mem_array(entries, sizeof(*walk.sinks)),
		.entries = mem_array(entries, sizeof(*walk.entries)),
		.entered = mem_array(entries, sizeof(*walk.entered)),
		.least = graph->total / MOST_SHARES,
	};
	uint32_t number, sinks = 0;
	const uint64_t *root;

	if (walk.least == 0)
		walk.least = 1;
	callcycles_init(&walk.cycles, graph);
	for (number = walk.cycles.count; number > 0; number--)
		sinks = add_node(&walk, number - 1, sinks);
	for (i = graph->call_count; i < entries; i++) {
		root = walk.entries[i].cost;
		if (root[SELF] + root[REST] > 0)
			follow(&walk, (struct call_path){ (uint32_t)i, 0, 0,
			    root[SELF] + root[REST] });
		while (walk.count > 0)
			follow(&walk, walk.paths[--walk.count]);
	}
	callcycles_free(&walk.cycles);
	free(walk.nodes);
	free(walk.sinks);
	free(walk.entries);
	free(walk.entered);
	free(walk.paths);
	free(walk.stack.frames);
}
