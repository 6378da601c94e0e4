/*
 * Cycles are found by Kosaraju's two searches.  The first one follows calls,
 * and lists each function after all that it calls.  The second one follows
 * calls from callee to caller.  It starts from each function of the list, last
 * function first; the functions it visits for the first time are a cycle.
 *
 * A way begins where a path enters the cycle.  A search from there, breadth
 * first, finds the ways to all of the cycle, which keeps its last search.  Once
 * all searches have taken many steps, a cycle keeps it for good, and a path
 * that enters it elsewhere lacks the calls from there to the root.
 */
#include <stdlib.h>

#include "callgraph.h"

#define UNSEEN		UINT32_MAX
#define LISTED		(UINT32_MAX - 1)	/* by the first search */
#define MOST_STEPS	((uint64_t)1 << 22)	/* less than half a second */

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
 * A profile of several parts has the same calls in the same order in each part.
 * The call after the last one found is tried first; this saves a third of the
 * time for callgrind's files.
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

/*
 * Cycles.
 */

/* Returns the callee, or the caller, of a call. */
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
 * `count` of them: depth first, each function after those it reaches.  Only
 * functions whose cycle is `old` are visited; their cycle becomes `number`.
 * Returns the new count.
 */
static uint32_t
reach(struct callcycles *all, const struct call_list *list, uint32_t start,
    uint32_t old, uint32_t number, uint32_t *order, uint32_t count)
{
	uint32_t function = start, depth = 0, *path = all->queue;
	struct call_member *member;

	for (;;) {
		member = &all->members[function];
		if (member->cycle == old) {
			member->cycle = number;
			member->next = list->starts[function];
			path[depth++] = function;
		}
		if (depth == 0)
			return count;
		function = path[depth - 1];
		member = &all->members[function];
		if (member->next < list->starts[function + 1])
			function = end_of(all->graph,
			    list->calls[member->next++], !list->by_callee);
		else
			order[count++] = path[--depth];
	}
}

static void
find_cycles(struct callcycles *all)
{
	uint32_t count = all->graph->count, i, done = 0, end;
	uint32_t *order = mem_array(count, sizeof(*order));

	for (i = 0; i < count; i++)
		all->members[i].cycle = UNSEEN;
	for (i = 0; i < count; i++)
		done = reach(all, &all->out, i, UNSEEN, LISTED, order, done);
	for (done = 0, i = count; i > 0; i--) {
		end = reach(all, &all->in, order[i - 1], LISTED, all->count,
		    all->order, done);
		if (end > done)
			all->cycles[all->count++] = (struct call_cycle){
			    done, end, UNSEEN };
		done = end;
	}
	free(order);
}

void
callcycles_init(struct callcycles *all, const struct callgraph *graph)
{
	*all = (struct callcycles){
		.graph = graph,
		.out = list_calls(graph, false),
		.in = list_calls(graph, true),
		.members = mem_array(graph->count, sizeof(*all->members)),
		.cycles = mem_array(graph->count, sizeof(*all->cycles)),
		.order = mem_array(graph->count, sizeof(*all->order)),
		.queue = mem_array(graph->count, sizeof(*all->queue)),
	};
	find_cycles(all);
}

void
callcycles_free(struct callcycles *all)
{
	free(all->out.calls);
	free(all->out.starts);
	free(all->in.calls);
	free(all->in.starts);
	free(all->members);
	free(all->cycles);
	free(all->order);
	free(all->queue);
}

/*
 * Follows a call in a search for ways.  Of the shortest ways the one whose last
 * call costs most wins.  A function beyond the depth of stacks takes the place
 * of its caller.
 */
static void
step(struct callcycles *all, uint32_t number, uint32_t *found)
{
	const struct graph_call *calls = all->graph->calls;
	uint32_t function = calls[number].to;
	struct call_member *from = &all->members[calls[number].from];
	struct call_member *to = &all->members[function];

	if (to->cycle != from->cycle)
		return;
	if (to->level == UNSEEN) {
		all->queue[(*found)++] = function;
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
search(struct callcycles *all, struct call_cycle *cycle, uint32_t root)
{
	const struct call_list *out = &all->out;
	uint32_t i, at, found = 0;

	for (i = cycle->start; i < cycle->end; i++)
		all->members[all->order[i]].level = UNSEEN;
	cycle->root = root;
	all->members[root].level = 0;
	all->queue[found++] = root;
	for (at = 0; at < found; at++)
		for (i = out->starts[all->queue[at]];
		    i < out->starts[all->queue[at] + 1]; i++) {
			all->steps++;
			step(all, out->calls[i], &found);
		}
}

uint32_t
callcycles_way(struct callcycles *all, uint32_t from, uint32_t to,
    uint32_t *way, uint32_t most)
{
	const struct graph_call *calls = all->graph->calls;
	const struct call_member *members = all->members;
	struct call_cycle *cycle = &all->cycles[members[from].cycle];
	uint32_t function = to, len, i;

	way[0] = from;
	if (from == to)
		return 1;
	if (cycle->root == UNSEEN ||
	    (cycle->root != from && all->steps < MOST_STEPS))
		search(all, cycle, from);
	while (function != from && function != cycle->root)
		function = calls[members[function].via].from;
	len = members[to].level - members[function].level + 1 +
	    (function != from);
	for (function = to, i = len - 1; i > 0; i--) {
		if (i < most)
			way[i] = function;
		function = calls[members[function].via].from;
	}
	if (len > most)
		len = most;
	way[len - 1] = to;
	return len;
}
