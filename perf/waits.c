#include <stdlib.h>

#include "lib/message.h"
#include "select.h"
#include "waits.h"

#define PAGE		1024	/* threads */
#define PAGES		(WAITS_THREAD_MOST / PAGE + 1)

#define NO_STACK	WAITS_STACK_NONE

/* A recording is refused if more than one wait in this many is doubtful. */
#define BROKEN_SHARE	2

/* Waits without an end are reported if more than one in this many. */
#define UNSEEN_SHARE	100

enum { THREAD_UNKNOWN, THREAD_RUNS, THREAD_WAITS };

/* The time spent waiting with one stack. */
struct wait_sum {
	uint64_t count;
	uint32_t stack;
	uint32_t waker;		/* the waking thread's stack, or NO_STACK */
	uint8_t kind;
};

struct wait_thread {
	uint64_t since;		/* start of this state */
	uint64_t woken;		/* when, or 0 */
	uint32_t stack;		/* at switch-out */
	uint32_t waker;		/* the waking thread's stack, or NO_STACK */
	uint32_t losses;	/* number of losses before this state */
	uint8_t state;
	uint8_t kind;		/* of its wait */
};

void
waits_init(struct waits *waits, const struct waits_options *options,
    struct fold *fold)
{
	*waits = (struct waits){ .options = options, .fold = fold,
	    .pages = mem_array(PAGES, sizeof(*waits->pages)) };
	stacks_init(&waits->sampled);
}

/* Returns a thread's state; NULL for the idle one and impossible IDs. */
static struct wait_thread *
find_thread(struct waits *waits, int32_t number)
{
	struct wait_thread **page;

	if (number <= 0 || number > WAITS_THREAD_MOST)
		return NULL;
	page = &waits->pages[number / PAGE];
	if (*page == NULL)
		*page = mem_array(PAGE, sizeof(**page));
	return *page + number % PAGE;
}

/* Makes the stack of a sum: waiter;read;[blocked];--;write;waker */
static const struct stack *
make_stack(struct waits *waits, const struct wait_sum *sum)
{
	static const char *const marks[WAIT_KINDS] = { "", "[blocked]",
		"[uninterruptible]", "[preempted]" };
	struct stack *stack = &waits->stack;
	struct table *names = &waits->fold->namer.names;
	size_t from = 0, to;
	uint32_t swapped;

	stack->depth = 0;
	if (sum->waker != NO_STACK) {	/* from its root to its leaf */
		stacks_get(&waits->sampled, sum->waker, stack);
		for (to = stack->depth; to > from + 1; from++) {
			swapped = stack->frames[from];
			stack->frames[from] = stack->frames[--to];
			stack->frames[to] = swapped;
		}
		stack_push(stack, table_add(names, STR("--")));
	}
	if (waits->options->running && sum->kind != WAIT_NONE)
		stack_push(stack, table_add(names,
		    str_from(marks[sum->kind])));
	stacks_get(&waits->sampled, sum->stack, stack);
	return stack;
}

static void
count_wait(struct waits *waits, const struct wait_thread *thread, uint64_t end)
{
	uint64_t count = select_clip(waits->options->select, thread->since,
	    &end);
	struct wait_sum *sum;
	uint32_t *known;

	if (count == 0)
		return;
	known = intmap_at(&waits->known[thread->kind],
	    intmap_pair(thread->waker, thread->stack));
	if (*known == 0) {
		*LIST_ADD(waits->sums, waits->sums_count, waits->sums_room) =
		    (struct wait_sum){ 0, thread->stack, thread->waker,
		    thread->kind };
		*known = (uint32_t)waits->sums_count;
	}
	sum = &waits->sums[*known - 1];
	if (waits->fold->timeline != NULL)
		timeline_add_stack(waits->fold->timeline,
		    make_stack(waits, sum), count, end);
	else if (count > UINT64_MAX - sum->count) {
		waits->fold->stacks.overflowed = true;
		sum->count = UINT64_MAX;
	} else
		sum->count += count;
}

/* Returns when records were first lost in this state, or else `time`. */
static uint64_t
find_loss(const struct waits *waits, const struct wait_thread *thread,
    uint64_t time)
{
	uint64_t loss;

	if (thread->losses == waits->losses_count)
		return time;
	loss = waits->losses[thread->losses];
	if (loss < thread->since)
		loss = thread->since;
	return loss < time ? loss : time;
}

/* Ends a wait at a switch-in, or at the end of the input. */
static void
end_wait(struct waits *waits, struct wait_thread *thread, uint64_t time)
{
	uint64_t end = find_loss(waits, thread, time);

	waits->count++;
	if (!waits->options->counts[thread->kind] || thread->stack == NO_STACK)
		return;
	count_wait(waits, thread, end);
	waits->unknown += time - end;
}

/*
 * Ends the wait of a thread whose switch-in was not recorded: when it was
 * woken, its processor last switched, or it was seen to run, the last of these.
 */
static void
end_unseen(struct waits *waits, struct wait_thread *thread, uint32_t cpu,
    uint64_t seen, uint64_t time)
{
	const struct wait_switch *last = cpu < waits->switched_room ?
	    &waits->switched[cpu] : NULL;

	if (thread->losses == waits->losses_count) {
		waits->no_switch_in++;
		time = thread->woken > seen ? thread->woken : seen;
		if (last != NULL && last->is_known && last->time > time)
			time = last->time;
	}
	end_wait(waits, thread, time);
}

static void
change(struct waits *waits, struct wait_thread *thread, uint8_t state,
    uint64_t time)
{
	thread->state = state;
	thread->since = time;
	thread->woken = 0;
	thread->waker = NO_STACK;
	thread->losses = (uint32_t)waits->losses_count;
	waits->loss_matters = true;
}

static void
switch_in(struct waits *waits, struct wait_thread *thread, uint64_t time)
{
	if (thread == NULL)
		return;
	if (thread->state == THREAD_WAITS)
		end_wait(waits, thread, time);
	else if (thread->state == THREAD_RUNS)
		waits->unknown += time - find_loss(waits, thread, time);
	change(waits, thread, THREAD_RUNS, time);
}

/* Takes a thread off its processor, and notes the switch as the last there. */
static void
switch_out(struct waits *waits, const struct wait_event *event,
    uint64_t time, uint32_t stack)
{
	struct wait_thread *left = find_thread(waits, event->prev);
	struct wait_switch *last;

	waits->sees_resumes |= event->prev == 0;
	if (left != NULL) {
		if (left->state == THREAD_WAITS)
			end_unseen(waits, left, event->cpu, 0, time);
		change(waits, left, event->kind == WAIT_NONE ?
		    THREAD_UNKNOWN : THREAD_WAITS, time);
		left->stack = stack;
		left->kind = event->kind;
	}
	if (event->cpu < WAITS_CPU_MOST) {
		waits->switched = mem_grow_zero(waits->switched,
		    &waits->switched_room, event->cpu + (size_t)1,
		    sizeof(*waits->switched));
		last = &waits->switched[event->cpu];
		waits->contradicted += last->is_known &&
		    last->next != event->prev;
		*last = (struct wait_switch){ time, event->next, true };
	}
}

/* Adds a completed wait, or a clock's on-CPU time without a kind. */
static void
add_time(struct waits *waits, const struct wait_event *event,
    enum wait_kind kind, uint64_t end, uint32_t stack)
{
	struct wait_thread *thread = find_thread(waits, event->next);
	struct wait_thread done = {
		.since = end > event->count ? end - event->count : 0,
		.stack = stack, .waker = NO_STACK, .kind = (uint8_t)kind };

	/* a thread that ran was no longer waiting */
	if (kind == WAIT_NONE && thread != NULL &&
	    thread->state == THREAD_WAITS) {
		end_unseen(waits, thread, event->cpu, done.since, done.since);
		change(waits, thread, THREAD_RUNS, done.since);
	}
	count_wait(waits, &done, done.since + event->count);
}

void
waits_take(struct waits *waits, const struct wait_event *event,
    uint64_t time, uint32_t stack)
{
	struct wait_thread *thread = find_thread(waits, event->next);
	struct wait_switch *last;

	switch (event->change) {
	case WAIT_SWITCH:
		switch_out(waits, event, time, stack);
		switch_in(waits, thread, time);
		break;
	case WAIT_SWITCH_IN:
		waits->sees_resumes = true;
		switch_in(waits, thread, time);
		break;
	case WAIT_SWITCH_OUT:
		/* usually the switch before it has said so */
		if (thread != NULL && thread->state == THREAD_RUNS) {
			waits->no_switch_out++;
			change(waits, thread, THREAD_UNKNOWN, time);
		}
		break;
	case WAIT_WAKE:
		/* the first thread that wakes a waiting one counts */
		if (thread == NULL || thread->state != THREAD_WAITS ||
		    thread->kind == WAIT_PREEMPTED || thread->woken > 0)
			break;
		thread->woken = time;
		if (waits->options->wakers)
			thread->waker = stack;
		break;
	case WAIT_LOST:
		if (event->cpu < waits->switched_room) {
			last = &waits->switched[event->cpu];
			last->is_known = false;
			time = last->time;
		}
		/* losses between which no thread changed count once */
		if (waits->loss_matters)
			*LIST_ADD(waits->losses, waits->losses_count,
			    waits->losses_room) = time;
		waits->loss_matters = false;
		break;
	case WAIT_RECORDED:
		if (waits->options->counts[WAIT_BLOCKED])
			add_time(waits, event, WAIT_BLOCKED, time, stack);
		break;
	case WAIT_RAN:
		add_time(waits, event, WAIT_NONE, time, stack);
		break;
	}
}

static void
report_doubts(const struct waits *waits, const char *input)
{
	if (waits->no_switch_in * UNSEEN_SHARE > waits->count)
		message_warn("%s: waits without a recorded end, perhaps too "
		    "short: %zu of %zu; use perf record --switch-events",
		    input, waits->no_switch_in, waits->count);
	if (waits->no_switch_out * UNSEEN_SHARE > waits->count)
		message_warn("%s: waits without a stack, left out: %zu of %zu",
		    input, waits->no_switch_out,
		    waits->no_switch_out + waits->count);
	if (waits->unknown > 0)
		message_warn("%s: %.6f seconds of threads are unknown and "
		    "left out, since records were lost", input,
		    (double)waits->unknown / 1e9);
}

bool
waits_end(struct waits *waits, uint64_t time, const char *input)
{
	bool are_known = waits->sees_resumes || (waits->contradicted +
	    waits->no_switch_in) * BROKEN_SHARE <= waits->count;
	struct wait_thread *page;
	struct wait_sum *sum;
	size_t i, j;

	for (i = 0; i < PAGES; i++) {
		page = waits->pages[i];
		for (j = 0; j < PAGE && page != NULL; j++)
			if (page[j].state == THREAD_WAITS)
				end_wait(waits, &page[j], time);
		free(page);
		waits->pages[i] = NULL;
	}
	for (i = 0; i < waits->sums_count; i++) {
		sum = &waits->sums[i];
		if (are_known && sum->count > 0)
			stacks_add(&waits->fold->stacks,
			    make_stack(waits, sum), sum->count);
		sum->count = 0;
	}
	for (i = 0; i < waits->switched_room; i++)
		waits->switched[i] = (struct wait_switch){ 0 };
	if (are_known)
		report_doubts(waits, input);
	waits->losses_count = waits->count = 0;
	waits->no_switch_in = waits->no_switch_out = 0;
	waits->unknown = waits->contradicted = 0;
	waits->loss_matters = waits->sees_resumes = false;
	return are_known;
}

enum wait_kind
waits_kind(struct str state)
{
	if (state.len == 0 || state.data[0] == 'R')
		return WAIT_PREEMPTED;
	if (state.data[0] == 'X' || state.data[0] == 'x' ||
	    state.data[0] == 'Z')
		return WAIT_NONE;
	return state.data[0] == 'D' ? WAIT_UNINTERRUPTIBLE : WAIT_BLOCKED;
}
