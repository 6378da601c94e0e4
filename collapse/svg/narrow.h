/*
 * narrow: reads the table of the frames that flamegraph does not draw, since
 * they are too narrow; graph/counts.c writes it.
 */
#ifndef SVG_NARROW_H
#define SVG_NARROW_H

#include "drawing.h"

/*
 * Puts the frames of drawing->narrow between those that are drawn, and finds
 * the levels of all.  Returns NULL, or the reason why it cannot.
 */
const char *narrow_read(struct drawing *drawing, struct fold *fold);

#endif
