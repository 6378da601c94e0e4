/*
 * narrow: reads the table of the frames that flamegraph does not draw, since
 * they are too narrow; graph/counts.c writes it.
 */
#ifndef SVG_NARROW_H
#define SVG_NARROW_H

#include "drawing.h"

/*
 * Inserts the frames of drawing->narrow between the drawn ones, and finds the
 * levels of all.  Returns NULL, or the reason why it cannot.
 */
const char *narrow_read(struct drawing *drawing, struct fold *fold);

#endif
