/*
 * nesting: finds which frame of a picture is on which, by their places.
 */
#ifndef NESTING_H
#define NESTING_H

#include "drawing.h"

/* Stacks have no more frames; those above are left out. */
#define NESTING_DEEPEST	4096

/* Sets the levels and parents of all frames that lead to the root. */
void nesting_find(struct drawing *drawing);

#endif
