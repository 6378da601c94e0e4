#include "lib/sort.h"
#include "queue.h"

/* Bytes of records between two deliveries: how far the queue reaches. */
#ifndef QUEUE_BYTES
#define QUEUE_BYTES	((uint64_t)4 * 1024 * 1024)
#endif

#define BLOCKS_MOST	192	/* that may wait, or as much other memory */
#define AHEAD	640	/* bytes; what follows in a run is being fetched */

bool
queue_is_full(const struct queue *queue)
{
	return queue->file->blocks.used + queue->count *
	    sizeof(*queue->runs) / BLOCK_BYTES >
	    BLOCKS_MOST + READER_BLOCKS * queue->file->count;
}

bool
queue_add(struct queue *queue, const struct record *record,
    struct block *block)
{
	/* runs from before a delivery are in another order now */
	struct queue_run *run = queue->count > queue->waiting ?
	    &queue->runs[queue->count - 1] : NULL;
	uint32_t at = (uint32_t)(record->bytes.data - block->data);
	uint64_t time = record_turn(record, &queue->file->attrs,
	    queue->file->header.is_pipe);

	if (run == NULL || run->block != block || run->end != at ||
	    run->newest > time) {
		run = LIST_ADD(queue->runs, queue->count, queue->room);
		*run = (struct queue_run){ .time = time,
		    .number = queue->number++, .block = block, .at = at };
		block->held++;
	}
	run->newest = time;
	run->end = at + (uint32_t)record->bytes.len;
	queue_skip(queue, record->bytes.len, time);
	return (time == 0 && queue->bytes >= QUEUE_BYTES) ||
	    queue_is_full(queue);
}

bool
queue_end_round(struct queue *queue)
{
	if (queue->limit > queue->complete)
		queue->complete = queue->limit;
	queue->limit = queue->newest;
	return queue->bytes >= QUEUE_BYTES;
}

void
queue_halve(struct queue *queue)
{
	sort_by_number(queue->runs, queue->count, sizeof(*queue->runs));
	queue->complete = queue->runs[queue->count / 2].newest;
}

static inline bool
is_older(const struct queue_run *run, const struct queue_run *other)
{
	return run->time != other->time ? run->time < other->time :
	    run->number < other->number;
}

/* Moves a run down the heap while one below is older. */
static inline void
sift(struct queue *queue, size_t at)
{
	struct queue_run *runs = queue->runs, run;
	size_t below;

	while ((below = 2 * at + 1) < queue->waiting) {
		below += below + 1 < queue->waiting &&
		    is_older(&runs[below + 1], &runs[below]);
		if (!is_older(&runs[below], &runs[at]))
			break;
		run = runs[at];
		runs[at] = runs[below];
		runs[below] = run;
		at = below;
	}
}

void
queue_begin(struct queue *queue)
{
	size_t at = queue->waiting = queue->count;

	while (at > 0)
		sift(queue, --at);
	queue->bytes = 0;
}

bool
queue_next(struct queue *queue, struct delivery *next)
{
	struct queue_run *run = queue->runs, done;
	struct record record;
	uint64_t time;

	if (queue->waiting == 0 || run->time > queue->complete)
		return false;
	next->time = run->time;
	next->block = run->block;
	next->record = record_at(next->block->data + run->at);
	prefetch(next->record.bytes.data + AHEAD);
	prefetch(next->record.bytes.data + AHEAD + PREFETCH_LINE);
	run->at += (uint32_t)next->record.bytes.len;
	if (run->at < run->end) {
		record = record_at(next->block->data + run->at);
		time = record_turn(&record, &queue->file->attrs,
		    queue->file->header.is_pipe);
		/* it may be another one now, if an event was added */
		run->time = time < run->newest ? time : run->newest;
	} else {
		done = *run;
		*run = queue->runs[--queue->waiting];
		queue->runs[queue->waiting] = done;
	}
	sift(queue, 0);
	if (next->time >= queue->delivered)
		queue->delivered = next->time;
	else if (next->time > 0)
		queue->late++;
	return true;
}

void
queue_end(struct queue *queue)
{
	while (queue->count > queue->waiting)
		blocks_drop(&queue->file->blocks,
		    queue->runs[--queue->count].block);
}
