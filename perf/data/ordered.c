#include <stdlib.h>

#include "ordered.h"

void
ordered_free(struct ordered *ordered)
{
	free(ordered->list);
}

void
ordered_add(struct ordered *ordered, struct ordered_sample sample)
{
	ordered->list = mem_grow(ordered->list, &ordered->room,
	    ordered->count + 1, sizeof(*ordered->list));
	sample.order = ordered->count;
	ordered->list[ordered->count++] = sample;
}

static int
compare(const void *left, const void *right)
{
	const struct ordered_sample *a = left, *b = right;

	if (a->moment.time == b->moment.time && a->joined != b->joined)
		return a->joined < b->joined ? -1 : 1;
	if (a->moment.number != b->moment.number)
		return moment_is_before(a->moment, b->moment) ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

void
ordered_begin(struct ordered *ordered, struct chains *chains, uint64_t limit)
{
	struct ordered_sample *sample;

	while (ordered->sorted < ordered->count) {
		sample = &ordered->list[ordered->sorted++];
		sample->stack = sample->stack == 0 ? ORDERED_NO_STACK :
		    chains_kept(chains, sample->stack);
	}
	chains_keep_none(chains);
	if (ordered->count > 0)
		qsort(ordered->list, ordered->count, sizeof(*ordered->list),
		    compare);
	ordered->given = 0;
	ordered->limit = limit;
}

/* Drops those that were given. */
static void
end(struct ordered *ordered)
{
	ordered->count -= ordered->given;
	ordered->sorted = ordered->count;
	if (ordered->count > 0)
		memmove(ordered->list, ordered->list + ordered->given,
		    ordered->count * sizeof(*ordered->list));
	ordered->given = 0;
}

/* Finds what a counter gained, and whose it is. */
static void
find_gain(struct ordered_read *read, struct attrs *attrs)
{
	struct counter *counter = attrs_counter(attrs, read->id);
	uint64_t *last = attr_reads_threads(&attrs->list[read->attr]) ?
	    attrs_thread_value(attrs, read->id, read->tid) : &counter->value;
	uint64_t value = read->value;

	read->value -= *last;
	*last = value;
	read->attr = counter->attr;
}

const struct ordered_sample *
ordered_next(struct ordered *ordered, struct attrs *attrs)
{
	struct ordered_sample *next;

	if (ordered->given == ordered->count ||
	    ordered->list[ordered->given].moment.time > ordered->limit) {
		end(ordered);
		return NULL;
	}
	next = &ordered->list[ordered->given++];
	if (next->is_read)
		find_gain(&next->of.read, attrs);
	return next;
}
