/* palette: the colour of a frame by its name, in one of the schemes. */
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

/* What users call a palette: --colors=NAME. */
struct scheme {
	const char *name;
	enum hue hue;				/* of all functions */
	const struct hue_rule *rules;		/* of each; or NULL */
	const char *background;			/* the one that suits it */
	bool has_wakers;		/* stacks have them, see tree.h */
	const char *help;		/* what its colors mean */
	struct scheme_kind kinds[SCHEME_KINDS];	/* unnamed ones are unused */
};

/* Returns NULL for another name. */
const struct scheme *scheme_find(struct str name);

/* Makes a list of lines about the schemes, without the last line end. */
void scheme_list(char *list, size_t size);

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

struct colour palette_colour(struct palette *palette, struct str name);

/* Returns the middle shade of a hue. */
struct colour palette_sample(enum hue hue);

/*
 * Returns the colour of a difference: white for none, red (for the colour-blind
 * orange) for more and blue for less, full at +-max and beyond.  In a dark
 * theme almost white tints would be the brightest, so the whiter a tint is, the
 * darker it becomes; theme.css does the same where the theme may be dark.
 */
struct colour palette_difference(const struct palette *palette, double delta,
    double max);

/* Returns the color of a change that may be chance. */
struct colour palette_chance(const struct palette *palette, double delta);

/* Makes the colour of a change a dark theme's; false if that is the same. */
bool palette_darken(const struct palette *palette, struct colour *colour);

/* Adds that colour as the style of an element, unless it is the same. */
void palette_add_dark(const struct palette *palette, struct colour colour,
    struct text *svg);

/* Returns the colour of frames that only one profile has. */
struct colour palette_one_side(const struct palette *palette, bool is_second);

#endif
