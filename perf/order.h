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

/* A record that waits. */
struct queued {
	uint64_t time;
	const char *record;
	void *owner;		/* of its memory, for the caller */
};

/* Begins as { 0 }. */
struct order {
	struct queued *list;	/* in the order of the file, but for... */
	size_t count, room;
	size_t due, next;	/* ...those up to `due`: they are in order, and
				   delivered up to `next` */
	struct queued *spare;	/* to sort with */
	size_t spare_room;
	uint64_t newest;
	uint64_t limit;		/* the newest time that the end of this round
				   makes due; 0: none */
};

/* Adds a record; all that was due has been taken. */
void order_add(struct order *order, struct queued queued);

/* Make due the records that the end of a round does, or that of the file. */
void order_end_round(struct order *order);
void order_end(struct order *order);

/* Makes due the older half, if waiting for more would need too much memory. */
void order_relieve(struct order *order);

/* Takes the next record that is due; NULL if there is none. */
const struct queued *order_next(struct order *order);

/* Returns how many records wait. */
static inline size_t
order_count(const struct order *order)
{
	return order->count - order->next;
}

void order_free(struct order *order);

#endif
