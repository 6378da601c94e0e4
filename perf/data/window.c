#include <stdlib.h>

#include "window.h"

/*
 * If more blocks wait, the older half of the samples waits no longer.  A block
 * has the memory that BLOCK_SLICES need.
 */
#define WAITING_BLOCKS	192
#ifndef BLOCK_SLICES
#define BLOCK_SLICES	4096
#endif

/* The sizes of a window and a slice; who tests may want smaller ones. */
#ifndef WINDOW_BYTES
#define WINDOW_BYTES	((uint64_t)4 * 1024 * 1024)
#endif
#ifndef SLICE_BYTES
#define SLICE_BYTES	((size_t)64 * 1024)
#endif

void
window_free(struct window *window)
{
	free(window->slices.list);
	free(window->folded.list);
}

/* Ends what the workers do. */
static void
finish(struct window *window)
{
	struct slices *folded = &window->folded;

	workers_finish(window->workers);
	while (folded->count > 0)
		blocks_drop(&window->file->blocks,
		    folded->list[--folded->count].block, 1);
}

static void
add_slice(struct slices *slices, const struct slice *slice)
{
	slices->list = mem_grow(slices->list, &slices->room,
	    slices->count + 1, sizeof(*slices->list));
	slices->list[slices->count++] = *slice;
}

/* Returns the moment of the oldest sample of slices, or one before it. */
static struct moment
find_oldest(const struct slices *slices, struct moment oldest)
{
	struct moment moment;
	size_t i;

	for (i = 0; i < slices->count; i++) {
		moment = (struct moment){ slices->list[i].oldest,
		    slices->list[i].number };
		if (moment_is_before(moment, oldest))
			oldest = moment;
	}
	return oldest;
}

/* Takes the slices whose samples are complete, in their order. */
static void
take_complete(struct window *window)
{
	struct slices *slices = &window->slices;
	size_t i, kept = 0;

	window->is_open = false;
	for (i = 0; i < slices->count; i++)
		if (slices->list[i].newest <= window->complete)
			add_slice(&window->folded, &slices->list[i]);
		else
			slices->list[kept++] = slices->list[i];
	slices->count = kept;
}

/* Reads the files that the samples need, several at once. */
static void
read_files(struct window *window)
{
	struct symbols *symbols = window->history->modules.symbols;
	struct samples *samples = workers_samples(window->workers);
	size_t i;

	if (!window->history->asks_servers || symbols == NULL)
		return;
	for (i = 0; i < window->folded.count; i++)
		samples_want(samples, &window->folded.list[i]);
	symbols_fetch_wanted(symbols, window->history->needs_debug);
}

static int
compare_slices(const void *left, const void *right)
{
	const struct slice *a = left, *b = right;

	if (a->number == b->number)
		return 0;
	return moment_is_before((struct moment){ a->oldest, a->number },
	    (struct moment){ b->oldest, b->number }) ? -1 : 1;
}

/* Gives the workers what is complete. */
static void
fold(struct window *window)
{
	struct moment never = { UINT64_MAX, UINT64_MAX }, oldest;
	uint64_t complete = window->complete;

	finish(window);
	take_complete(window);
	if (window->folded.count > 0 &&
	    samples_stitch(workers_samples(window->workers)))
		qsort(window->folded.list, window->folded.count,
		    sizeof(*window->folded.list), compare_slices);
	oldest = find_oldest(&window->slices, never);
	if (oldest.time <= complete)
		complete = oldest.time > 0 ? oldest.time - 1 : 0;
	history_settle(window->history, window->complete,
	    find_oldest(&window->folded, oldest));
	read_files(window);
	workers_begin(window->workers, &window->folded, complete);
	window->bytes = 0;
	if (window->workers->count == 1)
		finish(window);
}

/* Returns how many blocks wait, or as much memory. */
static size_t
count_waiting(const struct window *window)
{
	return window->file->blocks.used +
	    window->slices.count / BLOCK_SLICES +
	    history_waiting(window->history) / BLOCK_BYTES;
}

/*
 * Gives the workers what is complete, if that is enough.  It depends on the
 * records alone, and not on the workers, how late a record may come.
 */
static void
check(struct window *window)
{
	if (window->bytes >= WINDOW_BYTES)
		fold(window);
}

static int
compare_times(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* Returns the time up to which half of what waits is. */
static uint64_t
find_half(const struct window *window)
{
	const struct slices *slices = &window->slices;
	size_t changes = window->history->changes_count, i;
	uint64_t *times = mem_array(slices->count + changes + 1,
	    sizeof(*times)), half;

	for (i = 0; i < slices->count; i++)
		times[i] = slices->list[i].newest;
	i += history_times(window->history, times + i);
	qsort(times, i, sizeof(*times), compare_times);
	half = times[i / 2];
	free(times);
	return half;
}

/* Ends the wait of the older half, if too much waits. */
static void
relieve(struct window *window)
{
	size_t most = WAITING_BLOCKS + READER_BLOCKS * window->file->count;

	if (count_waiting(window) <= most)
		return;
	fold(window);
	finish(window);
	if (count_waiting(window) <= most)
		return;
	window->complete = find_half(window);
	fold(window);
}

/* True if a sample follows the records of the last slice at once. */
static bool
follows(const struct window *window, const struct record *record)
{
	const struct slice *last;

	if (!window->is_open)
		return false;
	last = &window->slices.list[window->slices.count - 1];
	return last->records.len < SLICE_BYTES &&
	    last->records.data + last->records.len == record->bytes.data;
}

/* Adds a record to the last slice, or a sample to a new one. */
static inline void
add_to_slice(struct window *window, const struct record *record,
    struct block *block, uint64_t time)
{
	struct slice *slice;

	/* samples that need their order are slices of their own */
	if (samples_stitch(workers_samples(window->workers)) ||
	    !follows(window, record)) {
		block->held++;
		add_slice(&window->slices, &(struct slice){ .block = block,
		    .records = { record->bytes.data, 0 },
		    .number = window->number, .oldest = UINT64_MAX });
		window->is_open = true;
	}
	slice = &window->slices.list[window->slices.count - 1];
	slice->records.len += record->bytes.len;
	if (time < slice->oldest)
		slice->oldest = time;
	if (time > slice->newest)
		slice->newest = time;
}

/* Adds a record that is no sample to the history. */
static void
add_change(struct window *window, const struct record *record,
    const struct block *block, uint64_t time)
{
	struct slices *slices = &window->slices;

	if (!history_add(window->history, record,
	    (struct moment){ time, window->number }))
		samples_note_odd(workers_samples(window->workers), record,
		    block, window->number);
	samples_take_change(workers_samples(window->workers), record,
	    (struct moment){ time, window->number });
	window->is_open = follows(window, record);
	if (window->is_open)
		slices->list[slices->count - 1].records.len +=
		    record->bytes.len;
	if (window->history->bytes <= (long long)window->memory)
		return;
	window->is_full = true;
	window->full_at = block_offset(block, record);
}

/* Steps over a sample that is left out by its time, if it is not needed. */
static inline bool
pass_over(struct window *window, const struct record *record,
    const struct block *block)
{
	const struct samples *samples = workers_samples(window->workers);
	const struct attrs *attrs = samples->attrs;
	uint64_t time;

	if (record->type != RECORD_SAMPLE ||
	    !samples_pass_over(samples, record, &time))
		return false;
	window->number++;
	window->bytes += record->bytes.len;
	if (time > window->newest && !block->has_turns &&
	    attr_marks_all(attrs->list))
		window->newest = time;
	return true;
}

void
window_add(struct window *window, const struct record *record,
    struct block *block)
{
	uint64_t time;

	if (pass_over(window, record, block))
		return;
	time = block_turn(block, record, &window->file->attrs,
	    window->file->header.is_pipe);
	window->number++;
	window->bytes += record->bytes.len;
	if (time > window->newest)
		window->newest = time;
	if (record->type == RECORD_SAMPLE)
		add_to_slice(window, record, block, time);
	else
		add_change(window, record, block, time);
	if (time == 0)
		check(window);
	if (count_waiting(window) > WAITING_BLOCKS)
		relieve(window);
}

void
window_end_round(struct window *window)
{
	if (window->limit > window->complete)
		window->complete = window->limit;
	window->limit = window->newest;
	check(window);
}

void
window_pause(struct window *window)
{
	finish(window);
	window->is_open = false;	/* the next sample may be another's */
}

void
window_end(struct window *window)
{
	window->complete = UINT64_MAX;
	fold(window);
	finish(window);
	workers_end(window->workers);
}
