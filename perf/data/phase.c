#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "phase.h"

#define FIRST_SLOTS	256

/* A thread is in one process, or two of which one has just ended. */
#define ALIKE_MOST	16

/* Numbers may be chosen so that a hash which is known makes them one. */
static size_t
hash(const struct phase *phase, int32_t pid, int32_t tid)
{
	uint64_t ids = (uint64_t)(uint32_t)pid << 32 | (uint32_t)tid;

	return (size_t)(ids * phase->tasks->multiplier >> 32);
}

static void
make_slots(struct phase_slots *slots, size_t count)
{
	free(slots->list);
	slots->list = mem_array(count, sizeof(*slots->list));
	slots->mask = count - 1;
}

/* Returns where the number of a thread is, or would be. */
static uint32_t *
slot_of_ids(const struct phase *phase, int32_t pid, int32_t tid)
{
	const struct phase_slots *slots = &phase->by_ids;
	size_t at = hash(phase, pid, tid) & slots->mask;
	const struct sampled *thread;

	for (; slots->list[at] != 0; at = (at + 1) & slots->mask) {
		thread = &phase->threads[slots->list[at]];
		if (thread->tid == tid && thread->pid == pid)
			break;
	}
	return &slots->list[at];
}

/* The same of the first thread of a number. */
static uint32_t *
slot_of_tid(const struct phase *phase, int32_t tid)
{
	const struct phase_slots *slots = &phase->by_tid;
	size_t at = hash(phase, 0, tid) & slots->mask;

	while (slots->list[at] != 0 &&
	    phase->threads[slots->list[at]].tid != tid)
		at = (at + 1) & slots->mask;
	return &slots->list[at];
}

/* Notes a thread by its numbers, and among those that are alike. */
static void
add_number(struct phase *phase, uint32_t number)
{
	struct sampled *thread = &phase->threads[number], *last;
	uint32_t *first = slot_of_tid(phase, thread->tid);
	size_t alike = 1;

	*slot_of_ids(phase, thread->pid, thread->tid) = number;
	thread->alike = 0;
	if (*first == 0) {
		*first = number;
		return;
	}
	for (last = &phase->threads[*first]; last->alike != 0; alike++)
		last = &phase->threads[last->alike];
	if (alike < ALIKE_MOST)
		last->alike = number;
}

static void
double_slots(struct phase *phase)
{
	size_t slots = phase->by_ids.list == NULL ? FIRST_SLOTS :
	    (phase->by_ids.mask + 1) * 2;
	uint32_t i;

	make_slots(&phase->by_ids, slots);
	make_slots(&phase->by_tid, slots);
	for (i = 1; i <= phase->count; i++)
		add_number(phase, i);
}

/* Returns the time of the oldest sample of a process, or of one alike. */
static uint64_t *
oldest_of(struct phase *phase, int32_t pid)
{
	return &phase->oldest[(uint32_t)pid % PHASE_PROCESSES];
}

static void
note_time(uint64_t *oldest, uint64_t time)
{
	if (time < *oldest)
		*oldest = time;
}

/* Returns a thread that samples are of, which is made if it is new. */
static struct sampled *
get_thread(struct phase *phase, int32_t pid, int32_t tid)
{
	uint32_t *slot;

	if (phase->by_ids.list == NULL ||
	    phase->count * 2 >= phase->by_ids.mask)
		double_slots(phase);
	slot = slot_of_ids(phase, pid, tid);
	if (*slot != 0)
		return &phase->threads[*slot];
	phase->threads = mem_grow(phase->threads, &phase->room,
	    phase->count + 2, sizeof(*phase->threads));
	phase->threads[++phase->count] = (struct sampled){
	    .pid = pid, .tid = tid, .oldest = PHASE_NONE };
	add_number(phase, (uint32_t)phase->count);
	return &phase->threads[phase->count];
}

/* Adds a thread that samples of a slice are of, if there can be such a one. */
static void
add_thread(struct phase *phase, const struct slice *slice,
    const struct slice_thread *of)
{
	uint64_t oldest = slice->ascends ? of->oldest : slice->oldest;
	const struct task *task = tasks_look_up(phase->tasks, of->tid);

	if (!record_is_pid(of->pid) || !record_is_pid(of->tid))
		return;
	note_time(&get_thread(phase, of->pid, of->tid)->oldest, oldest);
	note_time(oldest_of(phase, of->pid), oldest);
	if (task != NULL)
		note_time(oldest_of(phase, task->pid), oldest);
}

static void
add_threads(struct phase *phase, const struct slice *slice)
{
	size_t i;

	for (i = 0; i < slice->count; i++)
		add_thread(phase, slice, &slice->threads[i]);
}

/* Takes the limits of flushes from one on. */
static void
copy_limits(struct limits *to, const struct limits *from, uint64_t first)
{
	size_t skipped = (size_t)(first - from->first);

	to->first = first;
	to->count = from->count - skipped;
	to->list = mem_grow(to->list, &to->room, to->count,
	    sizeof(*to->list));
	if (to->count > 0)
		memcpy(to->list, from->list + skipped,
		    to->count * sizeof(*to->list));
}

/* Returns the past of maps, which is made if there is none. */
static struct past *
past_of(struct phase *phase, struct maps *maps)
{
	if (maps->past != NULL)
		return maps->past;
	phase->pasts = mem_grow(phase->pasts, &phase->pasts_room,
	    phase->pasts_count + 1, sizeof(*phase->pasts));
	maps->past = mem_array(1, sizeof(*maps->past));
	maps->past->live = maps;
	maps->users++;
	return phase->pasts[phase->pasts_count++] = maps->past;
}

bool
phase_has(const struct phase *phase, const struct slice *slice)
{
	return !phase->is_part || moment_is_before(phase_moment(phase, slice,
	    slice->oldest, slice->number), phase->end);
}

void
phase_begin(struct phase *phase, const struct limits *limits)
{
	const struct slices *slices = &phase->slices;
	uint64_t first = limits_next(limits);
	size_t i;

	for (i = 0; i < slices->count; i++)
		if (slices->list[i].flush < first)
			first = slices->list[i].flush;
	copy_limits(&phase->limits, limits, first);
	for (i = 0; i < PHASE_PROCESSES; i++)
		phase->oldest[i] = PHASE_NONE;
	for (i = 0; i < slices->count; i++)
		if (phase_has(phase, &slices->list[i]))
			add_threads(phase, &slices->list[i]);
	phase->kernel_past = past_of(phase, phase->kernel);
}

void
phase_follow(struct phase *phase, const struct phase *part)
{
	const struct slices *slices = &part->slices;
	const struct slice *slice;
	size_t i;

	for (i = 0; i < slices->count; i++) {
		slice = &slices->list[i];
		if (!moment_is_before(phase_moment(part, slice, slice->newest,
		    UINT64_MAX), part->end))
			slices_copy(&phase->slices, slice);
	}
	phase->is_mixed = part->is_mixed;
	phase->is_part = true;
	phase->begin = part->end;
	phase->end = (struct moment){ UINT64_MAX, UINT64_MAX, UINT64_MAX };
}

/* Returns the maps of a thread, which may be of a process not met yet. */
static struct maps *
maps_of(const struct phase *phase, const struct task *task, int32_t pid)
{
	if (task == NULL || (task->pid == -1 && pid != -1))
		task = tasks_look_up(phase->tasks, pid);
	return task == NULL ? phase->nothing : task->maps;
}

/* True if there may be samples, the oldest of that time, before a moment. */
static bool
has_samples(const struct phase *phase, uint64_t oldest, struct moment moment)
{
	return oldest != PHASE_NONE && (phase->is_mixed || moment.time == 0 ||
	    moment.time >= oldest);
}

/* Returns what a thread is, which it is until a moment. */
static struct was
find_was(struct phase *phase, const struct sampled *thread,
    struct moment until)
{
	const struct task *task = tasks_look_up(phase->tasks, thread->tid);
	const struct task nobody = { .tid = thread->tid };

	return (struct was){ until, taskroots_find(phase->roots,
	    task == NULL ? &nobody : task, thread->pid),
	    past_of(phase, maps_of(phase, task, thread->pid)) };
}

static void
note_was(struct phase *phase, struct sampled *thread, struct moment moment)
{
	thread->was = mem_grow(thread->was, &thread->room, thread->count + 1,
	    sizeof(*thread->was));
	thread->was[thread->count++] = find_was(phase, thread, moment);
}

void
phase_note_thread(struct phase *phase, int32_t tid, struct moment moment)
{
	struct sampled *thread;
	uint32_t number;

	if (phase->count == 0)
		return;
	number = *slot_of_tid(phase, tid);
	for (; number != 0; number = thread->alike) {
		thread = &phase->threads[number];
		if (has_samples(phase, thread->oldest, moment))
			note_was(phase, thread, moment);
	}
}

void
phase_note_maps(struct phase *phase, struct maps *maps, int32_t pid,
    struct moment moment)
{
	struct past *past;

	if (phase->count == 0 || (maps != phase->kernel &&
	    !has_samples(phase, *oldest_of(phase, pid), moment)))
		return;
	past = past_of(phase, maps);
	past->list = mem_grow(past->list, &past->room, past->count + 1,
	    sizeof(*past->list));
	past->list[past->count++] = (struct past_maps){ moment,
	    maps_hold(maps) };
}

/* Keeps what a thread is at the end of the phase; a sample makes a new one. */
static void
seal_thread(struct phase *phase, struct sampled *thread)
{
	struct was was;
	struct task *task;

	if (phase->is_part &&
	    !has_samples(phase, thread->oldest, phase->end)) {
		was = find_was(phase, thread, phase->end);
		thread->root = was.root;
		thread->maps = was.maps;
		return;
	}
	task = tasks_get(phase->tasks, thread->pid, thread->tid);
	thread->root = taskroots_of(phase->roots, task, thread->pid);
	thread->maps = past_of(phase, task->maps);
}

/* Keeps what maps are at the end of the phase. */
static void
seal_maps(struct past *past)
{
	struct maps *maps = past->live;

	past->last = maps_hold(maps);
	past->live = NULL;
	maps->past = NULL;
	if (--maps->users == 0)
		maps_free(maps);
}

void
phase_seal(struct phase *phase, struct module *kernel_module,
    struct moment known)
{
	size_t i;

	for (i = 1; i <= phase->count; i++)
		seal_thread(phase, &phase->threads[i]);
	for (i = 0; i < phase->pasts_count; i++)
		seal_maps(phase->pasts[i]);
	phase->kernel_module = kernel_module;
	phase->known = known;
}

static void
free_past(struct past *past)
{
	while (past->count > 0)
		maps_drop(past->list[--past->count].maps);
	maps_drop(past->last);
	free(past->list);
	free(past);
}

static void
clear_slots(struct phase_slots *slots)
{
	if (slots->list != NULL)
		memset(slots->list, 0,
		    (slots->mask + 1) * sizeof(*slots->list));
}

void
phase_end(struct phase *phase, struct blocks *blocks)
{
	struct slices *slices = &phase->slices;

	while (slices->count > 0)
		blocks_drop(blocks, slices->list[--slices->count].block, 1);
	for (; phase->count > 0; phase->count--)
		free(phase->threads[phase->count].was);
	while (phase->pasts_count > 0)
		free_past(phase->pasts[--phase->pasts_count]);
	clear_slots(&phase->by_ids);
	clear_slots(&phase->by_tid);
	phase->is_part = phase->is_mixed = false;
	phase->begin = (struct moment){ 0 };
}

void
phase_free(struct phase *phase)
{
	slices_free(&phase->slices);
	free(phase->limits.list);
	free(phase->threads);
	free(phase->by_ids.list);
	free(phase->by_tid.list);
	free(phase->pasts);
}

const struct sampled *
phase_find(const struct phase *phase, int32_t pid, int32_t tid)
{
	uint32_t number = phase->count == 0 ? 0 :
	    *slot_of_ids(phase, pid, tid);

	return number == 0 ? NULL : &phase->threads[number];
}

/* Returns the first item, which begins with when it ends, behind a moment. */
static size_t
find_item(const void *items, size_t count, size_t size, struct moment moment)
{
	size_t low = 0, middle;
	const char *item;

	while (low < count) {
		middle = low + (count - low) / 2;
		item = (const char *)items + middle * size;
		if (moment_is_before(moment, *(const struct moment *)
		    (const void *)item))
			count = middle;
		else
			low = middle + 1;
	}
	return low;
}

struct was
sampled_at(const struct sampled *thread, struct moment moment)
{
	size_t i = find_item(thread->was, thread->count,
	    sizeof(*thread->was), moment);

	return i < thread->count ? thread->was[i] :
	    (struct was){ moment, thread->root, thread->maps };
}

const struct maps *
past_at(const struct past *past, struct moment moment)
{
	size_t i = find_item(past->list, past->count, sizeof(*past->list),
	    moment);

	return i < past->count ? past->list[i].maps : past->last;
}
