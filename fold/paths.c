#include <stdlib.h>

#include "../lib/message.h"
#include "../lib/prefetch.h"
#include "paths.h"

#define FRAME		sizeof(uint32_t)
#define FIRST_BITS	8
#define FIRST_SLOTS	((size_t)1 << FIRST_BITS)
#define NODES_MOST	(UINT32_MAX / 2)

/* A whole path, found by its hash: most stacks are not new. */
struct path_slot {
	uint32_t hash;
	uint32_t node;		/* plus one; 0 in an empty slot */
};

void
paths_init(struct paths *paths)
{
	table_seed();
	*paths = (struct paths){ .count = 1,
	    .children_bits = FIRST_BITS, .slots_mask = FIRST_SLOTS - 1,
	    .multiplier = table_multiplier() };
	paths->nodes = mem_grow(NULL, &paths->room, 1, sizeof(*paths->nodes));
	paths->nodes[0] = (struct path_node){ 0, 0 };
	paths->children = mem_array(FIRST_SLOTS, sizeof(*paths->children));
	paths->slots = mem_array(FIRST_SLOTS, sizeof(*paths->slots));
}

void
paths_free(struct paths *paths)
{
	free(paths->nodes);
	free(paths->children);
	free(paths->slots);
}

/* Returns the place at which a node is looked for first. */
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

/* Returns a node, or 0 if there is none. */
static uint32_t
find_child(const struct paths *paths, uint32_t parent, uint32_t frame)
{
	size_t mask = ((size_t)1 << paths->children_bits) - 1;
	size_t at = child_place(paths, parent, frame);
	struct path_node node;

	for (; paths->children[at] != 0; at = (at + 1) & mask) {
		node = paths->nodes[paths->children[at]];
		if (node.parent == parent && (node.frame & ~PATH_END) == frame)
			break;
	}
	return paths->children[at];
}

static void
double_children(struct paths *paths)
{
	uint32_t node;

	free(paths->children);
	paths->children = mem_array((size_t)1 << ++paths->children_bits,
	    sizeof(*paths->children));
	for (node = 1; node < paths->count; node++)
		*empty_child(paths, child_place(paths,
		    paths->nodes[node].parent, path_frame(paths, node))) = node;
}

/* Adds a node that there is not. */
static uint32_t
add_child(struct paths *paths, uint32_t parent, uint32_t frame)
{
	if (paths->count == NODES_MOST || frame >= PATH_END)
		message_fail("more than %lu different calls",
		    (unsigned long)NODES_MOST);
	if (paths->count > (size_t)1 << paths->children_bits >> 1)
		double_children(paths);
	*empty_child(paths, child_place(paths, parent, frame)) = paths->count;
	paths->nodes = mem_grow(paths->nodes, &paths->room,
	    paths->count + (size_t)1, sizeof(*paths->nodes));
	paths->nodes[paths->count] = (struct path_node){ parent, frame };
	return paths->count++;
}

uint32_t
paths_step(struct paths *paths, uint32_t parent, uint32_t frame)
{
	uint32_t node = find_child(paths, parent, frame);

	return node != 0 ? node : add_child(paths, parent, frame);
}

void
paths_end(struct paths *paths, uint32_t node)
{
	paths->ends += !path_ends(paths, node);
	paths->nodes[node].frame |= PATH_END;
}

/* True if the path that ends in a node has these frames. */
static bool
is_path(const struct paths *paths, uint32_t node, const uint32_t *frame,
    const uint32_t *end)
{
	for (; frame < end && node != 0; frame++) {
		if (path_frame(paths, node) != *frame)
			return false;
		node = paths->nodes[node].parent;
	}
	return frame == end && node == 0;
}

static void
double_slots(struct paths *paths)
{
	struct path_slot *old = paths->slots;
	size_t count = paths->slots_mask + 1, i, at;

	paths->slots_mask = count * 2 - 1;
	paths->slots = mem_array(count * 2, sizeof(*paths->slots));
	for (i = 0; i < count; i++) {
		if (old[i].node == 0)
			continue;
		at = old[i].hash & paths->slots_mask;
		while (paths->slots[at].node != 0)
			at = (at + 1) & paths->slots_mask;
		paths->slots[at] = old[i];
	}
	free(old);
}

/* Adds a stack to the tree, unless it is there, and to the slots. */
static uint32_t
add(struct paths *paths, struct path_slot *slot, uint32_t hash,
    const uint32_t *frames, size_t depth)
{
	uint32_t node = 0, next;

	for (; depth > 0; depth--, node = next) {
		next = find_child(paths, node, frames[depth - 1]);
		if (next == 0)
			break;
	}
	/* nothing is behind a node that is new */
	for (; depth > 0; depth--)
		node = add_child(paths, node, frames[depth - 1]);
	paths_end(paths, node);
	*slot = (struct path_slot){ hash, node + 1 };
	if (++paths->slots_used > paths->slots_mask / 4 * 3)
		double_slots(paths);
	return node;
}

static uint32_t
find(struct paths *paths, uint32_t hash, const uint32_t *frames, size_t depth)
{
	size_t at = hash & paths->slots_mask;
	struct path_slot *slot;

	for (; (slot = &paths->slots[at])->node != 0;
	    at = (at + 1) & paths->slots_mask)
		if (slot->hash == hash && is_path(paths, slot->node - 1,
		    frames, frames + depth))
			return slot->node - 1;
	return add(paths, slot, hash, frames, depth);
}

/* Each of these loops waits for memory once, for all stacks together. */
void
paths_find(struct paths *paths, const uint32_t *frames, const size_t *ends,
    size_t count, uint32_t *numbers)
{
	uint32_t hashes[PATHS_BATCH];
	size_t i, start;

	for (i = start = 0; i < count; start = ends[i++]) {
		hashes[i] = table_hash((struct str){
		    (const char *)(frames + start),
		    (ends[i] - start) * FRAME });
		prefetch(&paths->slots[hashes[i] & paths->slots_mask]);
	}
	for (i = 0; i < count; i++)
		prefetch(&paths->nodes[paths->slots[hashes[i] &
		    paths->slots_mask].node]);
	for (i = start = 0; i < count; start = ends[i++])
		numbers[i] = find(paths, hashes[i], frames + start,
		    ends[i] - start);
}
