/*
 * queue: delivers the records of a recording in time order; records with equal
 * times, or without times, in file order.
 *
 * perf record empties the processors' buffers in rounds.  Each buffer holds
 * records in order, and a FINISHED_ROUND record ends each round.  A round reads
 * everything that was in the buffers when it began, so after it, no record is
 * missing that is older than the newest record of the round before:
 *
 *	          round 1          round 2          round 3
 *	      CPU 0 | CPU 1    CPU 0 | CPU 1    CPU 0 | CPU 1
 *	        1   |   2        3   |   5        6   |   8
 *	        2   |   3        4   |   6        7   |   9
 *	            |   4        5   |   7        9   |  10
 *	                   end              end              end
 *	            (newest: 4)      (newest: 7)      (newest: 10)
 *	            nothing          up to 4          up to 7
 *
 * Records are delivered when 4 MB have come, since a few come later than rounds
 * tell.  One that comes later still begins the next delivery, and is counted.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include "reader.h"

struct queue_entry {
	uint64_t time;
	uint32_t block;		/* its number; the entry holds it */
	uint32_t at;		/* the place of the record in it */
};

/* Begins with the first two set, and all else zero. */
struct queue {
	struct blocks *blocks;
	size_t most;		/* blocks, or as much memory, that may wait */
	struct queue_entry *list;
	struct queue_entry *spare;	/* for sorting */
	size_t count, room, spare_room;
	size_t next;		/* to be delivered */
	uint64_t bytes;		/* that came since the last delivery */
	uint64_t newest;	/* of all times */
	uint64_t limit;		/* all up to it has come after this round */
	uint64_t complete;	/* all up to it has come */
	uint64_t delivered;	/* newest of the times delivered */
	unsigned long long late;	/* records older than that */
};

#define QUEUE_MOST	192	/* blocks, of 256 KB */

/* Adds a record; its time is 0 if it has none.  True if the queue is due. */
bool queue_add(struct queue *queue, const struct record *record,
    struct block *block, uint64_t time);

/* Notes a record that is left out. */
static inline void
queue_skip(struct queue *queue, size_t len, uint64_t time)
{
	queue->bytes += len;
	if (time > queue->newest)
		queue->newest = time;
}

/* Ends a round.  True if the queue is due. */
bool queue_end_round(struct queue *queue);

/* True if too much waits, even after a delivery. */
bool queue_is_full(const struct queue *queue);

/* Makes the older half of what waits complete, after a delivery. */
void queue_halve(struct queue *queue);

/* Begins a delivery of all that is complete. */
void queue_begin(struct queue *queue);

/* A record that is delivered. */
struct delivery {
	struct record record;
	const struct block *block;	/* that it is in */
	uint64_t time;
};

/* Stores the next one; false if there are no more. */
bool queue_next(struct queue *queue, struct delivery *next);

/* Ends a delivery, whose records may go away. */
void queue_end(struct queue *queue);

void queue_free(struct queue *queue);

#endif
