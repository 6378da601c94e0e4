/*
 * wakers: stacks of a chain graph.  The stack that was waiting is followed by
 * those of its wakers, each behind a frame "--".  Their frames are marked for
 * the palette:
 *
 *	a;b;--;c;d	a;b;--;c_[w];d_[w]
 *	a;b		a;b;--
 */
#ifndef WAKERS_H
#define WAKERS_H

#include "lib/text.h"

#define WAKERS_BORDER	STR("--")

/* Returns a stack with its wakers marked, which lives as `marked` does. */
struct str wakers_mark(struct text *marked, struct str stack);

/* Returns the name of a waker without the mark. */
struct str wakers_unmark(struct str name);

#endif
