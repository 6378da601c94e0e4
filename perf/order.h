/*
 * order: the records of a recording, brought into the order of their times.
 *
 * perf record empties one processor's buffer after another.  Each holds records
 * in order; a round over all buffers ends with a record that says so.  What was
 * stored before a round began is in the file when that round has ended, so what
 * is older than all that the round before it saw last can be delivered:
 *
 *	          round 1          round 2          round 3
 *	      CPU 0 | CPU 1    CPU 0 | CPU 1    CPU 0 | CPU 1
 *	        1   |   2        3   |   5        6   |   8
 *	        2   |   3        4   |   6        7   |   9
 *	            |   4        5   |   7        9   |  10
 *	                   end              end              end
 *	            (newest: 4)      (newest: 7)      (newest: 10)
 *	                   nothing          up to 4          up to 7
 *
 * Records of one time keep the order of the file.
 */
#ifndef ORDER_H
#define ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lib/prefetch.h"

#define ORDER_AHEAD	12	/* records that are taken in 500 ns or so */

/* A record that waits. */
struct queued {
	uint64_t time;
	const char *record;
	void *owner;		/* of its memory, for the caller */
};

/* Begins as { 0 }. */
struct order {
	struct queued *list;	/* those that are not due, in ascending runs */
	size_t count, room;
	size_t *ends;		/* of the runs, but for the last one */
	size_t runs, ends_room;
	struct queued *due;	/* in order */
	size_t due_count, next, due_room;
	struct queued *spare;	/* to merge runs with */
	size_t spare_room;
	uint64_t newest;
	uint64_t limit;		/* the newest time that the end of this round
				   makes due; 0: none */
};

/* Prepares the addition of a record that begins a run, or has no room. */
void order_begin_run(struct order *order, uint64_t time);

/* Adds a record; all that was due has been taken. */
static inline void
order_add(struct order *order, struct queued queued)
{
	if (order->count == order->room || order->count == 0 ||
	    queued.time < order->list[order->count - 1].time)
		order_begin_run(order, queued.time);
	order->list[order->count++] = queued;
	if (queued.time > order->newest)
		order->newest = queued.time;
}

/* Make due the records that the end of a round does, or that of the file. */
void order_end_round(struct order *order);
void order_end(struct order *order);

/* Makes due the older half, if waiting for more would need too much memory. */
void order_relieve(struct order *order);

/* Takes the next record that is due; NULL if there is none. */
static inline const struct queued *
order_next(struct order *order)
{
	return order->next == order->due_count ? NULL :
	    &order->due[order->next++];
}

/* Has a record that will be next soon brought near. */
static inline void
order_prefetch(const struct order *order)
{
	const char *record;

	if (order->due_count - order->next <= ORDER_AHEAD)
		return;
	record = order->due[order->next + ORDER_AHEAD].record;
	prefetch(record);
	prefetch(record + 64);
}

/* Returns how many records wait. */
static inline size_t
order_count(const struct order *order)
{
	return order->count + order->due_count - order->next;
}

void order_free(struct order *order);

#endif
