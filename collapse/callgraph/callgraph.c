#include <stdlib.h>

#include "callgraph.h"

void
callgraph_free(struct callgraph *graph)
{
	free(graph->functions);
	free(graph->calls);
	intmap_free(&graph->numbers);
	*graph = (struct callgraph){ .count = 0 };
}

uint32_t
callgraph_add(struct callgraph *graph, uint32_t frame)
{
	*LIST_AT(graph->functions, graph->count, graph->room) =
	    (struct call_function){ .frame = frame };
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
 * The call after the last one found is tried first: each part of a profile has
 * the same calls in the same order.  It saves a third of callgrind's time.
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
		*LIST_AT(graph->calls, graph->call_count, graph->call_room) =
		    (struct graph_call){ from, to, 0, 0 };
		*number = ++graph->call_count;
		graph->functions[from].calls_itself |= from == to;
	}
	graph->last = *number - 1;
	return &graph->calls[graph->last];
}

/*
 * Cycles: functions that reach each other, or one that is in no such group.
 *
 * Kosaraju's two searches find them.  The first one follows calls, and lists
 * each function after all that it calls.  The second one goes from callee to
 * caller, from each function of the list, last function first; the functions it
 * visits for the first time are a cycle.
 *
 * Where a path enters a cycle, a search, breadth first, finds the ways to all
 * of it.  A cycle keeps its last search, and once all searches have taken many
 * steps, for good; then a path that enters it elsewhere lacks the calls from
 * there to the root.
 */

#define UNSEEN		UINT32_MAX
#define LISTED		(UINT32_MAX - 1)	/* by the first search */
#define MOST_STEPS	((uint64_t)1 << 22)	/* less than half a second */

/* The most frames of a stack; a longer one loses those before the last. */
#define CALL_DEPTH	1000

/* Calls by caller, or callee: of function f from starts[f] to starts[f + 1]. */
struct call_list {
	uint32_t *calls;	/* their numbers */
	uint32_t *starts;	/* one more than there are functions */
	bool by_callee;
};

/* A function as a part of its cycle. */
struct call_member {
	uint32_t cycle;		/* its number */
	uint32_t via;		/* the call to it on the way from the root */
	uint32_t level;		/* calls on this way */
	uint32_t next;		/* the next call to follow */
};

/* One node of the paths; its sinks begin with the largest. */
struct call_cycle {
	uint32_t start, end;	/* of its functions in the order */
	uint32_t root;		/* where its last search for ways began */
	uint32_t sinks, sinks_end;	/* the sinks that are not empty */
	uint64_t whole, left;		/* sums of its sinks' */
};

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
	struct call_list out, in;	/* calls by caller, and by callee */
	struct call_member *members;	/* by function */
	struct call_cycle *cycles;	/* callers before their callees */
	uint32_t cycle_count;
	uint32_t *order;		/* functions, cycle by cycle */
	uint32_t *queue;
	uint64_t steps;			/* of all searches for ways */
	struct call_sink *sinks;
	/*
	 * Cost that paths have yet to bring into a node, by call, and then, of
	 * what no call accounts for, by function; weights until add_node.
	 */
	uint64_t (*entries)[2];
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

static uint32_t
end_of(const struct callgraph *graph, uint32_t call, bool callee)
{
	return callee ? graph->calls[call].to : graph->calls[call].from;
}

/* Lists the calls of each function, in their order. */
static struct call_list
list_calls(const struct callgraph *graph, bool by_callee)
{
	struct call_list list = {
		mem_array(graph->call_count, sizeof(uint32_t)),
		mem_array((size_t)graph->count + 2, sizeof(uint32_t)),
		by_callee,
	};
	uint32_t i;

	for (i = 0; i < graph->call_count; i++)
		list.starts[end_of(graph, i, by_callee) + 2]++;
	for (i = 2; i < graph->count + 2; i++)
		list.starts[i] += list.starts[i - 1];
	for (i = 0; i < graph->call_count; i++)
		list.calls[list.starts[end_of(graph, i, by_callee) + 1]++] = i;
	return list;
}

/*
 * Adds the functions that can be reached from `start` to `order`, which has
 * `count`: depth first, each after those it reaches.  Visits only functions
 * whose cycle is `old`; it becomes `number`.  Returns the new count.
 */
static uint32_t
reach(struct call_walk *walk, const struct call_list *list, uint32_t start,
    uint32_t old, uint32_t number, uint32_t *order, uint32_t count)
{
	uint32_t function = start, depth = 0, *path = walk->queue;
	struct call_member *member;

	for (;;) {
		member = &walk->members[function];
		if (member->cycle == old) {
			member->cycle = number;
			member->next = list->starts[function];
			path[depth++] = function;
		}
		if (depth == 0)
			return count;
		function = path[depth - 1];
		member = &walk->members[function];
		if (member->next < list->starts[function + 1])
			function = end_of(walk->graph,
			    list->calls[member->next++], !list->by_callee);
		else
			order[count++] = path[--depth];
	}
}

static void
find_cycles(struct call_walk *walk)
{
	uint32_t count = walk->graph->count, i, done = 0, end;
	uint32_t *order = mem_array(count, sizeof(*order));

	for (i = 0; i < count; i++)
		walk->members[i].cycle = UNSEEN;
	for (i = 0; i < count; i++)
		done = reach(walk, &walk->out, i, UNSEEN, LISTED, order, done);
	for (done = 0, i = count; i > 0; i--) {
		end = reach(walk, &walk->in, order[i - 1], LISTED,
		    walk->cycle_count, walk->order, done);
		if (end > done)
			walk->cycles[walk->cycle_count++] = (struct call_cycle){
			    .start = done, .end = end, .root = UNSEEN };
		done = end;
	}
	free(order);
}

/*
 * Follows a call in a search for ways.  Of the shortest ways the one whose last
 * call costs most wins.  A function beyond the depth of stacks takes the place
 * of its caller.
 */
static void
step(struct call_walk *walk, uint32_t number, uint32_t *found)
{
	const struct graph_call *calls = walk->graph->calls;
	uint32_t function = calls[number].to;
	struct call_member *from = &walk->members[calls[number].from];
	struct call_member *to = &walk->members[function];

	if (to->cycle != from->cycle)
		return;
	if (to->level == UNSEEN) {
		walk->queue[(*found)++] = function;
		to->level = from->level + 1;
		to->via = number;
		if (to->level == CALL_DEPTH) {
			to->level = from->level;
			to->via = from->via;
		}
	} else if (to->level == from->level + 1 &&
	    calls[number].cost > calls[to->via].cost)
		to->via = number;
}

/* Finds the ways from a function to all of its cycle. */
static void
search(struct call_walk *walk, struct call_cycle *cycle, uint32_t root)
{
	const struct call_list *out = &walk->out;
	uint32_t i, at, found = 0;

	for (i = cycle->start; i < cycle->end; i++)
		walk->members[walk->order[i]].level = UNSEEN;
	cycle->root = root;
	walk->members[root].level = 0;
	walk->queue[found++] = root;
	for (at = 0; at < found; at++)
		for (i = out->starts[walk->queue[at]];
		    i < out->starts[walk->queue[at] + 1]; i++) {
			walk->steps++;
			step(walk, out->calls[i], &found);
		}
}

/*
 * Adds the functions on the way from one to another of its cycle to the path,
 * each once, the first at this depth.  Where they do not fit, those before the
 * last are left out.  Returns the depth after the last.
 */
static uint32_t
add_way(struct call_walk *walk, uint32_t from, uint32_t to, uint32_t depth)
{
	const struct callgraph *graph = walk->graph;
	const struct call_member *members = walk->members;
	struct call_cycle *cycle = &walk->cycles[members[from].cycle];
	uint32_t *frames = walk->frames + depth, most = CALL_DEPTH - depth;
	uint32_t function = to, len, i;

	frames[0] = graph->functions[from].frame;
	if (from == to)
		return depth + 1;
	if (cycle->root == UNSEEN ||
	    (cycle->root != from && walk->steps < MOST_STEPS))
		search(walk, cycle, from);
	while (function != from && function != cycle->root)
		function = graph->calls[members[function].via].from;
	len = members[to].level - members[function].level + 1 +
	    (function != from);
	for (function = to, i = len - 1; i > 0; i--) {
		if (i < most)
			frames[i] = graph->functions[function].frame;
		function = graph->calls[members[function].via].from;
	}
	if (len > most)
		len = most;
	frames[len - 1] = graph->functions[to].frame;
	return depth + len;
}

/*
 * Paths.
 *
 * The functions of a cycle are one node; calls inside it are not costs.  The
 * sinks of a node are the own costs of its functions and its calls of other
 * nodes.
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

static void
add_sink(struct call_walk *walk, struct call_cycle *node, uint32_t function,
    uint32_t entry, uint64_t cost)
{
	if (cost == 0)
		return;
	walk->sinks[node->sinks_end++] =
	    (struct call_sink){ function, entry, cost, cost };
	node->whole += cost;
}

static bool
is_inside(const struct call_walk *walk, uint32_t call)
{
	const struct graph_call *ends = &walk->graph->calls[call];

	return walk->members[ends->from].cycle ==
	    walk->members[ends->to].cycle;
}

/* Adds the sinks of a function and its calls; returns its inclusive cost. */
static uint64_t
add_sinks(struct call_walk *walk, struct call_cycle *node, uint32_t function)
{
	const struct call_list *out = &walk->out;
	uint64_t total = walk->graph->functions[function].self;
	const uint64_t *cost;
	uint32_t i, call;

	if (!walk->is_detailed)
		add_sink(walk, node, function,
		    walk->graph->call_count + function, total);
	for (i = out->starts[function]; i < out->starts[function + 1]; i++) {
		call = out->calls[i];
		total = call_sum(total, walk->graph->calls[call].cost);
		cost = walk->entries[call];
		if (!is_inside(walk, call))
			add_sink(walk, node, function, call,
			    cost[SELF] + cost[REST]);
	}
	return total;
}

/* Adds an entry with its weights; returns their sum. */
static uint64_t
enter(struct call_walk *walk, uint32_t entry, uint64_t cost, uint64_t self)
{
	walk->entered[walk->entered_count++] = entry;
	if (!walk->is_detailed)
		self = 0;
	if (cost < self)
		cost = self;
	walk->entries[entry][SELF] = self;
	walk->entries[entry][REST] = cost - self;
	return cost;
}

/* Adds the entries at a function, and returns the sum of their weights. */
static uint64_t
add_entries(struct call_walk *walk, uint32_t function)
{
	const struct callgraph *graph = walk->graph;
	const struct call_function *known = &graph->functions[function];
	const struct call_list *in = &walk->in;
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
		sum = call_sum(sum, walk->entries[walk->entered[i]][part]);
	is_equal = sum == 0;
	if (is_equal)
		sum = walk->entered_count;
	for (i = 0; i < walk->entered_count; i++) {
		due = &walk->entries[walk->entered[i]][part];
		/* weights of more than 2^64 - 1 in all are cut off */
		weight = is_equal ? 1 : *due < sum ? *due : sum;
		*due = share(cost, weight, sum);
		cost -= *due;
		sum -= weight;
	}
}

static int
compare_sinks(const void *left, const void *right)
{
	const struct call_sink *a = left, *b = right;

	if (a->whole != b->whole)
		return a->whole > b->whole ? -1 : 1;
	return a->entry < b->entry ? -1 : a->entry > b->entry;
}

/*
 * Makes the node of a cycle, with sinks from a number on, and shares its cost
 * among its entries.  Returns the number after the last sink.
 */
static uint32_t
add_node(struct call_walk *walk, uint32_t number, uint32_t sinks)
{
	const struct callgraph *graph = walk->graph;
	struct call_cycle *node = &walk->cycles[number];
	uint32_t i, function, heaviest = walk->order[node->start];
	const struct call_function *first = &graph->functions[heaviest];
	uint64_t most = 0, known = 0, total, own;

	/* what callers tell leaves out calls by itself */
	walk->is_detailed = graph->is_detailed && !first->calls_itself &&
	    node->end - node->start == 1;
	node->sinks = node->sinks_end = sinks;
	walk->entered_count = 0;
	for (i = node->start; i < node->end; i++) {
		function = walk->order[i];
		total = add_sinks(walk, node, function);
		if (total > most) {
			most = total;
			heaviest = function;
		}
		known = call_sum(known, add_entries(walk, function));
	}
	own = walk->is_detailed ? first->self : 0;
	if (walk->entered_count == 0 ||
	    (known < node->whole && !graph->is_detailed))
		enter(walk, graph->call_count + heaviest,
		    own + node->whole - known, 0);
	divide(walk, own, SELF);
	divide(walk, node->whole, REST);
	node->left = node->whole;
	qsort(walk->sinks + sinks, node->sinks_end - sinks,
	    sizeof(*walk->sinks), compare_sinks);
	return node->sinks_end;
}

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
	*LIST_ADD(walk->paths, walk->count, walk->room) =
	    (struct call_path){ sink->entry, from, depth, cost };
}

/* Takes the cost of a path from the sinks of the node that it enters. */
static void
take_all(struct call_walk *walk, struct call_cycle *node, uint32_t from,
    uint32_t depth, uint64_t cost)
{
	uint64_t part, left = cost, all = node->left;
	struct call_sink *sink;
	uint32_t i;

	node->left -= cost;
	/* divide the cost, until the next sink would get too little */
	for (i = node->sinks; cost >= walk->least && i < node->sinks_end; i++) {
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
		while (walk->sinks[node->sinks_end - 1].left == 0)
			node->sinks_end--;
		sink = &walk->sinks[node->sinks_end - 1];
		part = sink->left < left ? sink->left : left;
		take(walk, sink, from, depth, part);
	}
}

static void
follow(struct call_walk *walk, struct call_path path)
{
	const struct callgraph *graph = walk->graph;
	uint64_t *left = walk->entries[path.entry];
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
	take_all(walk, &walk->cycles[walk->members[function].cycle],
	    function, depth, path.cost - self);
}

void
callpaths_add(const struct callgraph *graph, struct stacks *stacks)
{
	size_t entries = (size_t)graph->call_count + graph->count, i;
	struct call_walk walk = {
		.graph = graph, .stacks = stacks,
		.out = list_calls(graph, false),
		.in = list_calls(graph, true),
		.members = mem_array(graph->count, sizeof(*walk.members)),
		.cycles = mem_array(graph->count, sizeof(*walk.cycles)),
		.order = mem_array(graph->count, sizeof(*walk.order)),
		.queue = mem_array(graph->count, sizeof(*walk.queue)),
		.sinks = mem_array(entries, sizeof(*walk.sinks)),
		.entries = mem_array(entries, sizeof(*walk.entries)),
		.entered = mem_array(entries, sizeof(*walk.entered)),
		.least = graph->total / MOST_SHARES,
	};
	uint32_t number, sinks = 0;
	const uint64_t *root;

	if (walk.least == 0)
		walk.least = 1;
	find_cycles(&walk);
	for (number = walk.cycle_count; number > 0; number--)
		sinks = add_node(&walk, number - 1, sinks);
	for (i = graph->call_count; i < entries; i++) {
		root = walk.entries[i];
		if (root[SELF] + root[REST] > 0)
			follow(&walk, (struct call_path){ (uint32_t)i, 0, 0,
			    root[SELF] + root[REST] });
		while (walk.count > 0)
			follow(&walk, walk.paths[--walk.count]);
	}
	free(walk.out.calls);
	free(walk.out.starts);
	free(walk.in.calls);
	free(walk.in.starts);
	free(walk.members);
	free(walk.cycles);
	free(walk.order);
	free(walk.queue);
	free(walk.sinks);
	free(walk.entries);
	free(walk.entered);
	free(walk.paths);
	free(walk.stack.frames);
}
