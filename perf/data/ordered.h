/*
 * ordered: keeps samples that count by what came before them, until all that
 * are older were taken, and gives them in their order: waits, counters whose
 * samples tell how far they got, and the samples of flame charts.
 *
 * As one is added, its chain has no stack yet: chains.h keeps that.
 */
#ifndef ORDERED_H
#define ORDERED_H

#include "attr.h"
#include "chain.h"
#include "moment.h"
#include "perf/waits.h"

/* A counter's value, as it was read with a sample. */
struct ordered_read {
	uint64_t id, value;	/* what it has gained, as it is given */
	int32_t tid;
	uint32_t attr;		/* the sample's, by its place; the counter's as
				   it is given */
};

struct ordered_sample {
	struct moment moment;
	uint64_t joined;	/* its own time, if its moment is that of the
				   chain that it was joined to; else 0 */
	uint64_t time;		/* for the timeline, and waits */
	uint32_t stack;		/* where chains keep it, or 0; its number as it
				   is given, or ORDERED_NO_STACK */
	bool is_read;
	size_t order;		/* of those of one moment */
	union {
		struct ordered_read read;	/* if is_read */
		struct wait_event event;	/* where waits count */
		uint64_t count;
	} of;
};

#define ORDERED_NO_STACK	WAITS_STACK_NONE	/* it does not count */

/* Begins as { 0 }. */
struct ordered {
	struct ordered_sample *list;
	size_t count, room;
	size_t sorted;		/* the first ones are, and have their stacks */
	size_t given;		/* of these */
	uint64_t limit;		/* the time up to which they are given */
};

/* Adds one, which gets its order. */
void ordered_add(struct ordered *ordered, struct ordered_sample sample);

/* Begins to give those up to a time; all added so far have stacks in chains. */
void ordered_begin(struct ordered *ordered, struct chains *chains,
    uint64_t limit);

/*
 * Returns the next one, or NULL.  Counters know then what they have been read
 * as, so that a read tells what its counter gained.
 */
const struct ordered_sample *ordered_next(struct ordered *ordered,
    struct attrs *attrs);

void ordered_free(struct ordered *ordered);

#endif
