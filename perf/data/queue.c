#include <stdlib.h>
#include <string.h>

#include "lib/sort.h"
#include "queue.h"

/* Bytes of records between two deliveries: how far the queue reaches. */
#ifndef QUEUE_BYTES
#define QUEUE_BYTES	((uint64_t)4 * 1024 * 1024)
#endif

#define AHEAD	16	/* records; the next ones are being fetched */

void
queue_free(struct queue *queue)
{
	free(queue->list);
	free(queue->spare);
}

bool
queue_is_full(const struct queue *queue)
{
	/* the list, and as much to sort it */
	return queue->blocks->used + queue->count *
	    (2 * sizeof(*queue->list)) / BLOCK_BYTES > queue->most;
}

bool
queue_add(struct queue *queue, const struct record *record,
    struct block *block, uint64_t time)
{
	if (queue->count == queue->room)
		queue->list = mem_grow(queue->list, &queue->room,
		    queue->count + 1, sizeof(*queue->list));
	queue->list[queue->count++] = (struct queue_entry){
	    time, block->number,
	    (uint32_t)(record->bytes.data - block->data) };
	block->held++;
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
	if (queue->count > 0)
		queue->complete = queue->list[queue->count / 2].time;
}

/* Returns where the entries in order end that begin at one. */
static size_t
find_end(const struct queue *queue, size_t begin)
{
	const struct queue_entry *list = queue->list;
	size_t end = begin + 1;

	while (end < queue->count && list[end].time >= list[end - 1].time)
		end++;
	return end;
}

/*
 * Merges two runs in order, up to and from `middle`.  Mostly rounds follow each
 * other, so that few entries of the first come after the first of the next.
 */
static void
merge(struct queue *queue, size_t begin, size_t middle, size_t end)
{
	struct queue_entry *list = queue->list, *to, *from;
	const struct queue_entry *other = list + middle, *last = list + end;
	size_t count;

	begin += sort_up_to(other->time, list + begin, middle - begin,
	    sizeof(*list));
	to = list + begin;
	count = middle - begin;
	from = queue->spare = mem_grow(queue->spare, &queue->spare_room, count,
	    sizeof(*list));
	memcpy(from, to, count * sizeof(*list));
	while (count > 0 && other < last)
		if (other->time < from->time)
			*to++ = *other++;
		else {
			*to++ = *from++;
			count--;
		}
	memcpy(to, from, count * sizeof(*list));
}

void
queue_begin(struct queue *queue)
{
	size_t begin, middle, end, runs;

	/* merge each run with the next, until there is one */
	do
		for (runs = begin = 0; begin < queue->count; begin = end) {
			end = middle = find_end(queue, begin);
			if (middle < queue->count) {
				end = find_end(queue, middle);
				merge(queue, begin, middle, end);
			}
			runs++;
		}
	while (runs > 1);
	queue->next = 0;
	queue->bytes = 0;
}

bool
queue_next(struct queue *queue, struct delivery *next)
{
	struct block *const *blocks = queue->blocks->list;
	const struct queue_entry *entry;
	const char *ahead;

	if (queue->next == queue->count)
		return false;
	entry = &queue->list[queue->next];
	if (entry->time > queue->complete)
		return false;
	if (++queue->next + AHEAD < queue->count) {
		ahead = blocks[entry[AHEAD].block]->data + entry[AHEAD].at;
		prefetch(ahead);
		prefetch(ahead + PREFETCH_LINE);
		prefetch(ahead + 2 * PREFETCH_LINE);
	}
	next->time = entry->time;
	next->block = blocks[entry->block];
	next->record = record_at(next->block->data + entry->at);
	if (entry->time >= queue->delivered)
		queue->delivered = entry->time;
	else if (entry->time > 0)
		queue->late++;
	return true;
}

void
queue_end(struct queue *queue)
{
	size_t i;

	for (i = 0; i < queue->next; i++)
		blocks_drop(queue->blocks,
		    queue->blocks->list[queue->list[i].block]);
	queue->count -= queue->next;
	if (queue->next > 0)
		memmove(queue->list, queue->list + queue->next,
		    queue->count * sizeof(*queue->list));
	queue->next = 0;
}
