/*
 * tree: the frames of a flame graph.  Each has its place on the axis of
 * counts: it begins at `start` and is `total` wide, its own samples, `self`,
 * before those of its children.
 */
#ifndef TREE_H
#define TREE_H

#include <stdint.h>

#include "../lib/table.h"
#include "../lib/text.h"

struct frame {
	struct str name;	/* lives as long as the stacks it came in */
	uint32_t parent;	/* 0 for the root, too */
	uint32_t next;		/* sibling, or 0 */
	uint32_t first_child;	/* or 0 */
	uint32_t depth;		/* 0 for the root */
	double start, self, total;
	double delta;		/* of its own samples, second minus first */
	double total_delta;	/* and of all above it */
	bool differential;	/* delta is known */
	bool hidden;		/* by another one, see tree_hide */
};

struct step {
	uint32_t frame;
	size_t end;		/* of its name in the stack */
};

struct tree {
	struct frame *frames;	/* a parent before its children; 0 is the root */
	uint32_t count;
	size_t room;
	double max_delta;	/* the largest one in size, at least 1 */
	bool chart;		/* time order: only neighbours are merged */
	double time;		/* the sum of the counts so far */
	struct str last;	/* the stack added last, and its frames */
	struct step *path;
	size_t depth, path_room;
	struct table odd;	/* parent and name of frames... */
	uint32_t *odd_frames;	/* ...whose lines may be scattered */
	size_t odd_room;
	struct text key;
};

/* What a line of folded stacks says. */
struct sample {
	struct str stack;	/* must live as long as the tree */
	double count;
	double delta;		/* to the count in a first profile */
	bool differential;	/* there is one */
};

void tree_init(struct tree *tree, bool chart);

/*
 * Adds a stack.  Unless the tree is a chart, the lines that stacks come from
 * must be added in byte order.
 */
void tree_add(struct tree *tree, const struct sample *sample);

/* Computes totals, places and max_delta, after the last tree_add. */
void tree_finish(struct tree *tree);

/*
 * Hides frames that end where a frame of the same name and depth, without any
 * counts, stands.  flamegraph.pl takes both for the same frame and loses the
 * wider one; it happens in differentials, where a stack of the first profile
 * has no counts in the second.
 */
void tree_hide(struct tree *tree);

/*
 * The frame that is drawn after `frame`, in the order parents first, left to
 * right, or 0 at the end.  The frame's children are left out if `skip`.
 */
uint32_t tree_next(const struct tree *tree, uint32_t frame, bool skip);

#endif
