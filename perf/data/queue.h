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

#include "datafile.h"

/*
 * Consecutive records in a block, with times in order.  A recording of some
 * processors has few runs, which are merged.
 */
struct queue_run {
	uint64_t newest;	/* the time of the last one */
	uint64_t time;		/* of the next one to be delivered */
	uint64_t number;	/* in the order in which runs came */
	struct block *block;	/* the run holds it */
	uint32_t at, end;	/* the places of the next one, and after all */
};

/* Begins with its file set, and all else zero. */
struct queue {
	struct datafile *file;	/* whose blocks have the records */
	struct queue_run *runs;	/* during a delivery: a heap by time, then
				   the delivered runs */
	size_t count, room;
	size_t waiting;		/* runs in the heap; new ones come after it */
	uint64_t number;	/* of the next run */
	uint64_t bytes;		/* that came since the last delivery */
	uint64_t newest;	/* of all times */
	uint64_t limit;		/* all up to it has come after this round */
	uint64_t complete;	/* all up to it has come */
	uint64_t delivered;	/* newest of the times delivered */
	unsigned long long late;	/* records older than that */
};

/* Adds a record.  True if the queue is due. */
bool queue_add(struct queue *queue, const struct record *record,
    struct block *block);

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

/* Makes the older half complete if too much waits after a delivery. */
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

#endif
