/*
 * background: the colours behind the frames, from the top to the bottom.
 */
#ifndef BACKGROUND_H
#define BACKGROUND_H

#include <stdbool.h>

struct background {
	const char *top, *bottom;		/* #rrggbb, and... */
	const char *dark_top, *dark_bottom;	/* ...for "auto", or NULL */
};

/*
 * Chooses the colours by a name or by #rrggbb, for the theme "light", "dark",
 * "auto" or "".  Returns false if no colour has that name.
 */
bool background_choose(struct background *background, const char *name,
    const char *theme);

/* True if text on these colours, which are the same or alike, is white. */
bool background_is_dark(const struct background *background);

#endif
