/*
 * picture: a tree as an SVG picture with a viewer in it: its frames, what is
 * written around them and what lies behind them.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "measure.h"

/* Draws the tree, which has counts, on `out`; its narrow frames are pruned. */
void picture_draw(struct picture *picture, struct tree *tree, FILE *out);

/* Draws a message where there is nothing to draw, for whoever looks at it. */
void picture_draw_error(struct picture *picture, FILE *out);

#endif
