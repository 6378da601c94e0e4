/*
 * colour: the colours of a picture as numbers.
 */
#ifndef COLOUR_H
#define COLOUR_H

#include "lib/str.h"

struct colour {
	int red, green, blue;	/* from 0 to 255 */
};

/*
 * Reads "rgb(1,2,3)", "#abc" or "#aabbcc"; false, and the colour is as it was,
 * if the text is neither.
 */
bool colour_parse(struct str text, struct colour *colour);

/*
 * True if white text is read better on this colour than black text.  Of the two
 * the better one has a contrast of at least 4.58 on any colour, as WCAG 2.1
 * counts it, which asks for 4.5.
 */
bool colour_is_dark(struct colour colour);

#endif
