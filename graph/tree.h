/*
 * tree: the frames of a flame graph, built as the stacks come.
 *
 *	main;parse;read 12		main
 *	main;print 7			    parse
 *	main;parse;skip 3		        read	12
 *					        skip	3
 *					    print	7
 *
 * A frame is an interval on the axis of counts: it begins at `start` and is
 * `total` wide, its own samples, `self`, before its children.
 *
 * In lanes each child of the root has an axis of its own, from 0.  Lines that
 * are nothing but its name are gaps: there it has no stack.  So it lasts longer
 * than it counts.
 */
#ifndef TREE_H
#define TREE_H

#include <stdint.h>

#include "fold/foldedlines.h"
#include "fold/trail.h"
#include "lib/intmap.h"
#include "lib/table.h"

/* 56 bytes: a large tree is as fast as memory is. */
struct tree_frame {
	struct str name;	/* within a line, see tree_first_line */
	double start, self, total;
	uint32_t parent;	/* 0 for the root, too */
	uint32_t next;		/* sibling, or 0 */
	uint32_t first_child;	/* or 0 */
	unsigned depth : 25;	/* 0 for the root */
	unsigned differential : 1;	/* its change is known */
	unsigned starts_differential : 1; /* its first line has two counts */
	unsigned indexed : 1;	/* its children are in the index */
	unsigned waker : 1;	/* it is a waker of a chain graph */
	unsigned added : 1;	/* a border that no line holds */
	unsigned blended : 1;	/* by measure.c: its place is not its time */
};

/* The count that makes the width of a frame, if lines have two. */
enum tree_widths {
	TREE_AFTER,
	TREE_BEFORE,
	TREE_SUM,
	TREE_CHANGE		/* the size of each stack's change */
};

/* The changes of a frame from the first profile to the second. */
struct frame_change {
	double own;		/* of its own samples */
	double total;		/* of these and of all above it */
	double own_before;	/* its own samples in the first profile */
	double before;		/* these and all above it, by layout.c */
};

/* without a gap */
struct tree_busy {
	double begin, end;
};

/* A child of the root with what is above it. */
struct tree_lane {
	uint32_t root, leaf;	/* the leaf of the line that came last */
	double clock;		/* the sum of its counts and gaps so far */
	double begin, end;	/* of its stacks; negative: has none yet */
	struct tree_busy *busy;
	size_t busy_count, busy_room;
	double rank;		/* by which measure.c sorts it */
	uint32_t rows;		/* that are shown */
	double top;		/* the upper edge, in pixels */
};

struct tree {
	struct tree_frame *frames;	/* parents before children; 0: root */
	struct frame_change *changes;	/* by frame; NULL with one count */
	uint32_t count;
	size_t room, change_room;
	double max_change;	/* the one with the full colour, at least 1 */
	double time;		/* the sum of the counts so far */
	enum tree_widths widths;
	bool by_total;		/* colours are for total changes, not own */
	bool differential;	/* a line has two counts */
	bool chart;		/* in order of time: only neighbours merge */
	bool by_size;		/* the largest siblings are first */
	bool chain;		/* stacks have wakers; they are marked */
	bool in_lanes;		/* a chart is, and `time` is of the last one */
	struct tree_lane *lanes;
	size_t lane_count, lane_room, lane;	/* the last line's lane */
	struct table lane_names;
	struct trail trail;	/* to the stack that was added last */
	struct text marked;	/* that stack with its wakers marked */
	struct intmap index;	/* of frames that have siblings */
	uint64_t missed;	/* the key of one that is not there yet */
	struct arena arena;	/* for names */
};

void tree_init(struct tree *tree);

/* Adds a stack, made clean (utf8_clean), without empty names at its end. */
void tree_add(struct tree *tree, const struct folded_line *line);

/* Returns the name of a waker without the mark. */
struct str tree_unmark(struct str name);

/*
 * Returns the end of the first line in byte order that ends in this frame, from
 * its name on, or its name and a ';' if none does.  It orders siblings.
 */
struct str tree_first_line(const struct tree_frame *frame);

/* Orders siblings once all stacks are there, and computes the other numbers. */
void layout_frames(struct tree *tree);

/*
 * Drops frames of less than `least` in all, and the frames above them.  Returns
 * the largest depth that is left.
 */
uint32_t layout_prune(struct tree *tree, double least);

/* Returns the end of the last stack: in lanes a time, else all counts. */
double layout_length(const struct tree *tree);

/* Returns the next frame, parents first, left to right, or 0 at the end. */
static inline uint32_t
tree_next(const struct tree *tree, uint32_t frame)
{
	const struct tree_frame *frames = tree->frames;

	if (frames[frame].first_child != 0)
		return frames[frame].first_child;
	while (frame != 0 && frames[frame].next == 0)
		frame = frames[frame].parent;
	return frames[frame].next;
}

#endif
