#include <stdlib.h>
#include <string.h>

#include "../lib/mem.h"
#include "order.h"

void
order_add(struct order *order, struct queued queued)
{
	if (order->count == 0 || queued.time >= order->newest)
		order->newest = queued.time;
	if (order->count == order->room)
		order->list = mem_grow(order->list, &order->room,
		    order->count + 1, sizeof(*order->list));
	order->list[order->count++] = queued;
}

/* The end of the ascending run that begins at `from`. */
static size_t
run_end(const struct queued *list, size_t from, size_t count)
{
	for (from++; from < count && list[from - 1].time <= list[from].time;)
		from++;
	return from;
}

/* Merges two runs that follow each other, the first one's first. */
static void
merge(const struct queued *list, size_t middle, size_t end, struct queued *to)
{
	size_t left = 0, right = middle;

	while (left < middle && right < end)
		*to++ = list[left].time <= list[right].time ?
		    list[left++] : list[right++];
	memcpy(to, list + left, (middle - left) * sizeof(*to));
	memcpy(to + (middle - left), list + right, (end - right) * sizeof(*to));
}

/* Merges each run with the next one; true if that leaves one. */
static bool
merge_runs(const struct queued *list, size_t count, struct queued *to)
{
	size_t start, middle, end = 0, runs = 0;

	for (start = 0; start < count; start = end) {
		middle = end = run_end(list, start, count);
		if (middle < count)
			end = run_end(list, middle, count);
		merge(list + start, middle - start, end - start, to + start);
		runs++;
	}
	return runs <= 1;
}

/* Sorts by time, stably; the runs are few, one or two for each processor. */
static void
sort(struct order *order, size_t count)
{
	bool sorted = run_end(order->list, 0, count) == count;
	struct queued *from = order->list, *to;

	if (count == 0 || sorted)
		return;
	order->spare = mem_grow(order->spare, &order->spare_room, count,
	    sizeof(*order->spare));
	for (to = order->spare; !sorted;) {
		sorted = merge_runs(from, count, to);
		to = from;
		from = to == order->list ? order->spare : order->list;
	}
	if (from == order->spare)
		memcpy(order->list, order->spare, count * sizeof(*from));
}

/* Moves what is not later than the limit to the front, and sorts it. */
static void
deliver(struct order *order, uint64_t limit)
{
	struct queued *list = order->list;
	size_t i, due = 0, later = 0;

	order->spare = mem_grow(order->spare, &order->spare_room,
	    order->count, sizeof(*order->spare));
	for (i = 0; i < order->count; i++)
		if (list[i].time <= limit)
			list[due++] = list[i];
		else
			order->spare[later++] = list[i];
	if (later > 0)
		memcpy(list + due, order->spare, later * sizeof(*list));
	order->due = due;
	order->next = 0;
	sort(order, due);
}

void
order_end_round(struct order *order)
{
	if (order->count == 0)
		return;
	if (order->limit > 0)
		deliver(order, order->limit);
	order->limit = order->newest;
}

void
order_end(struct order *order)
{
	if (order->count > 0)
		deliver(order, UINT64_MAX);
}

void
order_relieve(struct order *order)
{
	order_end(order);
	order->due = (order->count + 1) / 2;
}

/* Forgets what was delivered. */
static void
close_gap(struct order *order)
{
	order->count -= order->due;
	memmove(order->list, order->list + order->due,
	    order->count * sizeof(*order->list));
	order->due = order->next = 0;
}

const struct queued *
order_next(struct order *order)
{
	if (order->next < order->due)
		return &order->list[order->next++];
	if (order->due > 0)
		close_gap(order);
	return NULL;
}

void
order_free(struct order *order)
{
	free(order->list);
	free(order->spare);
}
