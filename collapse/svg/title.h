/*
 * title: reads what a flame graph tells of a frame:
 *
 *	parse (1,234 samples, 56.78%)
 *	parse (1,234 samples, 56.78%; -1.20%)	the change of its own counts
 *	all (2,173 samples, 100%)		of all frames
 *	parse (1,200 cycles, 56.78%; 800 instructions; ratio 1.5)	of both
 *
 * Our own pictures without a viewer have both counts on a second line:
 *
 *	before 1,260, after 1,234, -26, ...
 */
#ifndef SVG_TITLE_H
#define SVG_TITLE_H

#include "lib/str.h"

struct title {
	struct str name;
	bool has_count, has_change, has_both, has_other;
	bool is_all;
	double count;
	double change;		/* in per cent of all */
	double before, after;	/* if it has both */
	double other;		/* that makes no widths */
};

/*
 * Takes a title apart, which lives as long as its text.  One that is told in
 * another way is a name alone.
 */
void title_read(struct str text, struct title *title);

#endif
