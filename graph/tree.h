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

/* 56 bytes: a large tree is as fast as memory is. */
struct frame {
	struct str name;	/* lives as long as the stacks it came in */
	double start, self, total;
	uint32_t parent;	/* 0 for the root, too */
	uint32_t next;		/* sibling, or 0 */
	uint32_t first_child;	/* or 0 */
	unsigned depth : 31;	/* 0 for the root */
	unsigned differential : 1;	/* its change is known */
};

/* From the first profile to the second. */
struct change {
	double own;		/* of the frame's own samples */
	double total;		/* and of all above it */
};

struct step {
	uint32_t frame;
	size_t end;		/* of its name in the stack */
};

struct tree {
	struct frame *frames;	/* a parent before its children; 0 is the root */
	struct change *changes;	/* by frame; NULL: nothing is differential */
	uint32_t count;
	size_t room, change_room;
	double max_change;	/* the largest own one in size, at least 1 */
	bool chart;		/* time order: only neighbours are merged */
	bool begun;		/* there is a stack */
	double time;		/* the sum of the counts so far */
	struct step *path;	/* the frames of the stack added last */
	size_t depth, path_room;
	struct table again;	/* parent and name of frames... */
	uint32_t *again_frames;	/* ...whose lines may be scattered */
	size_t again_room;
	struct text key;
};

/* What a line of folded stacks says. */
struct sample {
	struct str stack;	/* must live as long as the tree */
	double count;
	double delta;		/* to the count in a first profile */
	bool differential;	/* there is one */
};

/* Prepares a tree for so many stacks; more are no error. */
void tree_init(struct tree *tree, bool chart, size_t stacks);

/*
 * Adds a stack.  If it begins like the one before, the first `kept` bytes, up
 * to where a frame begins, are left out of sample->stack.
 *
 * Unless the tree is a chart, the lines that stacks come from must be added in
 * byte order.
 */
void tree_add(struct tree *tree, size_t kept, const struct sample *sample);

/* Computes totals, places and max_change, after the last stack. */
void tree_finish(struct tree *tree);

/*
 * The frame that is drawn after `frame`, in the order parents first, left to
 * right, or 0 at the end.  The frame's children are left out if `skip`.
 */
uint32_t tree_next(const struct tree *tree, uint32_t frame, bool skip);

#endif
