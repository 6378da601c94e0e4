/*
 * counts: lists of what the viewer must know of frames for the layout, and
 * cannot compute from the tooltips.  A list has a number for some of the
 * frames, in the order in which they are drawn:
 *
 *	7 12:3		7 for the first frame, 3 for the twelfth after it
 */
#ifndef COUNTS_H
#define COUNTS_H

#include "tree.h"

/* A list, and the number of frames up to the last one in it. */
struct count_list {
	struct text text;
	size_t last;
};

struct counts {
	size_t drawn;			/* the number of frames so far */
	unsigned depth;			/* of the last frame */
	struct text falls;		/* a digit a frame, see counts.c */
	double *free;			/* by depth: where the next begins */
	size_t room;
	struct count_list totals;	/* if the tooltip has another number */
	struct count_list selves;	/* if not what the frames above leave */
	struct count_list gaps;		/* to the left of a frame */
	struct count_list spans;	/* the width, if not the total */
	struct count_list changes;	/* of totals, from the first profile */
	struct count_list own_changes;	/* if not what those above leave */
	struct count_list befores;	/* totals of the first profile, if they
					   do not follow from the widths */
	struct count_list own_befores;	/* if not what those above leave */
};

/*
 * Adds the frame that is drawn next.  `total` is its count in the picture,
 * `told` the count in its tooltip, or a negative number, and `span` its width.
 */
void counts_add(struct counts *counts, const struct tree *tree,
    const struct tree_frame *frame, double total, double told, double span);

/* Adds the lists as attributes of the viewer's script. */
void counts_write(struct text *svg, const struct counts *counts,
    bool differential);

#endif
