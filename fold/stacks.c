#include <limits.h>
#include <stdlib.h>

#include "lib/prefetch.h"
#include "listing.h"
#include "stacks.h"

#define FRAME	sizeof(uint32_t)

void
stacks_init(struct stacks *stacks)
{
	*stacks = (struct stacks){ .room = 0 };
	paths_init(&stacks->paths);
}

void
stacks_free(struct stacks *stacks)
{
	paths_free(&stacks->paths);
	free(stacks->counts);
	free(stacks->batch.frames);
}

/* Has a count for each node of the tree. */
static void
add_counts(struct stacks *stacks)
{
	size_t count = stacks->paths.count;

	if (stacks->counted == count)
		return;
	stacks->counts = mem_grow(stacks->counts, &stacks->room, count,
	    sizeof(*stacks->counts));
	memset(stacks->counts + stacks->counted, 0,
	    (count - stacks->counted) * sizeof(*stacks->counts));
	stacks->counted = count;
}

void
stacks_count(struct stacks *stacks, uint32_t number, unsigned long long count)
{
	unsigned long long *sum = &stacks->counts[number];

	if (count > ULLONG_MAX - *sum) {
		stacks->overflowed = true;
		count = ULLONG_MAX - *sum;
	}
	*sum += count;
}

void
stacks_number(struct stacks *stacks, const uint32_t *frames,
    const size_t *ends, size_t count, uint32_t *numbers)
{
	size_t i;

	paths_find(&stacks->paths, frames, ends, count, numbers);
	add_counts(stacks);
	for (i = 0; i < count; i++)
		prefetch(&stacks->counts[numbers[i]]);
}

void
stacks_get(const struct stacks *stacks, uint32_t number, struct stack *stack)
{
	const struct paths *paths = &stacks->paths;
	uint32_t i;

	for (; number != 0; number = paths->nodes[number].parent)
		for (i = paths->nodes[number].more + 1; i > 0; i--)
			stack_push(stack, path_frame_at(paths, number, i - 1));
}

void
stacks_settle(struct stacks *stacks)
{
	uint32_t numbers[PATHS_BATCH];
	size_t i;

	stacks_number(stacks, stacks->batch.frames, stacks->batch_ends,
	    stacks->batched, numbers);
	for (i = 0; i < stacks->batched; i++)
		stacks_count(stacks, numbers[i], stacks->batch_counts[i]);
	stacks->batched = stacks->batch.depth = 0;
}

void
stacks_add(struct stacks *stacks, const struct stack *stack,
    unsigned long long count)
{
	struct stack *batch = &stacks->batch;

	batch->frames = mem_grow(batch->frames, &batch->room,
	    batch->depth + stack->depth, FRAME);
	if (stack->depth > 0)
		memcpy(batch->frames + batch->depth, stack->frames,
		    stack->depth * FRAME);
	batch->depth += stack->depth;
	stacks->batch_ends[stacks->batched] = batch->depth;
	stacks->batch_counts[stacks->batched++] = count;
	if (stacks->batched == PATHS_BATCH)
		stacks_settle(stacks);
}

void
stacks_merge(struct stacks *stacks, struct table *names, struct stacks *from,
    const struct table *from_names)
{
	uint32_t *numbers = mem_array(from_names->count, FRAME), node;
	uint32_t *nodes;
	size_t i;

	for (i = 0; i < from_names->count; i++)
		numbers[i] = table_add(names, from_names->keys[i]);
	stacks_settle(from);
	stacks_settle(stacks);
	nodes = mem_array(from->paths.count, FRAME);
	paths_add(&stacks->paths, &from->paths, numbers, nodes);
	add_counts(stacks);
	for (node = 0; node < from->paths.count; node++)
		if (path_ends(&from->paths, node))
			stacks_count(stacks, nodes[node], from->counts[node]);
	stacks->overflowed |= from->overflowed;
	free(nodes);
	free(numbers);
}

void
stacks_print(struct stacks *stacks, const struct table *names, FILE *out)
{
	stacks_settle(stacks);
	listing_print(&stacks->paths, stacks->counts, names, out);
}
