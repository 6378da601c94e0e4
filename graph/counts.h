/*
 * counts: the counts of frames that the viewer must know for the layout, and
 * cannot read from tooltips.  They are in lists that have a value for some of
 * the frames, in the order in which these are drawn:
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
	size_t drawn;			/* frames so far */
	unsigned depth;			/* of the last one */
	struct text falls;		/* a digit a frame, see counts.c */
	double *free;			/* by depth: where the next begins */
	size_t room;
	struct count_list totals;	/* that the tooltips do not tell */
	struct count_list selves;	/* not what the frames above leave */
	struct count_list gaps;		/* between a frame and where it would
					   begin */
	struct count_list changes;	/* of totals, from the first profile */
	struct count_list own_changes;	/* not what those above leave */
	struct count_list befores;	/* of the first profile, where widths
					   do not tell them; and their own */
	struct count_list own_befores;
};

/*
 * Adds the frame that is drawn next; `total` is what the picture counts for
 * it, and `told` what its tooltip does, or a negative number.
 */
void counts_add(struct counts *counts, const struct tree *tree,
    const struct tree_frame *frame, double total, double told);

/* Adds the lists as attributes of the viewer's script. */
void counts_write(struct text *svg, const struct counts *counts,
    bool differential);

#endif
