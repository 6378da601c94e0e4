/*
 * Each processor's records are an ascending run, or two that follow each other.
 * The fronts of all runs, as far as they are due, are merged.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "order.h"

void
order_begin_run(struct order *order, uint64_t time)
{
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

/* A run, as far as it is due, and what follows in it. */
struct run {
	const struct queued *start, *due, *end;
};

/* Finds the runs; returns how many records are due. */
static size_t
find_runs(const struct order *order, uint64_t limit, struct run *runs)
{
	const struct queued *start = order->list, *end;
	size_t count = 0, due, i;

	for (i = 0; i <= order->runs; i++, start = end) {
		end = order->list + (i < order->runs ? order->ends[i] :
		    order->count);
		due = count_due(start, (size_t)(end - start), limit);
		runs[i] = (struct run){ start, start + due, end };
		count += due;
	}
	return count;
}

/* Keeps what is not due of some runs, which are all. */
static void
keep_rest(struct order *order, const struct run *runs, size_t count)
{
	size_t i, rest;

	order->count = order->runs = 0;
	for (i = 0; i < count; i++) {
		rest = (size_t)(runs[i].end - runs[i].due);
		if (rest == 0)
			continue;
		if (order->count > 0)
			order->ends[order->runs++] = order->count;
		memmove(order->list + order->count, runs[i].due,
		    rest * sizeof(*order->list));
		order->count += rest;
	}
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

/* Merges what is due of each run with that of the next; returns the same. */
static size_t
merge_due(const struct run *runs, size_t count, struct queued *to,
    size_t *ends)
{
	const struct run *left, *right;
	struct run none;
	size_t end = 0, i;

	for (i = 0; i < count; i += 2) {
		left = &runs[i];
		none = (struct run){ left->due, left->due, left->due };
		right = i + 1 < count ? left + 1 : &none;
		merge(left->start, left->due, right->start, right->due,
		    to + end);
		end += (size_t)(left->due - left->start) +
		    (size_t)(right->due - right->start);
		ends[i / 2] = end;
	}
	return (count + 1) / 2;
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

static void
swap_spare(struct order *order)
{
	struct queued *swap = order->due;
	size_t room = order->due_room;

	order->due = order->spare;
	order->spare = swap;
	order->due_room = order->spare_room;
	order->spare_room = room;
}

/* Notes the limit of a flush. */
static void
add_limit(struct order *order, uint64_t limit)
{
	struct limits *limits = &order->limits;

	limits->list = mem_grow(limits->list, &limits->room,
	    limits->count + 1, sizeof(*limits->list));
	limits->list[limits->count++] = limit;
	order->has_any = order->newest > limit;
}

/* Makes due all that is not later than the limit. */
static void
deliver(struct order *order, uint64_t limit)
{
	size_t count = order->runs + 1, left, *ends;
	struct run *runs;

	add_limit(order, limit);
	order->next = order->due_count = 0;
	if (order->count == 0)
		return;
	runs = mem_array(count, sizeof(*runs));
	ends = mem_array(count, sizeof(*ends));
	order->due_count = find_runs(order, limit, runs);
	order->due = mem_grow(order->due, &order->due_room,
	    order->due_count + 1, sizeof(*order->due));
	left = merge_due(runs, count, order->due, ends);
	keep_rest(order, runs, count);
	if (left > 1)
		order->spare = mem_grow(order->spare, &order->spare_room,
		    order->due_room, sizeof(*order->spare));
	while (left > 1) {
		left = merge_pairs(order->due, order->spare, ends, left);
		swap_spare(order);
	}
	free(runs);
	free(ends);
}

void
order_end_round(struct order *order)
{
	if (!order->has_any)
		return;
	if (order->limit > 0)
		deliver(order, order->limit);
	order->limit = order->newest;
}

void
order_end(struct order *order)
{
	deliver(order, UINT64_MAX);
}

void
order_relieve(struct order *order, uint64_t time)
{
	deliver(order, time);
}

uint64_t
limits_newest(const struct limits *limits, uint64_t flush)
{
	uint64_t newest = 0;

	for (; flush < limits_next(limits); flush++)
		if (limits->list[flush - limits->first] > newest)
			newest = limits->list[flush - limits->first];
	return newest;
}

void
order_free(struct order *order)
{
	free(order->list);
	free(order->ends);
	free(order->due);
	free(order->spare);
	free(order->limits.list);
}
