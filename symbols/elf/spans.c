#include <stdlib.h>

#include "lib/mem.h"
#include "lib/sort.h"
#include "spans.h"

struct span {
	uint64_t start, end;
	uint32_t number;
};

struct span_step {
	uint64_t start;		/* up to the next step's */
	uint32_t number;
};

void
spans_add(struct spans *spans, uint64_t start, uint64_t end, uint32_t number)
{
	/* each may make two steps, and be open while they are sorted */
	if (start >= end || !account_grow(spans->account, spans->count,
	    spans->room, 2 * sizeof(*spans->list) + 2 * sizeof(*spans->steps),
	    spans->lost))
		return;
	*LIST_ADD(spans->list, spans->count, spans->room) =
	    (struct span){ start, end, number };
}

/* Outer ranges come before those in them. */
static int
compare(const void *a, const void *b)
{
	const struct span *one = a, *other = b;

	if (one->start != other->start)
		return one->start < other->start ? -1 : 1;
	if (one->end != other->end)
		return one->end > other->end ? -1 : 1;
	return (one->number > other->number) - (one->number < other->number);
}

/* Takes note of what counts from an address on. */
static void
add_step(struct spans *spans, uint64_t start, uint32_t number)
{
	struct span_step *last;

	if (spans->step_count > 0) {
		last = &spans->steps[spans->step_count - 1];
		if (last->number == number)
			return;
		if (last->start == start) {
			last->number = number;
			return;
		}
	}
	*LIST_ADD(spans->steps, spans->step_count, spans->step_room) =
	    (struct span_step){ start, number };
}

/* Closes the ranges that end up to an address; returns how many are left. */
static size_t
close_up_to(struct spans *spans, struct span *open, size_t depth,
    uint64_t address)
{
	uint64_t end;

	while (depth > 0 && open[depth - 1].end <= address) {
		end = open[--depth].end;
		while (depth > 0 && open[depth - 1].end <= end)
			depth--;
		add_step(spans, end, depth > 0 ? open[depth - 1].number :
		    SPANS_NONE);
	}
	return depth;
}

void
spans_sort(struct spans *spans)
{
	struct span *open;
	size_t i = 1, depth = 0;

	if (spans->count == 0)
		return;
	open = mem_array(spans->count, sizeof(*open));
	while (i < spans->count &&
	    compare(&spans->list[i - 1], &spans->list[i]) <= 0)
		i++;
	if (i < spans->count)
		qsort(spans->list, spans->count, sizeof(*spans->list), compare);
	for (i = 0; i < spans->count; i++) {
		depth = close_up_to(spans, open, depth, spans->list[i].start);
		add_step(spans, spans->list[i].start, spans->list[i].number);
		open[depth++] = spans->list[i];
	}
	close_up_to(spans, open, depth, UINT64_MAX);
	free(open);
	free(spans->list);
	account_give_back(spans->account, spans->room *
	    (2 * sizeof(*spans->list) + 2 * sizeof(*spans->steps)) -
	    spans->step_room * sizeof(*spans->steps));
	spans->list = NULL;
	spans->count = spans->room = 0;
}

uint32_t
spans_find(const struct spans *spans, uint64_t address,
    struct span_range *range)
{
	const struct span_step *steps = spans->steps;
	size_t after = sort_up_to(address, steps, spans->step_count,
	    sizeof(*steps));

	if (after > 0 && steps[after - 1].start > range->first)
		range->first = steps[after - 1].start;
	if (after < spans->step_count && steps[after].start <= range->last)
		range->last = steps[after].start - 1;
	return after > 0 ? steps[after - 1].number : SPANS_NONE;
}

void
spans_free(struct spans *spans)
{
	free(spans->list);
	free(spans->steps);
	*spans = (struct spans){ 0 };
}
