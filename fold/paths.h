/*
 * paths: stacks as the paths of a tree, in which those that begin alike share
 * what they have in common.
 *
 *	main;parse;read		main 1 --- parse 2 --- read 3
 *	main;parse		       \-- draw 4
 *	main;draw
 *
 * A stack is known by the number of the node in which its path ends, so the
 * three are 3, 2 and 4.  A million stacks need 60 MB or so, where their frames
 * one after another would need several times as much.
 */
#ifndef PATHS_H
#define PATHS_H

#include <stdbool.h>

#include "../lib/table.h"

/* A frame and what it was called by. */
struct path_node {
	uint32_t parent;	/* a lower number; that of a root is 0 */
	uint32_t frame;		/* the number of a name, and PATH_END */
};

#define PATH_END	UINT32_C(0x80000000)	/* a path ends here */

struct paths {
	struct path_node *nodes;	/* by number; 0 has no frame */
	uint32_t count;		/* of nodes */
	uint32_t ends;		/* of those in which a path ends */
	size_t room;
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

/* Returns the number of the node behind another one, which is added if new. */
uint32_t paths_step(struct paths *paths, uint32_t parent, uint32_t frame);

/* Has a path end in a node. */
void paths_end(struct paths *paths, uint32_t node);

static inline bool
path_ends(const struct paths *paths, uint32_t node)
{
	return (paths->nodes[node].frame & PATH_END) != 0;
}

/* Returns the frame of a node. */
static inline uint32_t
path_frame(const struct paths *paths, uint32_t node)
{
	return paths->nodes[node].frame & ~PATH_END;
}

#endif
