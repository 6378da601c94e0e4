/*
 * frames: the frames of a picture, each a group with its tooltip, a rectangle
 * as wide as its share of the counts, and a label where there is room:
 *
 *	<g><title>read (12 samples, 80.00%)</title><rect .../><text ...>..</g>
 *
 * A frame comes before those above it, from left to right: the viewer depends
 * on that order.
 */
#ifndef FRAMES_H
#define FRAMES_H

#include "measure.h"

/* Draws the frames of picture->tree that are as wide as picture->least. */
void frames_draw(struct picture *picture);

#endif
