#include <stdlib.h>

#include "lib/text.h"
#include "pair.h"

/* Adds the stack of a node, without its outermost frame, if that is wanted. */
static void
add(struct pair *pair, struct stacks *joined, const struct stack *stack,
    const uint32_t events[2], unsigned long long count)
{
	uint32_t event = stack->frames[stack->depth - 1], number;
	size_t depth = stack->depth - 1, known = pair->room;

	if (event != events[0] && event != events[1])
		return;
	stacks_number(joined, stack->frames, &depth, 1, &number);
	pair->seconds = mem_grow(pair->seconds, &pair->room,
	    joined->paths.count, sizeof(*pair->seconds));
	for (; known < pair->room; known++)
		pair->seconds[known] = 0;
	if (event == events[0])
		stacks_count(joined, number, count);
	if (event == events[1])
		pair->seconds[number] = count;
}

void
pair_join(struct pair *pair, struct stacks *stacks, uint32_t first,
    uint32_t second)
{
	const uint32_t events[2] = { first, second };
	struct stack stack = { 0 };
	struct stacks joined;
	uint32_t node;

	stacks_settle(stacks);
	stacks_init(&joined);
	for (node = 1; node < stacks->paths.count; node++) {
		if (!path_ends(&stacks->paths, node) ||
		    stacks->counts[node] == 0)
			continue;
		stack.depth = 0;
		stacks_get(stacks, node, &stack);
		add(pair, &joined, &stack, events, stacks->counts[node]);
	}
	pair->has_seconds = second != TABLE_NONE;
	joined.overflowed = stacks->overflowed;
	stacks_free(stacks);
	free(stack.frames);
	*stacks = joined;
	pair->stacks = stacks;
}

void
pair_add_counts(const struct pair *pair, uint32_t number, struct text *line)
{
	text_add_number(line, pair->stacks->counts[number]);
	if (!pair->has_seconds)
		return;
	text_add_char(line, ' ');
	text_add_number(line, pair->seconds[number]);
}
