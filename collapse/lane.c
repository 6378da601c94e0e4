#include <math.h>

#include "lane.h"

void
lane_prepare(struct fold *fold, struct timeline *timeline)
{
	timeline_init(timeline, &fold->stacks, 0);
	fold->timeline = timeline;
}

struct lane
lane_begin(struct fold *fold, uint32_t root)
{
	return (struct lane){ .fold = fold, .root = root };
}

/* Adds a stack that lasts until this time. */
static void
add_until(struct lane *lane, const struct stack *stack, double end)
{
	double count = end - lane->at;

	lane->fold->stacks.overflowed |= count >= 0x1p64;
	timeline_add_stack(lane->fold->timeline, stack, count < 0x1p64 ?
	    (unsigned long long)count : UINT64_MAX, TIMELINE_NO_TIME);
	lane->at = end;
}

void
lane_add(struct lane *lane, double start, double end)
{
	struct stack *stack = &lane->fold->stack;

	if (rint(start) > lane->at)
		add_until(lane, &(struct stack){ .frames = &lane->root,
		    .depth = 1 }, rint(start));
	stack_push(stack, lane->root);
	if (rint(end) > lane->at)
		add_until(lane, stack, rint(end));
	stack->depth = 0;
}
