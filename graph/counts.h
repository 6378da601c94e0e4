/*
 * counts: what the elements of a picture do not say of its frames.
 *
 * Lists have what the viewer must know for the layout, and cannot compute from
 * the tooltips.  A list has a number for some of the frames, in the order in
 * which they are drawn:
 *
 *	7 12:3		7 for the first frame, 3 for the twelfth after it
 *
 * A table has the frames that are drawn only when a zoom widens them.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include <stdio.h>

#include "tree.h"

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
	struct text looks;		/* colour and name of frames below */
	size_t look_count;
	struct count_look *recent;	/* looks, by their hash */
	struct text narrow;		/* the frames that are not drawn */
	size_t elements;		/* drawn since the last in the table */
};

void counts_init(struct counts *counts);

/*
 * Adds the next drawn frame.  `total` is its count in the picture, `told` the
 * count in its tooltip, or a negative number, and `span` its width.
 */
void counts_add(struct counts *counts, const struct tree *tree,
    const struct tree_frame *frame, double total, double told, double span);

/* Adds the last frame to the table, by its look: color, tab and name. */
void counts_add_narrow(struct counts *counts, struct str look, double total);

/* Adds the lists as attributes of an element. */
void counts_write(struct text *svg, const struct counts *counts,
    bool differential);

/* Writes the table after what `svg` holds, as the content of an element. */
void counts_write_narrow(struct text *svg, const struct counts *counts,
    bool ascii, FILE *out);

#endif
