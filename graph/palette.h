/* palette: finds the colour of a frame by its name and --colors. */
#ifndef PALETTE_H
#define PALETTE_H

#include <stdint.h>

#include "colour.h"
#include "lib/text.h"

enum hue {
	HUE_HOT, HUE_MEM, HUE_IO, HUE_RED, HUE_GREEN, HUE_BLUE, HUE_YELLOW,
	HUE_PURPLE, HUE_AQUA, HUE_ORANGE, HUE_COLORBLIND,
	HUE_BY_PLACE	/* one of these, by where a Python function is */
};

#define SCHEME_KINDS	5	/* of functions, at most */

/* Functions that have a hue of their own. */
struct scheme_kind {
	enum hue hue;
	const char *name;
};

/* A palette of --colors=NAME: the hues of functions, and what goes along. */
struct scheme {
	const char *name;
	enum hue hue;				/* of all functions */
	const struct hue_rule *rules;		/* of each; or NULL */
	const char *background;			/* the one that suits it */
	bool has_wakers;		/* stacks have them, see tree.h */
	const char *help;		/* its colors; NULL: its kinds */
	struct scheme_kind kinds[SCHEME_KINDS];	/* unnamed ones are unused */
};

/* Returns the scheme of that name, or NULL. */
const struct scheme *scheme_find(struct str name);

/* Adds a line about each scheme, without the last line end. */
void scheme_list(struct text *list);

/* The way in which a name chooses a shade of its colour. */
enum palette_shade {
	SHADE_NAME,	/* a name has one shade; they are well spread */
	SHADE_HASH,	/* names that begin alike have similar shades */
	SHADE_RANDOM	/* the order of drawing decides */
};

struct palette {
	const struct scheme *scheme;
	enum palette_shade shade;
	uint64_t random;	/* the state of SHADE_RANDOM */
	uint32_t *codes;	/* a name's code points, for SHADE_HASH */
	size_t room;
	bool dark;		/* the theme is dark */
	bool perhaps_dark;	/* the theme is the reader's */
	unsigned used;		/* the set of functions' hues, a bit each */
};

/* Returns the colour of a function. */
struct colour palette_colour(struct palette *palette, struct str name);

/* Returns the middle shade of a hue. */
struct colour palette_sample(enum hue hue);

/*
 * Returns the colour of a difference: white for none, red for more and blue for
 * less, full at +-max and beyond.  For the colour-blind, more is orange, and
 * less is a lighter blue.  In a dark theme tints that are almost white would be
 * the brightest of all, so the whiter a tint is, the darker it becomes;
 * theme.css does the same for white itself, and for pictures that may be dark.
 */
struct colour palette_difference(const struct palette *palette, double delta,
    double max);

/*
 * Returns the color of a change that may be chance: white without any change.
 */
struct colour palette_chance(const struct palette *palette, double delta);

/*
 * Makes the colour of a change what theme.css makes it where the theme turns
 * out to be dark; false if that is the same.
 */
bool palette_darken(const struct palette *palette, struct colour *colour);

/* Adds that colour as the style of an element, unless it is the same. */
void palette_add_dark(const struct palette *palette, struct colour colour,
    struct text *svg);

/* Returns the colour of frames in one profile: the second one, if `more`. */
struct colour palette_one_side(const struct palette *palette, bool more);

#endif
