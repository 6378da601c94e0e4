#include <stdlib.h>
#include <string.h>

#include "deferred.h"

#define WORD		ATTR_WORD
#define BUCKETS_BITS	17

/*
 * If samples need more memory, the oldest are given up.  A processor's buffer
 * has 512 KB or so, and few samples wait beyond its end.
 */
#ifndef DEFERRED_BYTES
#define DEFERRED_BYTES	((size_t)16 * 1024 * 1024)
#endif

static struct parked **
find_bucket(struct deferred *deferred, int32_t tid, uint64_t cookie)
{
	uint64_t key = cookie ^ (uint64_t)(uint32_t)tid << 32;

	if (deferred->buckets == NULL) {
		table_seed();
		deferred->buckets = mem_array((size_t)1 << BUCKETS_BITS,
		    sizeof(*deferred->buckets));
	}
	return &deferred->buckets[key * table_multiplier() >>
	    (64 - BUCKETS_BITS)];
}

static size_t
size_of(const struct parked *parked)
{
	return sizeof(*parked) + parked->record.bytes.len;
}

bool
deferred_park(struct deferred *deferred, const struct record *record,
    const struct attr *attr, uint64_t at)
{
	struct parked *parked, **bucket;
	struct record_sample sample;
	const char *end;

	if (!attr_defers_chains(attr) ||
	    !record_sample(record, attr, &sample) ||
	    sample.chain.len < 2 * WORD)
		return false;
	end = sample.chain.data + sample.chain.len;
	if (attr_word(end - 2 * WORD) != CONTEXT_USER_DEFERRED)
		return false;
	parked = mem_array(1, sizeof(*parked) + record->bytes.len);
	bucket = find_bucket(deferred, sample.tid, attr_word(end - WORD));
	*parked = (struct parked){ .next = *bucket, .before = deferred->last,
	    .cookie = attr_word(end - WORD), .at = at, .tid = sample.tid,
	    .record = *record };
	memcpy(parked + 1, record->bytes.data, record->bytes.len);
	parked->record.bytes.data = (const char *)(parked + 1);
	*bucket = parked;
	if (deferred->last == NULL)
		deferred->first = parked;
	else
		deferred->last->after = parked;
	deferred->last = parked;
	deferred->bytes += size_of(parked);
	return true;
}

static void
unlink_parked(struct deferred *deferred, struct parked *parked)
{
	if (parked->before == NULL)
		deferred->first = parked->after;
	else
		parked->before->after = parked->after;
	if (parked->after == NULL)
		deferred->last = parked->before;
	else
		parked->after->before = parked->before;
	deferred->bytes -= size_of(parked);
}

/* The newest is the first in its bucket. */
struct parked *
deferred_take(struct deferred *deferred, int32_t tid, uint64_t cookie)
{
	struct parked **link = find_bucket(deferred, tid, cookie), *parked;
	struct parked *taken = NULL;

	while ((parked = *link) != NULL) {
		if (parked->tid != tid || parked->cookie != cookie) {
			link = &parked->next;
			continue;
		}
		*link = parked->next;
		unlink_parked(deferred, parked);
		parked->next = taken;
		taken = parked;
	}
	return taken;
}

struct parked *
deferred_take_oldest(struct deferred *deferred, bool all)
{
	struct parked *first = deferred->first;

	return first == NULL || (!all && deferred->bytes <= DEFERRED_BYTES) ?
	    NULL : deferred_take(deferred, first->tid, first->cookie);
}

void
deferred_free(struct deferred *deferred)
{
	struct parked *parked, *after;

	for (parked = deferred->first; parked != NULL; parked = after) {
		after = parked->after;
		free(parked);
	}
	free(deferred->buckets);
}
