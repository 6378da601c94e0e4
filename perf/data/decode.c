#include <stdlib.h>
#include <string.h>

#include "decode.h"

/* Room for the chains of deferred samples; one takes less than 2^17 bytes. */
#define JOINED_BYTES	((size_t)256 * 1024)

#define WORD		ATTR_WORD
#define BUCKETS_BITS	17

/*
 * If parked samples need more memory, the oldest are given up.  A processor's
 * buffer has 512 KB or so, and few samples wait beyond its end.
 */
#ifndef DEFERRED_BYTES
#define DEFERRED_BYTES	((size_t)16 * 1024 * 1024)
#endif

void
decode_free(struct decode *decode)
{
	struct parked *parked;

	while ((parked = decode->first) != NULL) {
		decode->first = parked->after;
		free(parked);
	}
	free(decode->buckets);
	jitcode_free(&decode->jit);
	free(decode->joined);
}

/* Makes stacks of what waits if it holds the maps of a process. */
static void
flush_users(struct decode *decode, int32_t pid)
{
	const struct task *task = process_find(decode->process, pid);

	if (task != NULL && task->maps != NULL && task->maps->users > 1)
		callchain_flush(decode->chains);
}

/* Adds the functions that were compiled up to a time. */
static void
add_loads(struct decode *decode, uint64_t time)
{
	struct jitcode_load load;

	while (jitcode_next(&decode->jit, time, &load)) {
		decode->jit.late += decode->jit.grows && load.time > 0 &&
		    load.time < decode->time;
		flush_users(decode, load.pid);
		decode->bytes -= mem_taken();
		process_map(decode->process, load.pid, &load.map);
		decode->bytes += mem_taken();
	}
}

/* Changes what is known of processes; false if a record makes no sense. */
static bool
change(struct decode *decode, const struct record *record)
{
	bool is_map = record->type == RECORD_MMAP ||
	    record->type == RECORD_MMAP2;
	bool is_kernel = record->type == RECORD_KSYMBOL ||
	    (is_map && record_mode(record) == MODE_KERNEL);
	struct process *process = decode->process;
	struct record_fields fields;

	if (record->type == RECORD_LOST || record->type == RECORD_LOST_SAMPLES)
		decode->lost += record_lost(record);
	/* else samples would have it */
	if (record->type == RECORD_DEFERRED_CHAIN ||
	    !record_fields(record, &fields))
		return false;
	if (is_map && record_is_guest(record))
		return true;
	if (is_kernel)
		callchain_flush(decode->chains);
	else if (is_map)
		flush_users(decode, fields.pid);
	decode->bytes -= mem_taken();
	if (is_map && !is_kernel &&
	    jitcode_add(&decode->jit, &process->modules, &fields))
		process_add_jit(process, fields.pid);
	process_take(process, record, &fields);
	decode->bytes += mem_taken();
	if (is_kernel)
		callchain_set_kernel(decode->chains, process->kernel,
		    process->modules.kernel);
	return true;
}

/* Takes a record that is no sample. */
static void
take_change(struct decode *decode, const struct delivery *next)
{
	const struct record *record = &next->record;

	if (!change(decode, record))
		samples_note_odd(decode->samples,
		    block_offset(next->block, record));
	samples_take_change(decode->samples, record, next->time);
	if (decode->bytes <= (long long)decode->memory)
		return;
	decode->is_full = true;
	decode->full_at = block_offset(next->block, record);
}

/* Takes a sample that was parked, with the rest of its chain. */
static void
take_parked(struct decode *decode, const struct parked *parked,
    struct str rest)
{
	const struct record *record = &parked->record;
	const struct attr *attr = attrs_of_sample(decode->attrs,
	    record->bytes);
	struct record_sample sample;
	char *words;

	if (attr == NULL || !record_sample(record, attr, &sample)) {
		samples_note_odd(decode->samples, parked->at);
		return;
	}
	if (decode->joined == NULL)
		decode->joined = mem_array(1, JOINED_BYTES);
	if (JOINED_BYTES - decode->joined_len < sample.chain.len + rest.len) {
		callchain_flush(decode->chains);
		decode->joined_len = 0;
	}
	words = decode->joined + decode->joined_len;
	if (sample.chain.len >= WORD)
		sample.chain.len -= WORD;	/* the cookie */
	if (sample.chain.len > 0)
		memcpy(words, sample.chain.data, sample.chain.len);
	if (rest.len > 0)
		memcpy(words + sample.chain.len, rest.data, rest.len);
	decode->joined_len += sample.chain.len + rest.len;
	samples_take(decode->samples, record, NULL, parked->at,
	    (struct str){ words, sample.chain.len + rest.len });
}

static struct parked **
find_bucket(struct decode *decode, int32_t tid, uint64_t cookie)
{
	uint64_t key = cookie ^ (uint64_t)(uint32_t)tid << 32;

	if (decode->buckets == NULL) {
		table_seed();
		decode->buckets = mem_array((size_t)1 << BUCKETS_BITS,
		    sizeof(*decode->buckets));
	}
	return &decode->buckets[key * table_multiplier() >>
	    (64 - BUCKETS_BITS)];
}

/* Takes a sample off the list of parked ones. */
static void
unlink_parked(struct decode *decode, struct parked *parked)
{
	if (parked->before == NULL)
		decode->first = parked->after;
	else
		parked->before->after = parked->after;
	if (parked->after == NULL)
		decode->last = parked->before;
	else
		parked->after->before = parked->before;
	decode->parked_bytes -= sizeof(*parked) + parked->record.bytes.len;
}

/*
 * Takes a thread's parked samples with a cookie, the oldest first.  `chain` is
 * NULL if it never came.  A bucket begins with the newest.
 */
static void
take_all_parked(struct decode *decode, int32_t tid, uint64_t cookie,
    const struct record_deferred *chain)
{
	struct parked **link = find_bucket(decode, tid, cookie), *parked;
	struct parked *taken = NULL;

	while ((parked = *link) != NULL) {
		if (parked->tid != tid || parked->cookie != cookie) {
			link = &parked->next;
			continue;
		}
		*link = parked->next;
		unlink_parked(decode, parked);
		parked->next = taken;
		taken = parked;
	}
	while ((parked = taken) != NULL) {
		taken = parked->next;
		take_parked(decode, parked,
		    chain == NULL ? STR("") : chain->words);
		decode->alone += chain == NULL;
		free(parked);
	}
}

/* Gives up the samples of the oldest cookie. */
static void
take_oldest(struct decode *decode)
{
	take_all_parked(decode, decode->first->tid, decode->first->cookie,
	    NULL);
}

/* Parks a sample that waits for its chain; false if it does not. */
static bool
park(struct decode *decode, const struct delivery *next)
{
	const struct record *record = &next->record;
	const struct attr *attr = attrs_of_sample(decode->attrs,
	    record->bytes);
	struct parked *parked, **bucket;
	struct record_sample sample;
	const char *end;

	if (attr == NULL || !attr_defers_chains(attr) ||
	    !record_sample(record, attr, &sample) ||
	    sample.chain.len < 2 * WORD)
		return false;
	end = sample.chain.data + sample.chain.len;
	if (attr_word(end - 2 * WORD) != CONTEXT_USER_DEFERRED)
		return false;
	parked = mem_array(1, sizeof(*parked) + record->bytes.len);
	bucket = find_bucket(decode, sample.tid, attr_word(end - WORD));
	*parked = (struct parked){ .next = *bucket, .before = decode->last,
	    .cookie = attr_word(end - WORD),
	    .at = block_offset(next->block, record), .tid = sample.tid,
	    .record = *record };
	memcpy(parked + 1, record->bytes.data, record->bytes.len);
	parked->record.bytes.data = (const char *)(parked + 1);
	*bucket = parked;
	if (decode->last == NULL)
		decode->first = parked;
	else
		decode->last->after = parked;
	decode->last = parked;
	decode->parked_bytes += sizeof(*parked) + record->bytes.len;
	while (decode->parked_bytes > DEFERRED_BYTES)
		take_oldest(decode);
	return true;
}

static inline void
take(struct decode *decode, const struct delivery *next)
{
	const struct record *record = &next->record;
	bool defers = decode->attrs->defers_chains;
	struct record_deferred chain;
	const struct attr *attr;

	add_loads(decode, next->time);
	if (next->time > decode->time)
		decode->time = next->time;
	if (record->type == RECORD_SAMPLE) {
		if (!defers || !park(decode, next))
			samples_take(decode->samples, record, next->block, 0,
			    STR(""));
		return;
	}
	if (defers && record->type == RECORD_DEFERRED_CHAIN) {
		attr = attrs_find(decode->attrs, record->bytes, false);
		if (attr != NULL && record_deferred(record, attr, &chain)) {
			take_all_parked(decode, chain.tid, chain.cookie,
			    &chain);
			return;
		}
	}
	take_change(decode, next);
}

void
decode_queue(struct decode *decode, struct queue *queue)
{
	struct delivery next;

	samples_begin(decode->samples);
	jitcode_read_on(&decode->jit);
	queue_begin(queue);
	while (decode->samples->refused == NULL && !decode->is_full &&
	    queue_next(queue, &next))
		take(decode, &next);
	callchain_flush(decode->chains);
	decode->joined_len = 0;
	queue_end(queue);
}

void
decode_end(struct decode *decode)
{
	while (!decode->is_full && decode->samples->refused == NULL &&
	    decode->first != NULL)
		take_oldest(decode);
	callchain_flush(decode->chains);
}
