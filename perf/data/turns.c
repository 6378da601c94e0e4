#include <stdlib.h>

#include "turns.h"

/*
 * If so many blocks wait for their order, the older half waits no longer; so
 * many slices need as much memory as one.
 */
#define WAITING_BLOCKS	192
#define BLOCK_SLICES	512

/*
 * A phase is of so many bytes, or so many records that are no samples; who
 * tests may want fewer.
 */
#ifndef PHASE_BYTES
#define PHASE_BYTES	((uint64_t)12 * 1024 * 1024)
#define PHASE_RECORDS	8192
#endif

/*
 * A flush may make any number of records due; of maps, each of them needs up to
 * 5 KB in its phase.
 */
#define PART_RECORDS	(2 * PHASE_RECORDS)

void
turns_init(struct turns *turns)
{
	struct effects *effects = turns->effects;

	turns->phases[0] = turns->phases[1] = (struct phase){
		.tasks = &effects->tasks,
		.roots = crew_samples(turns->crew)->roots,
		.kernel = effects->kernel, .nothing = effects->nothing,
	};
	turns->phase = &turns->phases[0];
}

void
turns_free(struct turns *turns)
{
	order_free(&turns->order);
	slices_free(&turns->slices);
	phase_free(&turns->phases[0]);
	phase_free(&turns->phases[1]);
	free(turns->due);
}

/* Notes that a record needs too much memory, with all that came before it. */
static void
check_memory(struct turns *turns, const struct due *due,
    const struct record *record)
{
	if (effects_bytes(turns->effects) <= turns->memory)
		return;
	turns->is_full = true;
	turns->full_at = block_offset(due->block, record);
	turns->full = due->moment;
}

/* Takes a record whose time has come. */
static void
take(struct turns *turns, const struct due *due)
{
	struct samples *samples = crew_samples(turns->crew);
	const struct block *block = due->block;
	size_t most = (size_t)(block->data + block->len - due->record);
	struct record record = record_at(due->record);

	/* a file may be another one by now */
	if (record.bytes.len > most)
		record.bytes.len = most;
	samples->number = due->moment.number;
	if (record.type == RECORD_SAMPLE) {
		samples_take(samples, &record, due->block);
		return;
	}
	crew_fold_ordered(turns->crew);
	if (!effects_take(turns->effects, turns->phase, due->moment, &record))
		samples_note_odd(samples, &record, due->block);
	check_memory(turns, due, &record);
}

/* Returns how far a phase takes what is due, and notes that as its end. */
static size_t
find_end(struct turns *turns)
{
	struct phase *phase = turns->phase;
	size_t end = turns->due_next + PART_RECORDS;

	if (turns->due_count - turns->due_next <= PART_RECORDS)
		return turns->due_count;
	phase->is_part = true;
	phase->end = turns->due[end].moment;
	return end;
}

/* Takes what is due, up to one, or to where memory is short. */
static void
take_due(struct turns *turns, size_t end)
{
	struct blocks *blocks = &turns->file->blocks;
	size_t i;

	for (i = turns->due_next; i < end && !turns->is_full; i++)
		take(turns, &turns->due[i]);
	crew_fold_ordered(turns->crew);
	if (turns->is_full) {
		turns->phase->is_part = true;
		turns->phase->end = turns->full;
		end = turns->due_count;
	}
	for (; turns->due_next < end; turns->due_next++)
		blocks_drop(blocks, turns->due[turns->due_next].block, 1);
}

/* Folds what is left of the phase that is folded; returns it, or NULL. */
static struct phase *
finish_folding(struct turns *turns)
{
	struct samples *samples = crew_samples(turns->crew);
	struct phase *phase = turns->crew->phase;

	if (phase != NULL)
		crew_finish(turns->crew);
	*samples->target->samples += samples->count;
	samples->count = 0;
	return phase;
}

/* Ends the phase that is folded, if one is. */
static void
finish_phase(struct turns *turns)
{
	struct phase *phase = finish_folding(turns);

	if (phase != NULL)
		phase_end(phase, &turns->file->blocks);
}

/* Has a phase folded, with what is due, or a part of that. */
static void
fold_part(struct turns *turns)
{
	struct phase *phase = turns->phase, *folded;
	size_t end = find_end(turns);

	phase_begin(phase, &turns->order.limits);
	take_due(turns, end);
	phase_seal(phase, turns->effects->modules.kernel,
	    turns->effects->known);
	folded = finish_folding(turns);
	crew_begin(turns->crew, phase);
	if (folded != NULL)
		phase_end(folded, &turns->file->blocks);
	turns->phase = &turns->phases[phase == turns->phases];
	if (turns->due_next < turns->due_count)
		phase_follow(turns->phase, phase);
	if (turns->crew->threads == 1)
		finish_phase(turns);
}

/* Has all that is due, or may be, folded, the last while reading goes on. */
static void
change_phase(struct turns *turns)
{
	struct limits *limits = &turns->order.limits;

	slices_move(&turns->slices, limits, &turns->phase->slices);
	do
		fold_part(turns);
	while (turns->due_next < turns->due_count);
	turns->due_count = turns->due_next = 0;
	limits_forget(limits);
	turns->phase_bytes = 0;
}

static void
add_due(struct turns *turns, struct due due)
{
	turns->due = mem_grow(turns->due, &turns->due_room,
	    turns->due_count + 1, sizeof(*turns->due));
	turns->due[turns->due_count++] = due;
}

/* Notes the records that a flush has made due. */
static void
flush(struct turns *turns)
{
	const struct limits *limits = &turns->order.limits;
	uint64_t flush = limits_next(limits) - 1;
	const struct queued *queued;

	slices_close(&turns->slices);
	while ((queued = order_next(&turns->order)) != NULL) {
		turns->phase->is_mixed |= queued->time <= turns->delivered;
		add_due(turns, (struct due){
		    { flush, queued->time, queued->number }, queued->record,
		    queued->owner });
	}
	if (limits->count > 0 && limits_newest(limits, flush) >
	    turns->delivered)
		turns->delivered = limits_newest(limits, flush);
}

/* Changes the phase if enough is due, or may be. */
static void
check_phase(struct turns *turns)
{
	if (turns->phase_bytes > PHASE_BYTES ||
	    turns->due_count > PHASE_RECORDS ||
	    (turns->seeks_event && turns->due_count > 0))
		change_phase(turns);
}

static int
compare_times(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* Returns the time up to which half of what waits may go on. */
static uint64_t
find_half(const struct turns *turns)
{
	const struct slices *slices = &turns->slices;
	const struct order *order = &turns->order;
	size_t count = slices->count + order->count, i;
	uint64_t *times = mem_array(count + 1, sizeof(*times)), half;

	for (i = 0; i < slices->count; i++)
		times[i] = slices->list[i].newest;
	for (i = 0; i < order->count; i++)
		times[slices->count + i] = order->list[i].time;
	qsort(times, count, sizeof(*times), compare_times);
	half = times[count / 2];
	free(times);
	return half;
}

/* Returns how many blocks wait, or as much memory. */
static size_t
count_waiting(const struct turns *turns)
{
	return turns->file->blocks.used + turns->slices.count / BLOCK_SLICES;
}

/* Has half of what waits wait no longer, if too many blocks do. */
static void
relieve(struct turns *turns)
{
	size_t most = WAITING_BLOCKS + READER_BLOCKS * turns->file->count;

	if (count_waiting(turns) > most)
		change_phase(turns);
	if (count_waiting(turns) > most)
		finish_phase(turns);
	if (count_waiting(turns) <= most)
		return;
	order_relieve(&turns->order, find_half(turns));
	flush(turns);
	change_phase(turns);
}

/* Notes the thread of a sample, in the open slice; if it may be of one. */
static inline void
note_sample(struct turns *turns, const struct record *record,
    uint64_t time)
{
	struct attrs *attrs = &turns->file->attrs;
	const struct attr *attr;
	size_t at = attrs->tid_at;
	uint64_t ids = UINT64_MAX;

	/* mostly it is in the same place for all events */
	if (at == 0) {
		attr = attrs_of_sample(attrs, record->bytes);
		at = attr == NULL ? 0 : attr->at.tid;
	}
	if (at > 0 && at + ATTR_WORD <= record->bytes.len)
		ids = attr_word(record->bytes.data + at);
	slices_note(&turns->slices, time, (int32_t)(uint32_t)ids,
	    (int32_t)(uint32_t)(ids >> 32));
}

/* Adds a sample to the slices. */
static inline void
add_sample(struct turns *turns, const struct record *record,
    struct block *block, uint64_t time)
{
	struct slices *slices = &turns->slices;

	if (!slices_add(slices, record)) {
		slices_open(slices, record, block, turns->number,
		    limits_next(&turns->order.limits));
		turns->phase_bytes += sizeof(*slices->list);
	}
	note_sample(turns, record, time);
	if (time != 0)
		order_note(&turns->order, time);
}

/* Has a record wait for its turn, or takes it in the next phase. */
static void
add_record(struct turns *turns, const struct record *record,
    struct block *block, uint64_t time)
{
	struct moment moment = { limits_next(&turns->order.limits), 0,
	    turns->number };

	block->held++;
	if (time != 0)
		order_add(&turns->order, (struct queued){ time,
		    turns->number, record->bytes.data, block });
	else
		add_due(turns, (struct due){ moment, record->bytes.data,
		    block });
}

/* Learns whether samples may come in slices from this one on. */
static void
look_for_event(struct turns *turns, const struct record *record)
{
	struct samples *samples = crew_samples(turns->crew);

	turns->has_slices = samples_need_no_order(samples, record);
	turns->seeks_event = !turns->has_slices &&
	    samples->target->filter->event.len == 0;
}

void
turns_add(struct turns *turns, const struct record *record,
    struct block *block)
{
	uint64_t time = record_turn(record, &turns->file->attrs,
	    turns->file->header.is_pipe);
	bool is_sample = record->type == RECORD_SAMPLE;

	turns->number++;
	turns->phase_bytes += record->bytes.len;
	if (is_sample && !turns->has_slices)
		look_for_event(turns, record);
	if (is_sample && turns->has_slices)
		add_sample(turns, record, block, time);
	else {
		slices_add(&turns->slices, record);
		add_record(turns, record, block, time);
	}
	if (time == 0)
		check_phase(turns);
	if (count_waiting(turns) > WAITING_BLOCKS)
		relieve(turns);
}

void
turns_end_round(struct turns *turns)
{
	order_end_round(&turns->order);
	flush(turns);
	check_phase(turns);
}

void
turns_forget_event(struct turns *turns)
{
	finish_phase(turns);
	slices_close(&turns->slices);	/* the next sample may be in none */
	crew_forget_event(turns->crew);
	turns->has_slices = false;
}

void
turns_end(struct turns *turns)
{
	order_end(&turns->order);
	flush(turns);
	change_phase(turns);
	finish_phase(turns);
	crew_end(turns->crew);
}
