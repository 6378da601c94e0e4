/*
 * lanes: the lanes of a flame chart, in the order of their first stacks.  If
 * there are many, the smallest ones come last, as "others", and are hidden
 * until the viewer opens them.
 *
 * A lane is as high as its stacks, up to the last frame that is wide enough to
 * see, since deep stacks of one sample would leave most of the picture empty.
 * The viewer shows what is above when a zoom makes it wide enough.
 */
#ifndef LANES_H
#define LANES_H

#include "tree.h"

#define LANES_SHOWN	50	/* at most, with one for the others */

/* Returns the last time of all lanes. */
double lanes_length(const struct tree *tree);

/*
 * Orders lanes whose frames are laid out and pruned, drops lanes shorter than
 * `least`, and counts rows of frames of `pixel` counts or more.  Returns how
 * many lanes are shown.
 */
size_t lanes_arrange(struct tree *tree, double least, double pixel);

/*
 * Merges siblings of the same name, narrower than `least`, that are within the
 * same grain of time.  The tree is laid out, in lanes and of one profile; its
 * counts stay the same.
 *
 * A recording has more samples than a picture has pixels.  If frames that are
 * too narrow were left out, a lane in which no stack stays for long would be
 * empty, and nobody could see what ran in a time.  So within a grain, a small
 * part of a pixel, narrow frames of the same name become one, and the grain is
 * a small flame graph:
 *
 *	a b a c a b		a   b  c
 *	main			main
 */
void lanes_blend(struct tree *tree, double least, double grain);

#endif
