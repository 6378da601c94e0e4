#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "lib/message.h"
#include "lib/output.h"
#include "lib/text.h"
#include "timeline.h"

/* A stack, and the count of its samples in a row. */
struct timeline_run {
	unsigned long long count;
	uint32_t stack;
};

struct timeline_thread {
	uint32_t root;		/* its name */
	struct timeline_run *runs;
	size_t count, room;
	uint64_t begin;		/* when the first one began, or NO_TIME */
	uint64_t clock;		/* the time that they reach, or NO_TIME */
};

void
timeline_init(struct timeline *timeline, struct stacks *stacks, uint64_t gap)
{
	*timeline = (struct timeline){ .stacks = stacks, .gap = gap,
	    .begin = TIMELINE_NO_TIME };
}

static void
add_run(struct timeline *timeline, struct timeline_thread *thread,
    uint32_t stack, unsigned long long count)
{
	struct timeline_run *last = thread->count > 0 ?
	    &thread->runs[thread->count - 1] : NULL;

	if (last == NULL || last->stack != stack) {
		*LIST_ADD(thread->runs, thread->count, thread->room) =
		    (struct timeline_run){ count, stack };
		return;
	}
	if (count > ULLONG_MAX - last->count) {
		timeline->stacks->overflowed = true;
		count = ULLONG_MAX - last->count;
	}
	last->count += count;
}

/* Adds the gap before a sample that begins at this time, if it is shown. */
static void
add_gap(struct timeline *timeline, struct timeline_thread *thread,
    uint64_t begin)
{
	size_t end = 1;
	uint32_t number;

	if (thread->count == 0)
		thread->begin = begin;
	if (begin < timeline->begin)
		timeline->begin = begin;
	if (thread->clock == TIMELINE_NO_TIME)
		thread->clock = begin;
	if (begin <= thread->clock || begin - thread->clock <= timeline->gap)
		return;
	stacks_number(timeline->stacks, &thread->root, &end, 1, &number);
	add_run(timeline, thread, number, begin - thread->clock);
	thread->clock = begin;
}

/*
 * The next gap makes up for gaps that are left out.  Samples may overlap, when
 * a thread moves to another processor; all of them count unless they are cut.
 */
void
timeline_add(struct timeline *timeline, uint32_t number,
    unsigned long long count, uint64_t time)
{
	const struct paths *paths = &timeline->stacks->paths;
	struct timeline_thread *thread;
	uint32_t first = number, root;

	while (paths->nodes[first].parent != 0)
		first = paths->nodes[first].parent;
	root = path_frame(paths, first);
	timeline->known = mem_grow_zero(timeline->known, &timeline->names,
	    (size_t)root + 1, sizeof(*timeline->known));
	if (timeline->known[root] == 0) {
		*LIST_ADD(timeline->threads, timeline->count, timeline->room) =
		    (struct timeline_thread){ .root = root,
		    .begin = TIMELINE_NO_TIME, .clock = TIMELINE_NO_TIME };
		timeline->known[root] = (uint32_t)timeline->count;
	}
	thread = &timeline->threads[timeline->known[root] - 1];
	if (timeline->gap > 0 && time != TIMELINE_NO_TIME) {
		add_gap(timeline, thread, time > count ? time - count : 0);
		if (timeline->cuts && thread->clock > time)
			count = 0;
		else if (timeline->cuts && count > time - thread->clock)
			count = time - thread->clock;
	}
	if (count == 0)
		return;
	add_run(timeline, thread, number, count);
	if (thread->clock != TIMELINE_NO_TIME)
		thread->clock = count < TIMELINE_NO_TIME - 1 - thread->clock ?
		    thread->clock + count : TIMELINE_NO_TIME - 1;
}

void
timeline_add_stack(struct timeline *timeline, const struct stack *stack,
    unsigned long long count, uint64_t time)
{
	uint32_t number;

	stacks_number(timeline->stacks, stack->frames, &stack->depth, 1,
	    &number);
	timeline_add(timeline, number, count, time);
}

static void
add_until(struct lane *lane, const struct stack *stack, double end)
{
	struct timeline *timeline = lane->timeline;

	timeline_add_stack(timeline, stack, stacks_round(timeline->stacks,
	    end - lane->at), TIMELINE_NO_TIME);
	lane->at = end;
}

void
lane_add(struct lane *lane, struct stack *stack, double start, double end)
{
	if (rint(start) > lane->at)
		add_until(lane, &(struct stack){ .frames = &lane->root,
		    .depth = 1 }, rint(start));
	stack_push(stack, lane->root);
	if (rint(end) > lane->at)
		add_until(lane, stack, rint(end));
	stack->depth = 0;
}

void
timeline_check(const struct timeline *timeline, struct str event,
    uint64_t time)
{
	if (timeline->gap == 0)
		return;
	if (time == TIMELINE_NO_TIME)
		message_fail("--gaps: there are samples without a time");
	if (event.len == 0 || str_starts(event, STR("cpu-clock")) ||
	    str_starts(event, STR("task-clock")))
		return;
	message_fail("--gaps: periods of %s are not times; those of "
	    "cpu-clock and task-clock are", message_shown(event));
}

static void
add_line(struct text *text, const struct stack *stack,
    const struct table *names, unsigned long long count)
{
	size_t i;

	for (i = stack->depth; i > 0; i--) {
		text_add(text, names->keys[stack->frames[i - 1]]);
		text_add_char(text, i > 1 ? ';' : ' ');
	}
	text_add_number(text, count);
	text_add_char(text, '\n');
}

void
timeline_print(const struct timeline *timeline, const struct table *names,
    FILE *out)
{
	struct timeline_thread *thread = timeline->threads;
	struct stack stack = { 0 }, root = { .depth = 1 };
	struct text text = { 0 };
	size_t i, j;

	for (i = 0; i < timeline->count; i++, thread++) {
		root.frames = &thread->root;
		if (thread->begin != TIMELINE_NO_TIME &&
		    thread->begin > timeline->begin)
			add_line(&text, &root, names,
			    thread->begin - timeline->begin);
		for (j = 0; j < thread->count; j++) {
			stack.depth = 0;
			stacks_get(timeline->stacks, thread->runs[j].stack,
			    &stack);
			add_line(&text, &stack, names, thread->runs[j].count);
			output_drain(&text, out);
		}
	}
	output_flush(&text, out);
	free(stack.frames);
	free(text.data);
}
