#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "deferred.h"

#define WORD		ATTR_WORD

#define BUCKETS_BITS	17

/*
 * What waits longer than this much of its kind waits no longer.  A processor's
 * buffer is of 512 KB or so, and few samples wait beyond its end.
 */
#ifndef DEFERRED_BYTES
#define DEFERRED_BYTES	((size_t)16 * 1024 * 1024)
#endif

#define RECORD_MOST	((size_t)UINT16_MAX / WORD * WORD)

/* A sample that waits, or a chain that is kept. */
struct held {
	struct held *next;	/* of its bucket */
	struct held *before, *after;	/* in its queue */
	uint64_t cookie, time;
	int32_t tid;
	size_t chain;		/* of a sample: where its chain ends, */
	size_t count;		/* and where its length is */
	size_t len;
	char bytes[];		/* the sample, or a chain's addresses */
};

static struct held **
find_bucket(struct deferred_queue *queue, int32_t tid, uint64_t cookie)
{
	uint64_t key = cookie ^ (uint64_t)(uint32_t)tid << 32;

	if (queue->buckets == NULL) {
		table_seed();
		queue->buckets = mem_array((size_t)1 << BUCKETS_BITS,
		    sizeof(*queue->buckets));
	}
	return &queue->buckets[key * table_multiplier() >>
	    (64 - BUCKETS_BITS)];
}

static bool
is_of(const struct held *held, int32_t tid, uint64_t cookie)
{
	return held->tid == tid && held->cookie == cookie;
}

/* Holds what has all set except its links. */
static void
hold(struct deferred_queue *queue, struct held *held)
{
	struct held **bucket = find_bucket(queue, held->tid, held->cookie);

	held->next = *bucket;
	*bucket = held;
	held->after = NULL;
	held->before = queue->last;
	if (queue->last == NULL)
		queue->first = held;
	else
		queue->last->after = held;
	queue->last = held;
	queue->bytes += sizeof(*held) + held->len;
}

/* Holds no longer what is in no bucket any more. */
static void
let_go(struct deferred_queue *queue, struct held *held)
{
	if (held->before == NULL)
		queue->first = held->after;
	else
		held->before->after = held->after;
	if (held->after == NULL)
		queue->last = held->before;
	else
		held->after->before = held->before;
	queue->bytes -= sizeof(*held) + held->len;
}

/*
 * Takes all that is held of a thread and a cookie; returns the oldest, which
 * leads to the others by `next`.  The newest is first in the bucket.
 */
static struct held *
take(struct deferred_queue *queue, int32_t tid, uint64_t cookie)
{
	struct held **link = find_bucket(queue, tid, cookie), *held;
	struct held *taken = NULL;

	while ((held = *link) != NULL) {
		if (!is_of(held, tid, cookie)) {
			link = &held->next;
			continue;
		}
		*link = held->next;
		let_go(queue, held);
		held->next = taken;
		taken = held;
	}
	return taken;
}

static void
drop_chains(struct deferred_queue *chains, int32_t tid, uint64_t cookie)
{
	struct held *held = take(chains, tid, cookie), *next;

	for (; held != NULL; held = next) {
		next = held->next;
		free(held);
	}
}

/* Returns where the next joined sample is put, of this size at most. */
static char *
make_room(struct deferred *deferred, size_t size)
{
	struct blocks *blocks = &deferred->window->file->blocks;
	struct block *block = deferred->block;

	if (block == NULL || BLOCK_BYTES - block->len < size) {
		if (block != NULL)
			blocks_drop(blocks, block, 1);
		block = deferred->block = blocks_take(blocks);
		block->has_turns = block->is_unpacked = true;
		block->at = datafile_given(deferred->window->file);
	}
	return block->data + block->len;
}

/*
 * Gives on a sample with the rest of its chain in the place of the cookie, and
 * behind it the time at which it takes effect.
 */
static void
give_on(struct deferred *deferred, const struct held *sample,
    struct str rest, uint64_t time)
{
	size_t before = sample->chain - WORD;
	size_t after = sample->len - sample->chain, size;
	struct record record;
	char *to;

	if (rest.len > RECORD_MOST - sample->len)
		rest.len = (RECORD_MOST - sample->len) / WORD * WORD;
	size = before + rest.len + after + WORD;
	to = make_room(deferred, size);
	memcpy(to, sample->bytes, before);
	if (rest.len > 0)
		memcpy(to + before, rest.data, rest.len);
	memcpy(to + before + rest.len, sample->bytes + sample->chain, after);
	attr_put_word(to + size - WORD, time);
	attr_put_word(to + sample->count, attr_word(to + sample->count) - 1 +
	    rest.len / WORD);
	to[6] = (char)(size & 0xff);
	to[7] = (char)(size >> 8);
	deferred->block->len += size;
	record = record_at(to);
	window_add(deferred->window, &record, deferred->block);
}

/* Passes on all samples of a system call; the chain is NULL if none came. */
static void
give_on_all(struct deferred *deferred, int32_t tid, uint64_t cookie,
    const struct held *chain)
{
	struct held *held = take(&deferred->samples, tid, cookie), *next;
	struct str none = STR("");

	for (; held != NULL; held = next) {
		next = held->next;
		if (chain != NULL)
			give_on(deferred, held, (struct str){ chain->bytes,
			    chain->len }, chain->time);
		else
			give_on(deferred, held, none, held->time);
		deferred->alone += chain == NULL;
		free(held);
	}
}

/* Ends the wait of the oldest of what is too much, or needs not be kept. */
static void
relieve(struct deferred *deferred)
{
	struct held *first;

	while (deferred->samples.bytes > DEFERRED_BYTES) {
		first = deferred->samples.first;
		give_on_all(deferred, first->tid, first->cookie, NULL);
	}
	while ((first = deferred->chains.first) != NULL &&
	    (first->time <= deferred->window->complete ||
	    deferred->chains.bytes > DEFERRED_BYTES))
		drop_chains(&deferred->chains, first->tid, first->cookie);
}

/* Returns a sample that waits, or NULL if it does not. */
static struct held *
read_sample(struct deferred *deferred, const struct record *record)
{
	struct datafile *file = deferred->window->file;
	const struct attr *attr = attrs_of_sample(&file->attrs, record->bytes);
	struct record_sample sample;
	struct held *held;
	const char *end;

	if (attr == NULL || !attr_defers_chains(attr) ||
	    record->bytes.len > RECORD_MOST - WORD ||
	    !record_sample(record, attr, &sample) ||
	    sample.chain.len < 2 * WORD)
		return NULL;
	end = sample.chain.data + sample.chain.len;
	if (attr_word(end - 2 * WORD) != CONTEXT_USER_DEFERRED)
		return NULL;
	held = mem_array(1, sizeof(*held) + record->bytes.len);
	held->cookie = attr_word(end - WORD);
	held->tid = sample.tid;
	held->time = record_turn(record, &file->attrs, file->header.is_pipe);
	held->chain = (size_t)(end - record->bytes.data);
	held->count = held->chain - sample.chain.len - WORD;
	held->len = record->bytes.len;
	memcpy(held->bytes, record->bytes.data, record->bytes.len);
	return held;
}

/* Returns a chain that samples wait for, or NULL if it makes no sense. */
static struct held *
read_chain(struct deferred *deferred, const struct record *record)
{
	struct datafile *file = deferred->window->file;
	const struct attr *attr = attrs_find(&file->attrs, record->bytes,
	    false);
	struct record_deferred chain;
	struct held *held;

	if (attr == NULL || !record_deferred(record, attr, &chain))
		return NULL;
	held = mem_array(1, sizeof(*held) + chain.words.len);
	held->cookie = chain.cookie;
	held->tid = chain.tid;
	held->time = record_turn(record, &file->attrs, file->header.is_pipe);
	held->len = chain.words.len;
	if (held->len > 0)
		memcpy(held->bytes, chain.words.data, held->len);
	return held;
}

/* Joins a chain to the samples that wait for it, and keeps it for others. */
static bool
add_chain(struct deferred *deferred, const struct record *record)
{
	struct held *chain = read_chain(deferred, record);

	if (chain == NULL)
		return false;
	give_on_all(deferred, chain->tid, chain->cookie, chain);
	drop_chains(&deferred->chains, chain->tid, chain->cookie);
	hold(&deferred->chains, chain);
	return true;
}

/* Joins a sample to its chain, or lets it wait; false if it waits for none. */
static bool
add_sample(struct deferred *deferred, const struct record *record)
{
	struct held *sample = read_sample(deferred, record), *chain;

	if (sample == NULL)
		return false;
	chain = *find_bucket(&deferred->chains, sample->tid, sample->cookie);
	while (chain != NULL && !is_of(chain, sample->tid, sample->cookie))
		chain = chain->next;
	hold(&deferred->samples, sample);
	if (chain != NULL)
		give_on_all(deferred, chain->tid, chain->cookie, chain);
	return true;
}

void
deferred_take(struct deferred *deferred, const struct record *record,
    struct block *block)
{
	bool is_held = record->type == RECORD_DEFERRED_CHAIN ?
	    add_chain(deferred, record) :
	    record->type == RECORD_SAMPLE && add_sample(deferred, record);

	if (is_held)
		relieve(deferred);
	else
		window_add(deferred->window, record, block);
}

void
deferred_end(struct deferred *deferred)
{
	struct held *first;

	while ((first = deferred->samples.first) != NULL)
		give_on_all(deferred, first->tid, first->cookie, NULL);
	while ((first = deferred->chains.first) != NULL)
		drop_chains(&deferred->chains, first->tid, first->cookie);
	if (deferred->block != NULL)
		blocks_drop(&deferred->window->file->blocks, deferred->block,
		    1);
	free(deferred->samples.buckets);
	free(deferred->chains.buckets);
}
