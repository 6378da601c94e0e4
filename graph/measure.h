/*
 * measure: the content of a picture, and the sizes that follow from it.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdio.h>

#include "attributes.h"
#include "counts.h"
#include "difference.h"
#include "palette.h"
#include "palettemap.h"
#include "svg.h"
#include "tree.h"

#define PICTURE_SIDE	10	/* pixels left and right of the frames */
#define PICTURE_FLUID	1000	/* wide is a fluid picture as it is drawn */
#define PICTURE_GAP	1	/* pixels between a frame and that above it */

struct picture {
	/* set by the caller; lengths are in pixels; "" is no text */
	const char *title, *subtitle;
	const char *font_type;
	const char *name_type, *count_name;
	const char *notes;		/* without < and > */
	const char *encoding;		/* that the file names */
	bool ascii;			/* the file holds ASCII alone */
	long width, height;		/* of the picture, of a frame */
	bool fluid;			/* as wide as the window, not `width` */
	double font_size;
	double font_width;		/* of a character, part of the size */
	enum label_cut cut;		/* of names that are too long */
	double min_width;		/* of a frame */
	bool min_percent;		/* that is in per cent of the counts */
	double total;			/* of the full width, 0: all counts */
	double factor;			/* by which counts are shown */
	bool inverted;			/* drawn downwards */
	bool negate;			/* more and less change colours */
	struct difference difference;	/* of two profiles */
	struct background background;
	const char *theme;		/* "light", "dark", "auto" or "" */
	bool script;			/* with a viewer */
	bool legend;			/* of what colours mean, if anything */
	double axis;			/* seconds of a count; 0: no axis */
	const char *search;		/* that the viewer begins with */
	struct palette palette;
	struct palette_map *map;	/* or NULL */
	const struct attribute_file *attributes;	/* or NULL */
	/* set by measure_picture, and used by those who draw */
	const struct tree *tree;
	FILE *out;
	double time;			/* the counts of the full width */
	double whole;			/* of which changes are a part */
	unsigned sides;			/* drawn, a bit each: 1 << SIDE_... */
	double pixels;			/* the width of one count */
	double least;			/* counts of a frame that is drawn */
	double full_height;
	double top_pad, bottom_pad;	/* above and below the frames */
	double axis_top;		/* below the frames */
	double details_pad;		/* for the line of details */
	struct str counted;		/* count_name, clean */
	struct text unit;		/* " samples, " of a tooltip */
	struct text high;		/* the end of a rectangle's size */
	struct text upper;		/* its upper edge at a depth */
	uint32_t upper_depth;
	struct counts counts;		/* of the frames so far */
	struct text svg;		/* the part that is not printed yet */
	struct arena arena;
};

/*
 * Computes the sizes of the picture of a tree, which has counts, and prunes the
 * tree's narrow frames.
 */
void measure_picture(struct picture *picture, struct tree *tree);

#endif
