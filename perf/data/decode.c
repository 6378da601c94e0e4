#include <stdlib.h>
#include <string.h>

#include "decode.h"

/* Room for the chains of deferred samples; one takes less than 2^17 bytes. */
#define JOINED_BYTES	((size_t)256 * 1024)

void
decode_init(struct decode *decode, bool is_pipe)
{
	jitcode_init(&decode->jit, decode->attrs, is_pipe);
}

void
decode_free(struct decode *decode)
{
	jitcode_free(&decode->jit);
	deferred_free(&decode->deferred);
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
	enum record_mode mode = is_map ? record_mode(record) : MODE_UNKNOWN;
	bool is_kernel = record->type == RECORD_KSYMBOL || mode == MODE_KERNEL;
	struct process *process = decode->process;
	struct record_fields fields;

	if (record->type == RECORD_LOST || record->type == RECORD_LOST_SAMPLES)
		decode->lost += record_lost(record);
	/* else samples would have it */
	if (record->type == RECORD_DEFERRED_CHAIN ||
	    !record_fields(record, &fields))
		return false;
	if (mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER)
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
	if (sample.chain.len >= ATTR_WORD)
		sample.chain.len -= ATTR_WORD;	/* the cookie */
	if (sample.chain.len > 0)
		memcpy(words, sample.chain.data, sample.chain.len);
	if (rest.len > 0)
		memcpy(words + sample.chain.len, rest.data, rest.len);
	decode->joined_len += sample.chain.len + rest.len;
	samples_take_deferred(decode->samples, record, parked->at,
	    (struct str){ words, sample.chain.len + rest.len });
}

/* Takes samples that were parked, whose chain never came if it is NULL. */
static void
take_all_parked(struct decode *decode, struct parked *parked,
    const struct record_deferred *chain)
{
	struct parked *next;

	for (; parked != NULL; parked = next) {
		next = parked->next;
		take_parked(decode, parked,
		    chain == NULL ? STR("") : chain->words);
		decode->deferred.alone += chain == NULL;
		free(parked);
	}
}

/* Parks a sample that waits for its chain; false if it does not. */
static bool
park(struct decode *decode, const struct delivery *next)
{
	const struct record *record = &next->record;
	const struct attr *attr = attrs_of_sample(decode->attrs,
	    record->bytes);

	if (attr == NULL || !deferred_park(&decode->deferred, record, attr,
	    block_offset(next->block, record)))
		return false;
	take_all_parked(decode, deferred_take_oldest(&decode->deferred, false),
	    NULL);
	return true;
}

/* Takes a chain that samples wait for; false if it makes no sense. */
static bool
take_chain(struct decode *decode, const struct record *record)
{
	const struct attr *attr = attrs_find(decode->attrs, record->bytes,
	    false);
	struct record_deferred chain;

	if (attr == NULL || !record_deferred(record, attr, &chain))
		return false;
	take_all_parked(decode, deferred_take(&decode->deferred, chain.tid,
	    chain.cookie), &chain);
	return true;
}

static inline void
take(struct decode *decode, const struct delivery *next)
{
	const struct record *record = &next->record;
	bool defers = decode->attrs->defers_chains;

	add_loads(decode, next->time);
	if (next->time > decode->time)
		decode->time = next->time;
	if (record->type != RECORD_SAMPLE) {
		if (!defers || record->type != RECORD_DEFERRED_CHAIN ||
		    !take_chain(decode, record))
			take_change(decode, next);
	} else if (!defers || !park(decode, next))
		samples_take(decode->samples, record, next->block);
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
	struct parked *parked;

	while (!decode->is_full && decode->samples->refused == NULL &&
	    (parked = deferred_take_oldest(&decode->deferred, true)) != NULL)
		take_all_parked(decode, parked, NULL);
	callchain_flush(decode->chains);
}
