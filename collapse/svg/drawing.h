/*
 * drawing: reads the frames of a flame graph from its SVG, as this project's
 * flamegraph, flamegraph.pl and inferno draw them:
 *
 *	<g id="frames">
 *	<g><title>parse (12 samples, 34.29%)</title>
 *	<rect x="403.3" y="37" width="404.6" height="15" .../></g>
 *
 * They are in any order, and their places alone show what called what.
 * Where this flamegraph drew them they are in the order of a walk, the viewer's
 * script has what the titles lack, and a table has the frames that are not
 * drawn; see graph/counts.h.  Older ones are <view> elements.
 */
#ifndef DRAWING_H
#define DRAWING_H

#include "fold/collapse.h"

enum { SVG_BEFORE, SVG_AFTER };	/* counts of two profiles, or twice of one */

struct drawn_frame {
	uint32_t name;		/* of the fold's table */
	bool has_count;		/* the title has it */
	bool is_lane;		/* the first of those in a lane, on the root */
	double x, y, width, height;
	double count;		/* that makes the width */
	double totals[2];
	double change;		/* of own counts, if no total is before */
	uint32_t level;		/* from the root, 0 */
	uint32_t parent;	/* or DRAWING_NONE */
};

#define DRAWING_NONE	UINT32_MAX

/* Deeper frames are left out of stacks. */
#define DRAWING_DEEPEST	4096

/* It begins as { 0 }. */
struct drawing {
	struct drawn_frame *frames;
	uint32_t count;
	size_t room;
	uint32_t root;		/* the frame of all */
	bool ordered;		/* parents come before what is on them */
	bool has_levels;	/* those of frames are known */
	bool differential;	/* there are two counts */
	bool own_changes;	/* titles have changes, not counts before */
	size_t guessed;		/* counts that no title has */
	double factor;		/* by which titles are more than counts */
	struct str widths;	/* which of two counts frames are as wide as */
	struct str totals, changes, befores;	/* lists of the viewer's */
	struct str falls, narrow;	/* digits, and the table; or no data */
	/* The frame that is being read. */
	bool in_frames, has_title, is_lane;
	struct text name, title;
};

/* Reads a picture; it must outlive the drawing.  NULL, or the trouble. */
const char *drawing_read(struct drawing *drawing, struct fold *fold,
    struct str svg);

/*
 * Reads the table of the frames that flamegraph does not draw, since they are
 * too narrow; graph/counts.c writes it.  Inserts these between the drawn ones,
 * and finds the levels of all.  Returns NULL, or the reason why it cannot.
 */
const char *narrow_read(struct drawing *drawing, struct fold *fold);

/* Finds the counts of all frames, after narrow_read has added the table's. */
void drawing_complete(struct drawing *drawing);

void drawing_free(struct drawing *drawing);

#endif
