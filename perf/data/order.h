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
 *
 * Each delivery is a flush, with a limit, the newest time that it delivers.
 * What is not added here, but has its time noted, is delivered by the first
 * flush after that whose limit its time is within.
 */
#ifndef ORDER_H
#define ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A record that waits. */
struct queued {
	uint64_t time;
	uint64_t number;	/* for the caller, as the next two */
	const char *record;
	void *owner;		/* of its memory */
};

/* The limits of flushes that follow each other. */
struct limits {
	uint64_t *list;
	size_t count, room;
	uint64_t first;		/* the number of the first flush */
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
	bool has_any;		/* a record waits, or a noted time */
	uint64_t newest;	/* of these, and those before them */
	uint64_t limit;		/* the newest time that the end of this round
				   makes due; 0: none */
	struct limits limits;	/* of the flushes that were */
};

/* Notes the time of a record, which may wait elsewhere. */
static inline void
order_note(struct order *order, uint64_t time)
{
	if (!order->has_any || time > order->newest)
		order->newest = time;
	order->has_any = true;
}

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
	order_note(order, queued.time);
}

/* Make due the records that the end of a round does, or that of the file. */
void order_end_round(struct order *order);
void order_end(struct order *order);

/* Makes due all up to a time, if to wait for more needs too much memory. */
void order_relieve(struct order *order, uint64_t time);

/* Returns the number of the next flush. */
static inline uint64_t
limits_next(const struct limits *limits)
{
	return limits->first + limits->count;
}

/*
 * Returns the flush that delivers what has this time, and was noted before a
 * flush; the next one if none has so far.
 */
static inline uint64_t
limits_flush(const struct limits *limits, uint64_t flush, uint64_t time)
{
	while (flush < limits_next(limits) &&
	    limits->list[flush - limits->first] < time)
		flush++;
	return flush;
}

/* Returns the newest time that flushes have delivered, from one on; or 0. */
uint64_t limits_newest(const struct limits *limits, uint64_t flush);

/* Forgets the limits of all flushes so far. */
static inline void
limits_forget(struct limits *limits)
{
	limits->first += limits->count;
	limits->count = 0;
}

/* Takes the next record that is due; NULL if there is none. */
static inline const struct queued *
order_next(struct order *order)
{
	return order->next == order->due_count ? NULL :
	    &order->due[order->next++];
}

void order_free(struct order *order);

#endif
