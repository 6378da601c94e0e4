#include <stdlib.h>

#include "lib/mem.h"
#include "modules.h"
#include "stitch.h"
#include "symbols/unwind/frametables.h"

/* Of two threads whose numbers are so far apart, the later one counts. */
#define THREADS		4096

/* All stacks are dropped before they exceed this many frames: 64 MB. */
#define FRAMES_MOST	((size_t)1 << 22)

/* A stack with more frames is not made. */
#define DEPTH_MOST	((size_t)1 << 18)

struct stitch_kept {
	struct stitch_thread thread;
	struct stitch_stack stack;
};

static void
forget_all(struct stitch *stitch)
{
	size_t i;

	for (i = 0; stitch->kept != NULL && i < THREADS; i++) {
		free(stitch->kept[i].stack.frames);
		stitch->kept[i].stack = (struct stitch_stack){ NULL, 0, 0 };
	}
	stitch->room = 0;
}

void
stitch_free(struct stitch *stitch)
{
	forget_all(stitch);
	free(stitch->kept);
}

/* Returns the stack of a thread, empty at first. */
static struct stitch_stack *
find(struct stitch *stitch, struct stitch_thread thread)
{
	struct stitch_kept *kept;

	if (stitch->kept == NULL)
		stitch->kept = mem_array(THREADS, sizeof(*stitch->kept));
	if (stitch->room > FRAMES_MOST)
		forget_all(stitch);
	kept = &stitch->kept[(uint32_t)thread.tid % THREADS];
	if (kept->thread.tid != thread.tid ||
	    kept->thread.since != thread.since)
		kept->stack.count = 0;
	kept->thread = thread;
	return &kept->stack;
}

/* Pushes frames, given innermost first, onto a stack. */
static void
push(struct stitch *stitch, struct stitch_stack *stack,
    const struct stitch_stack *inner)
{
	size_t i;

	stitch->room -= stack->room;
	stack->frames = mem_grow_small(stack->frames, &stack->room,
	    stack->count + inner->count, sizeof(*stack->frames));
	stitch->room += stack->room;
	for (i = inner->count; i > 0; i--)
		stack->frames[stack->count++] = inner->frames[i - 1];
}

static void
pop_below(struct stitch_stack *stack, uint64_t address)
{
	while (stack->count > 0 &&
	    stack->frames[stack->count - 1].sp < address)
		stack->count--;
}

const struct stitch_stack *
stitch_keep(struct stitch *stitch, struct stitch_thread thread,
    const struct stitch_stack *whole)
{
	struct stitch_stack *stack = find(stitch, thread);

	stack->count = 0;
	push(stitch, stack, whole);
	return stack;
}

/* Finds where in its file a function begins, by the tables of that. */
static bool
find_start(const struct map *map, uint64_t address, uint64_t *start)
{
	const struct frametables *tables;
	uint64_t offset;

	if (map == NULL || map->module->dso == NULL || map->module->absolute)
		return false;
	offset = address - map->start + map->offset;
	tables = dso_frametables(map->module->dso, &offset);
	return tables != NULL && frametables_start(tables, offset, start);
}

static bool
is_same_function(const struct maps *maps, uint64_t address, uint64_t other)
{
	struct maps_range around;
	uint64_t start, other_start;
	const struct map *map;

	if (address == other)
		return true;
	map = maps_find(maps, address, &around);
	return map == maps_find(maps, other, &around) &&
	    find_start(map, address, &start) &&
	    find_start(map, other, &other_start) && start == other_start;
}

/* True if the top of a stack is the outermost frame of a truncated one. */
static bool
meets(const struct stitch_stack *stack, const struct maps *maps,
    const struct stitch_frame *cut, uint64_t caller_sp)
{
	const struct stitch_frame *top;

	if (stack->count < 2)
		return false;
	top = &stack->frames[stack->count - 1];
	return top->sp == cut->sp && top[-1].sp == caller_sp &&
	    is_same_function(maps, top->address, cut->address);
}

const struct stitch_stack *
stitch_join(struct stitch *stitch, struct stitch_thread thread,
    const struct maps *maps, const struct stitch_stack *cut, uint64_t caller_sp)
{
	struct stitch_stack *stack = find(stitch, thread);
	const struct stitch_frame *outermost = &cut->frames[cut->count - 1];

	pop_below(stack, outermost->sp);
	if (!meets(stack, maps, outermost, caller_sp) ||
	    stack->count + cut->count > DEPTH_MOST)
		return NULL;
	stack->count--;
	push(stitch, stack, cut);
	return stack;
}

void
stitch_forget(struct stitch *stitch, struct stitch_thread thread,
    uint64_t below)
{
	pop_below(find(stitch, thread), below);
}
