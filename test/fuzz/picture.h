/*
 * picture: requires all that must hold of any picture that flamegraph prints.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "fuzz.h"

/* The options of a picture that show in its frames. */
struct look {
	double height;		/* of a frame */
	bool lanes;		/* each child of the root is in a lane */
	bool counts;		/* all titles tell counts, unscaled */
};

/*
 * Requires a well-formed picture: frames in pre-order, none outside its parent
 * nor over its neighbour, as wide as their counts, which add up; in lanes their
 * first frames are wider, and above one another.  Nothing in it
 * is a script but the viewer.  Returns the root's count; 0 without `counts`, or
 * where a message takes the place of the frames.
 */
double picture_check(struct str svg, const struct look *look);

#endif
