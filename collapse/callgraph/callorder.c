#include <stdlib.h>

#include "callorder.h"

#define UNSEEN	UINT32_MAX

/* Returns the end of a call by which a list has it. */
static uint32_t
key_of(const struct call *call, bool by_callee)
{
	return by_callee ? call->to : call->from;
}

/* Lists the calls but those of functions by themselves, in their order. */
static struct call_list
list_calls(const struct callgraph *graph, bool by_callee)
{
	struct call_list list = {
		mem_array(graph->call_count, sizeof(uint32_t)),
		mem_array((size_t)graph->count + 2, sizeof(uint32_t)),
	};
	const struct call *call;
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

/* Tarjan's search, which is on a path of calls; it needs no recursion. */
struct search {
	struct callorder *order;
	uint32_t *number;	/* by function, in the order it was found */
	uint32_t *lowest;	/* number that is reached from it */
	uint32_t *next;		/* its call that is to be followed */
	uint32_t *path, depth;
	uint32_t *open, opened;	/* functions whose cycle is not known */
	uint32_t found;
};

static void
enter(struct search *search, uint32_t function)
{
	search->number[function] = search->lowest[function] = search->found++;
	search->next[function] = search->order->out.starts[function];
	search->path[search->depth++] = function;
	search->open[search->opened++] = function;
}

/* Ends the cycle whose first function is this: it has those opened since. */
static void
end_cycle(struct search *search, uint32_t first)
{
	struct callorder *order = search->order;
	uint32_t end = order->starts[order->cycles], function;

	do {
		function = search->open[--search->opened];
		order->cycle[function] = order->cycles;
		order->members[end++] = function;
	} while (function != first);
	order->starts[++order->cycles] = end;
}

static void
reach(struct search *search, uint32_t function, uint32_t number)
{
	if (number < search->lowest[function])
		search->lowest[function] = number;
}

/* Leaves the function at the end of the path. */
static void
leave(struct search *search)
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
search_from(struct search *search, uint32_t start)
{
	const struct callorder *order = search->order;
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
sort_inside(struct callorder *order)
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

void
callorder_init(struct callorder *order, const struct callgraph *graph)
{
	size_t count = graph->count;
	struct search search = {
		.order = order,
		.number = numbers(count, UNSEEN),
		.lowest = numbers(count, 0),
		.next = numbers(count, 0),
		.path = numbers(count, 0),
		.open = numbers(count, 0),
	};
	uint32_t i;

	*order = (struct callorder){
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

void
callorder_free(struct callorder *order)
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

/* Calls that lead on in a cycle, the heaviest first: a heap of numbers. */
struct heap {
	const struct call *calls;
	uint32_t *numbers;
	size_t count, room;
};

/* True if one call is to be followed before another. */
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

void
callorder_rank(const struct callorder *order, uint32_t entry,
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
