/*
 * palette: the colour of a frame, which follows from its name, and the schemes
 * that --colors can name.
 */
#ifndef PALETTE_H
#define PALETTE_H

#include <stdint.h>

#include "colour.h"
#include "lib/text.h"

enum hue {
	HUE_HOT, HUE_MEM, HUE_IO, HUE_RED, HUE_GREEN, HUE_BLUE, HUE_YELLOW,
	HUE_PURPLE, HUE_AQUA, HUE_ORANGE, HUE_COLORBLIND
};

#define SCHEME_KINDS	5	/* of functions, at most */

/* Functions that a hue tells apart from others. */
struct kind {
	enum hue hue;
	const char *name;
};

/*
 * A palette as users name it, --colors=NAME: which hue each function has, and
 * what goes with that.
 */
struct scheme {
	const char *name;
	enum hue hue;				/* of all functions */
	enum hue (*hue_of)(struct str name);	/* of each; may be NULL */
	const char *background;			/* that suits it */
	bool has_wakers;			/* stacks do, see tree.h */
	const char *help;		/* the colors, or NULL: the kinds */
	struct kind kinds[SCHEME_KINDS];	/* up to one without a name */
};

/* Returns the scheme of that name, or NULL. */
const struct scheme *scheme_find(struct str name);

/* Adds a line about each scheme, without the last line end. */
void scheme_list(struct text *list);

/* The way in which a name chooses a shade of its colour. */
enum palette_shade {
	SHADE_NAME,	/* the same name, the same shade; well spread */
	SHADE_HASH,	/* names that begin alike have shades alike */
	SHADE_RANDOM	/* by the order of drawing */
};

struct palette {
	const struct scheme *scheme;
	enum palette_shade shade;
	uint64_t random;	/* the state of SHADE_RANDOM */
	uint32_t *codes;	/* those of a name, for SHADE_HASH */
	size_t room;
	bool dark;		/* the theme is dark */
	bool perhaps_dark;	/* it may be */
	unsigned used;		/* hues that functions had, a bit each */
};

/* Returns the colour of a function. */
struct colour palette_colour(struct palette *palette, struct str name);

/* Returns the middle shade of a hue. */
struct colour palette_sample(enum hue hue);

/*
 * Returns the colour of a difference: white for none, red for more and blue for
 * less, full at +-max and beyond; in the hue for the colour-blind orange and a
 * lighter blue.  With a dark theme tints that are almost white would be the
 * brightest of all, so there they are the darker the whiter they are; theme.css
 * does that for white itself, and for pictures that may be dark.
 */
struct colour palette_difference(const struct palette *palette, double delta,
    double max);

/*
 * Adds the colour into which theme.css turns that of a change in a picture that
 * may be dark, if it is another one.
 */
void palette_add_dark(const struct palette *palette, struct colour colour,
    struct text *svg);

/*
 * Returns the colour of frames that only one profile has, beyond the colours
 * for more, if `more`, or for less.
 */
struct colour palette_one_side(const struct palette *palette, bool more);

#endif
