/*
 * scheme: a palette as users name it, --colors=NAME: which hue each function
 * has, and what goes with that.
 */
#ifndef SCHEME_H
#define SCHEME_H

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

struct scheme {
	const char *name;
	enum hue hue;				/* of all functions, or... */
	enum hue (*hue_of)(struct str name);	/* ...of each; may be NULL */
	const char *background;			/* that suits it */
	bool has_wakers;			/* stacks do, see wakers.h */
	const char *help;		/* the colors, or NULL: the kinds */
	struct kind kinds[SCHEME_KINDS];	/* up to one without a name */
};

/* Returns the scheme of that name, or NULL. */
const struct scheme *scheme_find(struct str name);

/* Adds a line about each scheme, but for the last line end. */
void scheme_list(struct text *list);

#endif
