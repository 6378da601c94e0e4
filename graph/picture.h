/*
 * picture: a tree as an SVG picture with a viewer.  measure.c and frames.c are
 * parts of it.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdio.h>

#include "attributes.h"
#include "colourfile.h"
#include "counts.h"
#include "difference.h"
#include "svg.h"
#include "tree.h"

#define PICTURE_SIDE	10	/* pixels left and right of the frames */
#define PICTURE_FLUID	1000	/* the width as which a fluid one is drawn */
#define PICTURE_GAP	1	/* pixels between a frame and the one above */
#define LANE_GAP	6	/* pixels between lanes */
#define LANE_OPEN	"\xE2\x96\xBE "	/* U+25BE, and U+25B8 */
#define LANE_FOLDED	"\xE2\x96\xB8 "
#define STRIP_HEIGHT	26	/* pixels above lanes, for viewer/strip.js */

struct picture {
	/* set by the caller; lengths are in pixels; "" is no text */
	const char *title, *subtitle;
	const char *font_type;
	const char *name_type, *count_name;
	const char *notes;		/* without < and > */
	const char *encoding;		/* its name in the file */
	bool ascii;			/* the file holds ASCII alone */
	long width;			/* of the picture */
	long height;			/* of a frame */
	bool fluid;			/* as wide as the window, not `width` */
	double font_size;
	double font_width;		/* of a character, part of the size */
	enum label_cut cut;		/* the part that long names lose */
	double min_width;		/* of a frame */
	bool min_percent;		/* min_width is per cent of counts */
	bool min_adapts;		/* narrow lanes have fewer frames */
	double total;			/* count of the full width; 0: all */
	double factor;			/* counts are multiplied by it */
	bool inverted;			/* drawn downwards */
	bool negate;			/* more and less change colours */
	struct difference difference;	/* between two profiles */
	struct background background;
	const char *theme;		/* "light", "dark", "auto" or "" */
	bool script;			/* with a viewer */
	bool legend;			/* with one, if colours mean anything */
	double axis;			/* seconds of a count; 0: no axis */
	const char *search;		/* with which the viewer begins */
	struct palette palette;
	struct palette_map *map;	/* or NULL */
	struct rules *rules;		/* or NULL */
	const struct attribute_file *attributes;	/* or NULL */
	/* set by measure_picture, and used by those who draw */
	const struct tree *tree;
	FILE *out;
	double time;			/* the count of the full width */
	double all;			/* the count of all frames */
	double whole;			/* the count that is 100 % of changes */
	size_t lanes_shown;		/* of the tree's lanes */
	double others_top;		/* the upper edge of the others' row */
	const struct tree_lane *lane;	/* that is drawn now, or NULL */
	unsigned sides;			/* set of drawn ones: 1 << SIDE_... */
	double pixels;			/* the width of one count */
	double least;			/* the least count that is drawn */
	double full_height;
	double top_pad, bottom_pad;	/* above and below the frames */
	double axis_top;		/* its distance below the frames */
	struct str counted;		/* count_name, clean */
	struct counts counts;		/* of the frames so far */
	struct text scratch;		/* of a look, or of a text to escape */
	struct text svg;		/* the part that is not printed yet */
	struct arena arena;
};

/* Computes the sizes of a picture, and drops the tree's narrow frames. */
void measure_picture(struct picture *picture, struct tree *tree);

/* True if the viewer selects ranges of time: in a chart of one profile. */
bool measure_has_ranges(const struct picture *picture);

/*
 * Draws the frames of picture->tree in the order of tree_next, on which the
 * viewer depends, with a label where there is room:
 *
 *	<g><title>read (12 samples, 80.00%)</title><rect .../><text ...>..</g>
 */
void frames_draw(struct picture *picture);

/* Returns how many seconds one ns, us, ms or s is; 0 for another name. */
double picture_axis_unit(const char *name);

/* Draws a tree with counts on `out`; the tree loses its narrow frames. */
void picture_draw(struct picture *picture, struct tree *tree, FILE *out);

/* Draws a message where there is nothing to draw. */
void picture_draw_error(struct picture *picture, FILE *out);

#endif
