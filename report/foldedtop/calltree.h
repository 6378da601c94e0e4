/*
 * calltree: a tree of functions by their callers or by what they call:
 *
 *	parse 70			parse 70
 *	    read 50  self 50		    main 60
 *	    skip 20  self 20		    test 10
 *
 * Node 0 is the root, which is no function, and comes first; a node comes
 * before those on it.
 */
#ifndef CALLTREE_H
#define CALLTREE_H

#include <stdbool.h>

#include "lib/intmap.h"

/* Counts before and after; of a single profile both are the same. */
struct counts_pair {
	double of[2];
};

static inline void
add_pair(struct counts_pair *sum, struct counts_pair more)
{
	sum->of[0] += more.of[0];
	sum->of[1] += more.of[1];
}

static inline bool
pairs_equal(const struct counts_pair *a, const struct counts_pair *b)
{
	return a->of[0] == b->of[0] && a->of[1] == b->of[1];
}

struct call_node {
	uint32_t function;
	uint32_t parent;
	uint32_t first_child, next;	/* or 0 */
	struct counts_pair self;	/* of stacks that end in it */
	struct counts_pair total;	/* and of those above, in the end */
};

struct calltree {
	struct call_node *nodes;
	uint32_t count;
	size_t room;
	struct intmap children;	/* by their parents and functions */
};

void calltree_init(struct calltree *tree);

/* Returns the node of a function on another one, which is added if missing. */
uint32_t calltree_child(struct calltree *tree, uint32_t parent,
    uint32_t function);

/* Adds up the totals, once. */
void calltree_add_up(struct calltree *tree);

#endif
