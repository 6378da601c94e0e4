/*
 * blend: narrow frames of lanes, merged near their times.
 *
 * A recording has more samples than a picture has pixels.  If frames that are
 * too narrow were left out, a lane in which no stack stays for long would be
 * empty, and nobody could tell what ran in a time.  So within a grain, which is
 * a small part of a pixel, narrow frames of the same name become one, and the
 * grain is a small flame graph:
 *
 *	a b a c a b		a   b  c
 *	main			main
 */
#ifndef BLEND_H
#define BLEND_H

#include "tree.h"

/*
 * Merges siblings of the same name, narrower than `least`, that are within the
 * same grain of time.  The tree is laid out, in lanes and of one profile; its
 * counts stay the same.
 */
void blend_narrow(struct tree *tree, double least, double grain);

#endif
