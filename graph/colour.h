/* colour: colours as numbers, and the background of a picture. */
#ifndef COLOUR_H
#define COLOUR_H

#include "lib/str.h"

struct colour {
	int red, green, blue;	/* from 0 to 255 */
};

/* Reads "rgb(1,2,3)", "#abc" or "#aabbcc"; false for anything else. */
bool colour_parse(struct str text, struct colour *colour);

/*
 * True if white text is read better on this colour than black text.  The better
 * one has a contrast of at least 4.58; WCAG 2.1 wants 4.5.
 */
bool colour_is_dark(struct colour colour);

/* A background, from the top to the bottom. */
struct background {
	const char *top, *bottom;		/* #rrggbb */
	const char *dark_top, *dark_bottom;	/* for "auto", or NULL */
};

/*
 * Chooses the colours by a name or by #rrggbb, for the theme "light", "dark",
 * "auto" or "".  Returns false if no colour has that name.
 */
bool background_choose(struct background *background, const char *name,
    const char *theme);

/* True if text on these similar colours is white. */
bool background_is_dark(const struct background *background);

#endif
