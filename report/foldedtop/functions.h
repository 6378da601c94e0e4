/*
 * functions: sums over the frames of one name, wherever they are:
 *
 *	main;f;g;f 30		of f: self 50, total 50, in 2 stacks
 *	main;f 20		of g: self 0, total 30, in 1 stack
 *
 * Of the frames of one name in a stack the outermost counts for the total.
 * What is kept grows with the names, and with the deepest stack.
 */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include "fold/foldedlines.h"
#include "fold/trail.h"
#include "lib/table.h"

/* Counts before and after; of one profile only the second is used. */
struct counts_pair {
	double of[2];
};

struct function {
	struct counts_pair self, total;
	size_t stacks;		/* that have it */
	uint32_t open;		/* frames in the last stack */
};

/* What belongs to a frame of the last stack. */
struct open_frame {
	struct counts_pair counts;	/* of stacks that had it so far */
	size_t stacks;
	bool is_outermost;	/* of its name */
};

struct functions {
	struct table names;
	struct function *list;	/* by a name's number */
	size_t room;
	struct trail trail;
	struct open_frame *frames;	/* by depth */
	size_t open, frames_room;
	struct counts_pair whole;	/* the counts of all stacks */
	size_t stacks;
	bool have_two;		/* a line has two counts */
};

void functions_init(struct functions *functions);

/* Adds a stack. */
void functions_add(struct functions *functions,
    const struct folded_line *line);

/* Ends adding, before the totals are right. */
void functions_end(struct functions *functions);

#endif
