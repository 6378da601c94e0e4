/*
 * paths: stacks as the paths of a tree, in which those that begin alike share
 * what they have in common.
 *
 *	main;parse;file;read	main 2 --- parse;file;read 1
 *	main;draw		       \-- draw 3
 *
 * Frames that no other path leaves are one node, which is parted when one
 * does: here 1 was all of the first path until the second one came.  A stack
 * is known by the number of the node in which its path ends, 1 and 3, which
 * stays.  A million stacks that begin alike need 60 MB or so, where their
 * frames one after another would need several times as much.
 */
#ifndef PATHS_H
#define PATHS_H

#include <stdbool.h>

#include "lib/table.h"

/* Frames, each of which called the next one, and what they were called by. */
struct path_node {
	uint32_t parent;	/* 0: nothing */
	uint32_t frame;		/* the first, the number of a name; PATH_END */
	uint32_t rest;		/* where the others are... */
	uint32_t more;		/* ...and how many */
};

#define PATH_END	UINT32_C(0x80000000)	/* a path ends here */

struct paths {
	struct path_node *nodes;	/* by number; 0 has no frame */
	uint32_t count;		/* of nodes */
	uint32_t ends;		/* of those in which a path ends */
	size_t room;
	uint32_t *frames;	/* of nodes, but for the first of each */
	size_t frames_count, frames_room;
	uint32_t *children;	/* nodes by parent and frame; 0: none */
	unsigned children_bits;		/* of their hash */
	uint64_t multiplier;		/* which makes it */
	struct path_slot *slots;	/* ends by all frames of their paths */
	size_t slots_mask, slots_used;
};

void paths_init(struct paths *paths);
void paths_free(struct paths *paths);

#define PATHS_BATCH	16

/*
 * Stores the numbers of up to PATHS_BATCH stacks, leaf first, whose frames are
 * end to end, those of stack i up to ends[i].  New ones are added.
 */
void paths_find(struct paths *paths, const uint32_t *frames,
    const size_t *ends, size_t count, uint32_t *numbers);

/*
 * Adds all paths of another tree, whose frames have these numbers here, and
 * stores, by the numbers of its nodes, the nodes in which the same paths end.
 */
void paths_add(struct paths *paths, const struct paths *from,
    const uint32_t *numbers, uint32_t *nodes);

static inline bool
path_ends(const struct paths *paths, uint32_t node)
{
	return (paths->nodes[node].frame & PATH_END) != 0;
}

/* Returns the first frame of a node. */
static inline uint32_t
path_frame(const struct paths *paths, uint32_t node)
{
	return paths->nodes[node].frame & ~PATH_END;
}

/* Returns a frame of a node, of which the first is 0. */
static inline uint32_t
path_frame_at(const struct paths *paths, uint32_t node, uint32_t i)
{
	return i == 0 ? path_frame(paths, node) :
	    paths->frames[paths->nodes[node].rest + i - 1];
}

#endif
