/*
 * palette: the colour of a frame, from its name.
 */
#ifndef PALETTE_H
#define PALETTE_H

#include <stdint.h>

#include "../lib/mem.h"
#include "../lib/str.h"
#include "../lib/table.h"

enum palette_theme {
	PALETTE_HOT, PALETTE_MEM, PALETTE_IO,
	PALETTE_RED, PALETTE_GREEN, PALETTE_BLUE, PALETTE_YELLOW,
	PALETTE_PURPLE, PALETTE_AQUA, PALETTE_ORANGE, PALETTE_COLORBLIND,
	/* These take one of the above, by what a name looks like. */
	PALETTE_WAKEUP, PALETTE_CHAIN, PALETTE_JAVA, PALETTE_JS, PALETTE_PERL,
	PALETTE_RUST, PALETTE_PYTHON,
	PALETTE_NONE
};

/* How a name chooses a shade of its colour. */
enum palette_shade {
	SHADE_NAME,	/* the same name, the same shade; well spread */
	SHADE_HASH,	/* names that begin alike have shades alike */
	SHADE_RANDOM	/* by the order of drawing */
};

struct palette {
	enum palette_theme theme;
	enum palette_shade shade;
	uint64_t random;	/* the state of SHADE_RANDOM */
	uint32_t *codes;	/* those of a name, for SHADE_HASH */
	size_t room;
};

struct colour {
	int red, green, blue;
};

/* The theme of that name, or PALETTE_NONE. */
enum palette_theme palette_find(struct str name);

struct colour palette_colour(struct palette *palette, struct str name);

/*
 * The colour of a difference: white for none, red for more and blue for less,
 * full at +-max; in the theme for the colour-blind orange and a lighter blue.
 */
struct colour palette_difference(enum palette_theme theme, double delta,
    double max);

/*
 * A map keeps the colours of names between pictures, in a file of lines
 * "name->rgb(1,2,3)".
 */
struct palette_map {
	struct table names;
	struct str *colours;	/* by a name's number */
	size_t room;
	struct arena arena;
};

/*
 * Reads the file, if there is one; false, after a message, on an error.  What
 * is not a colour is reported and left out.
 */
bool palette_map_read(struct palette_map *map, const char *path);

/* The colour of a name, which the palette gives where the map has none. */
struct str palette_map_colour(struct palette_map *map, struct palette *palette,
    struct str name);

/* Replaces the file, in one step; false, after a message, on an error. */
bool palette_map_write(const struct palette_map *map, const char *path);

#endif
