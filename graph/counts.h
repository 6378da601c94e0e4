/*
 * counts: what the viewer needs of frames and their tooltips do not say.
 *
 * A list has a number for some of the frames, in the order of drawing:
 *
 *	7 12:3		7 for the first frame, 3 for the twelfth after it
 *
 * A table has the frames that are too narrow to be drawn, for zooms.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include <stdio.h>

#include "tree.h"

enum count_list_name {
	COUNT_TOTAL,		/* if the tooltip has another number */
	COUNT_SELF,		/* if not what the frames above leave */
	COUNT_GAP,		/* to the left of a frame */
	COUNT_SPAN,		/* the width, if not the total */
	COUNT_CHANGE,		/* of the total, from the first profile */
	COUNT_CHANGE_SELF,	/* if not what those above leave */
	COUNT_BEFORE,		/* the first profile's total, if it does not
				   follow from the width */
	COUNT_BEFORE_SELF,	/* if not what those above leave */
	COUNT_LISTS
};

/* A list, and the number of frames up to the last one in it. */
struct count_list {
	struct text text;
	size_t last;
};

/* A line of the looks. */
struct count_look {
	uint32_t hash;
	size_t at, len, number;
};

/* Begins as { 0 }. */
struct counts {
	size_t drawn;			/* the number of frames so far */
	unsigned depth;			/* of the last frame */
	struct text falls;		/* a digit a frame, see counts.c */
	double *free;			/* by depth: where the next begins */
	size_t room;
	struct count_list lists[COUNT_LISTS];
	struct text looks;		/* colour and name of frames below */
	size_t look_count;
	struct count_look *recent;	/* looks, by their hash */
	struct text narrow;		/* the frames that are not drawn */
	size_t elements;		/* drawn since the last in the table */
};

/*
 * Adds the next drawn frame.  `total` is its count in the picture, `shown`
 * the count in its tooltip, or a negative number, and `span` its width.
 */
void counts_add(struct counts *counts, const struct tree *tree,
    const struct tree_frame *frame, double total, double shown, double span);

/* Adds the last frame to the table, by its look: color, tab and name. */
void counts_add_narrow(struct counts *counts, struct str look, double total);

/* Adds the lists as attributes of the element that svg ends in. */
void counts_write(struct text *svg, const struct counts *counts,
    bool differential);

/* Adds the table as the content of an element; `out` gets what is complete. */
void counts_write_narrow(struct text *svg, const struct counts *counts,
    bool ascii, FILE *out);

#endif
