#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "lib/mem.h"
#include "lib/message.h"
#include "stacks.h"

#define FRAME		sizeof(uint32_t)
#define FIRST_BITS	8
#define FIRST_SLOTS	((size_t)1 << FIRST_BITS)
#define NODES_MOST	(UINT32_MAX / 2)

/*
 * Returns the place at which a node is looked for first.  The table has only
 * numbers, since the nodes hold the keys: a million stacks take 60 MB, with an
 * intmap 76.
 */
static size_t
child_place(const struct paths *paths, uint32_t parent, uint32_t frame)
{
	uint64_t key = (uint64_t)parent << 32 | frame;

	return (size_t)(key * paths->multiplier >>
	    (64 - paths->children_bits));
}

/* Returns the first slot from a place on that is empty. */
static uint32_t *
empty_child(const struct paths *paths, size_t at)
{
	size_t mask = ((size_t)1 << paths->children_bits) - 1;

	while (paths->children[at] != 0)
		at = (at + 1) & mask;
	return &paths->children[at];
}

/* Returns the slot of a node, or an empty one if the node is missing. */
static uint32_t *
child_slot(const struct paths *paths, uint32_t parent, uint32_t frame)
{
	size_t mask = ((size_t)1 << paths->children_bits) - 1;
	size_t at = child_place(paths, parent, frame);
	uint32_t node;

	for (; (node = paths->children[at]) != 0; at = (at + 1) & mask)
		if (paths->nodes[node].parent == parent &&
		    path_frame(paths, node) == frame)
			break;
	return &paths->children[at];
}

/* Adds a node without a slot; returns its number. */
static uint32_t
add_node(struct paths *paths, struct path_node node)
{
	if (paths->count == NODES_MOST || node.frame >= PATH_END)
		message_fail("more than %lu different calls",
		    (unsigned long)NODES_MOST);
	*LIST_AT(paths->nodes, paths->count, paths->room) = node;
	return paths->count++;
}

/* Adds a node for the rest of a stack's frames, outermost last. */
static uint32_t
add_rest(struct paths *paths, uint32_t parent, const uint32_t *frames,
    size_t depth)
{
	struct path_node node = { parent, frames[depth - 1],
	    (uint32_t)paths->frames_count, (uint32_t)(depth - 1) };
	uint32_t number;

	if (depth > UINT32_MAX - paths->frames_count)
		message_fail("more than %lu frames",
		    (unsigned long)UINT32_MAX);
	paths->frames = mem_grow(paths->frames, &paths->frames_room,
	    paths->frames_count + depth, sizeof(*paths->frames));
	while (--depth > 0)
		paths->frames[paths->frames_count++] = frames[depth - 1];
	number = add_node(paths, node);
	*empty_child(paths, child_place(paths, parent, node.frame)) = number;
	return number;
}

/* Splits a node; returns a new one with its first `count` frames. */
static uint32_t
part(struct paths *paths, uint32_t node, uint32_t count)
{
	struct path_node first = paths->nodes[node], *second;
	uint32_t *slot = child_slot(paths, first.parent,
	    path_frame(paths, node)), number;
	uint32_t end = first.frame & PATH_END;

	first.frame &= ~PATH_END;
	first.more = count - 1;
	number = *slot = add_node(paths, first);
	second = &paths->nodes[node];
	second->parent = number;
	second->frame = paths->frames[second->rest + count - 1] | end;
	second->rest += count;
	second->more -= count;
	*empty_child(paths, child_place(paths, number,
	    second->frame & ~PATH_END)) = node;
	return number;
}

/*
 * Follows these frames, outermost last, from the end of a node.  Returns the
 * node in which they end, perhaps a new one.
 */
static uint32_t
follow(struct paths *paths, uint32_t node, const uint32_t *frames,
    size_t depth)
{
	uint32_t next, shared, old;
	const uint32_t *rest;

	/* a stack may add two nodes, whose slots need room */
	if (paths->count + (size_t)2 > (size_t)1 << paths->children_bits >> 1) {
		free(paths->children);
		paths->children = mem_array((size_t)1 << ++paths->children_bits,
		    sizeof(*paths->children));
		for (old = 1; old < paths->count; old++)
			*empty_child(paths, child_place(paths,
			    paths->nodes[old].parent,
			    path_frame(paths, old))) = old;
	}
	for (; depth > 0; depth -= shared, node = next) {
		next = *child_slot(paths, node, frames[depth - 1]);
		if (next == 0)
			return add_rest(paths, node, frames, depth);
		/* how many frames of that node the rest of the stack has */
		rest = paths->frames + paths->nodes[next].rest;
		for (shared = 1; shared < depth &&
		    shared <= paths->nodes[next].more &&
		    rest[shared - 1] == frames[depth - 1 - shared];)
			shared++;
		if (shared <= paths->nodes[next].more)
			next = part(paths, next, shared);
	}
	return node;
}

/* True if the path that ends in a node has these frames, leaf first. */
static bool
is_path(const struct paths *paths, uint32_t node, const uint32_t *frame,
    const uint32_t *end)
{
	const struct path_node *at;
	uint32_t i;

	for (; node != 0; node = at->parent) {
		at = &paths->nodes[node];
		if (at->more >= (size_t)(end - frame))
			return false;
		for (i = at->more; i > 0; i--)
			if (paths->frames[at->rest + i - 1] != *frame++)
				return false;
		if ((at->frame & ~PATH_END) != *frame++)
			return false;
	}
	return frame == end;
}

/* Returns the node in which a stack ends; adds a missing one. */
static uint32_t
find(struct paths *paths, uint32_t hash, const uint32_t *frames, size_t depth)
{
	size_t at = hash & paths->slots_mask;
	struct table_slot *slot;
	uint32_t node;

	for (; (slot = &paths->slots[at])->number != 0;
	    at = (at + 1) & paths->slots_mask)
		if (slot->hash == hash && is_path(paths, slot->number - 1,
		    frames, frames + depth))
			return slot->number - 1;
	node = follow(paths, 0, frames, depth);
	paths->ends += !path_ends(paths, node);
	paths->nodes[node].frame |= PATH_END;
	*slot = (struct table_slot){ hash, node + 1 };
	if (++paths->slots_used > paths->slots_mask / 4 * 3)
		paths->slots = table_double(paths->slots, &paths->slots_mask);
	return node;
}

void
stacks_init(struct stacks *stacks)
{
	struct paths *paths = &stacks->paths;

	table_seed();
	*stacks = (struct stacks){ .paths = { .count = 1,
	    .children_bits = FIRST_BITS, .slots_mask = FIRST_SLOTS - 1,
	    .multiplier = table_multiplier() } };
	paths->nodes = mem_grow_zero(NULL, &paths->room, 1,
	    sizeof(*paths->nodes));
	paths->children = mem_array(FIRST_SLOTS, sizeof(*paths->children));
	paths->slots = mem_array(FIRST_SLOTS, sizeof(*paths->slots));
}

void
stacks_free(struct stacks *stacks)
{
	free(stacks->paths.nodes);
	free(stacks->paths.frames);
	free(stacks->paths.children);
	free(stacks->paths.slots);
	free(stacks->counts);
	free(stacks->batch.frames);
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

unsigned long long
stacks_round(struct stacks *stacks, double count)
{
	if (count < 0x1p64)
		return (unsigned long long)rint(count);
	stacks->overflowed = true;
	return ULLONG_MAX;
}

/* Each of these loops waits for memory once, for all stacks together. */
void
stacks_number(struct stacks *stacks, const uint32_t *frames,
    const size_t *ends, size_t count, uint32_t *numbers)
{
	struct paths *paths = &stacks->paths;
	uint32_t hashes[PATHS_BATCH];
	size_t i, start, at;

	for (i = start = 0; i < count; start = ends[i++]) {
		hashes[i] = table_hash((struct str){
		    (const char *)(frames + start),
		    (ends[i] - start) * FRAME });
		prefetch(&paths->slots[hashes[i] & paths->slots_mask]);
	}
	for (i = 0; i < count; i++) {
		at = hashes[i] & paths->slots_mask;
		while (paths->slots[at].number != 0 &&
		    paths->slots[at].hash != hashes[i])
			at = (at + 1) & paths->slots_mask;
		if (paths->slots[at].number != 0)
			prefetch(&paths->nodes[paths->slots[at].number - 1]);
	}
	for (i = start = 0; i < count; start = ends[i++])
		numbers[i] = find(paths, hashes[i], frames + start,
		    ends[i] - start);
	/* new nodes have no counts yet */
	if (stacks->counted < paths->count) {
		stacks->counts = mem_grow(stacks->counts, &stacks->room,
		    paths->count, sizeof(*stacks->counts));
		memset(stacks->counts + stacks->counted, 0,
		    (paths->count - stacks->counted) * sizeof(*stacks->counts));
		stacks->counted = paths->count;
	}
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
