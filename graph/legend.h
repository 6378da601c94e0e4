/*
 * legend: a line below the frames that tells what their colours mean:
 *
 *	(green) Java  (aqua) inlined Java  (red) other
 *	(blue) -3.25%  (light blue) less  (white) same  (pink) more  (red) 3.25%
 *
 * A palette whose colours mean nothing has none, nor has one whose colours are
 * those of a file (--cp).  Of kinds of functions it tells those that there are.
 */
#ifndef LEGEND_H
#define LEGEND_H

#include "measure.h"

/* True if the picture, with its tree, has a legend. */
bool legend_is_there(const struct picture *picture);

/* Adds the legend, if the picture has one; the frames are drawn already. */
void legend_draw(struct picture *picture);

#endif
