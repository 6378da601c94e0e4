/* layout: the places of a tree's frames, once it has all stacks. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "tree.h"

/*
 * Puts siblings in order and computes where each frame begins, its total, its
 * changes and the largest change.
 */
void layout_frames(struct tree *tree);

/*
 * Drops frames whose totals are below `least`, and the frames above them.
 * Returns the largest depth that is left.
 */
uint32_t layout_prune(struct tree *tree, double least);

#endif
