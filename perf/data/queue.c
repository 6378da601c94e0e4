#include <stdlib.h>
#include <string.h>

#include "lib/sort.h"
#include "queue.h"

/* Bytes of records between two deliveries. */
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
	return queue->blocks->used + queue->count *
	    (sizeof(*queue->list) + sizeof(*queue->spare)) / BLOCK_BYTES >
	    queue->most;
}

bool
queue_add(struct queue *queue, const struct record *record,
    struct block *block, uint64_t time)
{
	if (queue->count == queue->room) {
		queue->list = mem_grow(queue->list, &queue->room,
		    queue->count + 1, sizeof(*queue->list));
		free(queue->spare);
		queue->spare = NULL;
	}
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

/* Entries in order, up to an end. */
struct run {
	size_t begin, end;
};

/* More than as many runs as are each more than half as long as the next. */
#define RUNS	64

/* Returns the run that begins at an entry. */
static struct run
find_run(const struct queue *queue, size_t begin)
{
	const struct queue_entry *list = queue->list;
	size_t end = begin + 1;

	while (end < queue->count && list[end].time >= list[end - 1].time)
		end++;
	return (struct run){ begin, end };
}

static bool
is_up_to(const void *entry, const void *time)
{
	return ((const struct queue_entry *)entry)->time <=
	    *(const uint64_t *)time;
}

/*
 * Merges a run and the next.  Mostly rounds follow each other, so that few
 * entries of the first one come after the first of the next.
 */
static void
merge(struct queue *queue, struct run *run, const struct run *next)
{
	struct queue_entry *list = queue->list, *to, *from = queue->spare;
	const struct queue_entry *other = list + next->begin, *end, *last;

	to = list + run->begin + lower_bound(&other->time, list + run->begin,
	    run->end - run->begin, sizeof(*list), is_up_to);
	end = from + (other - to);
	memcpy(from, to, (size_t)(end - from) * sizeof(*to));
	last = list + next->end;
	while (from < end && other < last)
		*to++ = other->time < from->time ? *other++ : *from++;
	memcpy(to, from, (size_t)(end - from) * sizeof(*to));
	run->end = next->end;
}

/* Merges runs, each with one that is about as long. */
static void
sort(struct queue *queue)
{
	struct run runs[RUNS];
	size_t count = 0, end = 0;

	while (end < queue->count || count > 1) {
		if (count > 1 && (end == queue->count ||
		    (runs[count - 2].end - runs[count - 2].begin) / 2 <
		    runs[count - 1].end - runs[count - 1].begin)) {
			if (queue->spare == NULL)
				queue->spare = mem_array(queue->room,
				    sizeof(*queue->spare));
			count--;
			merge(queue, &runs[count - 1], &runs[count]);
		} else {
			runs[count] = find_run(queue, end);
			end = runs[count++].end;
		}
	}
}

void
queue_begin(struct queue *queue)
{
	sort(queue);
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
		    queue->blocks->list[queue->list[i].block], 1);
	queue->count -= queue->next;
	if (queue->next > 0)
		memmove(queue->list, queue->list + queue->next,
		    queue->count * sizeof(*queue->list));
	queue->next = 0;
}
