/*
 * Each processor's records are an ascending run, or two that follow each other.
 * What is due of every run is cut off at its front, and these are merged.
 */
#include <stdlib.h>
#include <string.h>

#include "../lib/mem.h"
#include "order.h"

void
order_begin_run(struct order *order, uint64_t time)
{
	if (order->count == 0)
		order->newest = time;
	if (order->count > 0 && time < order->list[order->count - 1].time) {
		order->ends = mem_grow(order->ends, &order->ends_room,
		    order->runs + 1, sizeof(*order->ends));
		order->ends[order->runs++] = order->count;
	}
	order->list = mem_grow(order->list, &order->room, order->count + 1,
	    sizeof(*order->list));
}

/* Returns how many records of a run are not later than the limit. */
static size_t
count_due(const struct queued *run, size_t count, uint64_t limit)
{
	size_t low = 0, middle;

	while (low < count) {
		middle = low + (count - low) / 2;
		if (run[middle].time <= limit)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

/* Moves records behind those of a list; returns their number there. */
static size_t
move(struct queued *list, size_t count, const struct queued *run, size_t more)
{
	if (more > 0)
		memmove(list + count, run, more * sizeof(*list));
	return count + more;
}

/*
 * Cuts off what is due, as runs whose ends are stored in `ends`; returns how
 * many these are.
 */
static size_t
cut(struct order *order, uint64_t limit, size_t *ends)
{
	size_t count = order->count, last = order->runs, start = 0, end, due;
	size_t runs = 0, i;

	order->count = order->runs = order->due_count = order->next = 0;
	for (i = 0; i <= last; i++, start = end) {
		end = i < last ? order->ends[i] : count;
		due = count_due(order->list + start, end - start, limit);
		order->due_count = move(order->due, order->due_count,
		    order->list + start, due);
		if (due > 0)
			ends[runs++] = order->due_count;
		if (start + due == end)
			continue;
		if (order->count > 0)
			order->ends[order->runs++] = order->count;
		order->count = move(order->list, order->count,
		    order->list + start + due, end - start - due);
	}
	return runs;
}

/*
 * Merges two runs that follow each other, the first one's first.  It has no
 * branch that goes both ways, which would be a wrong guess every other time.
 */
static void
merge(const struct queued *left, const struct queued *left_end,
    const struct queued *right, const struct queued *right_end,
    struct queued *to)
{
	bool is_left;

	while (left < left_end && right < right_end) {
		is_left = left->time <= right->time;
		*to++ = *(is_left ? left : right);
		left += is_left;
		right += !is_left;
	}
	memcpy(to, left, (size_t)(left_end - left) * sizeof(*to));
	to += left_end - left;
	memcpy(to, right, (size_t)(right_end - right) * sizeof(*to));
}

/* Merges each run with the next one; returns how many runs are left. */
static size_t
merge_pairs(const struct queued *from, struct queued *to, size_t *ends,
    size_t runs)
{
	size_t start = 0, middle, end, i;

	for (i = 0; i < runs; i += 2, start = end) {
		middle = ends[i];
		end = i + 1 < runs ? ends[i + 1] : middle;
		merge(from + start, from + middle, from + middle, from + end,
		    to + start);
		ends[i / 2] = end;
	}
	return (runs + 1) / 2;
}

/* Makes due all that is not later than the limit. */
static void
deliver(struct order *order, uint64_t limit)
{
	size_t *ends = mem_array(order->runs + 1, sizeof(*ends)), runs;
	struct queued *swap;
	size_t room;

	order->due = mem_grow(order->due, &order->due_room, order->count,
	    sizeof(*order->due));
	runs = cut(order, limit, ends);
	if (runs > 1)
		order->spare = mem_grow(order->spare, &order->spare_room,
		    order->due_room, sizeof(*order->spare));
	while (runs > 1) {
		runs = merge_pairs(order->due, order->spare, ends, runs);
		swap = order->due;
		order->due = order->spare;
		order->spare = swap;
		room = order->due_room;
		order->due_room = order->spare_room;
		order->spare_room = room;
	}
	free(ends);
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
	size_t half;

	if (order->count == 0)
		return;
	order_end(order);
	half = (order->due_count + 1) / 2;
	order->count = move(order->list, 0, order->due + half,
	    order->due_count - half);
	order->due_count = half;
}

void
order_free(struct order *order)
{
	free(order->list);
	free(order->ends);
	free(order->due);
	free(order->spare);
}
