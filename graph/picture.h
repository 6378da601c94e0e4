/*
 * picture: a tree as an SVG picture with a viewer in it: its frames, the texts
 * around them and the background.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "measure.h"

/* Stores how many seconds one ns, us, ms or s is; false for another name. */
bool picture_axis_unit(const char *name, double *seconds);

/* Draws a tree with counts on `out`; the tree loses its narrow frames. */
void picture_draw(struct picture *picture, struct tree *tree, FILE *out);

/* Draws a message where there is nothing to draw, for whoever looks at it. */
void picture_draw_error(struct picture *picture, FILE *out);

#endif
