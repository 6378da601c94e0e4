/*
 * colourfile: the colours of names from files: --color-rules has patterns,
 *
 *	^Unsafe_|::alloc #d03030
 *
 * and --cp keeps colours between pictures in lines "name->rgb(1,2,3)".
 */
#ifndef COLOURFILE_H
#define COLOURFILE_H

#include <regex.h>

#include "lib/table.h"
#include "palette.h"

struct rule {
	regex_t regex;
	struct str pattern;	/* for the legend */
	struct colour colour;
	bool used;		/* a frame has this colour */
};

struct rules {
	struct rule *list;
	size_t count, room;
	struct table names;	/* that were looked up */
	struct rule **found;	/* by a name's number; or NULL */
	size_t found_room;
	struct arena arena;
	struct text text;	/* that ends in a zero, for regexec */
};

struct palette_map {
	struct table names;
	struct str *colours;	/* by a name's number */
	size_t room;
	struct arena arena;
};

/*
 * Reads extended regular expressions, each with a color after the last blank;
 * empty lines and lines that begin with '#' and a blank are comments.  Returns
 * false, after a message, if the file cannot be read or a line is wrong.
 */
bool rules_read(struct rules *rules, const char *path);

/* Returns the first rule that a name matches, or NULL. */
struct rule *rules_find(struct rules *rules, struct str name);

/*
 * Reads the file, if it exists.  Returns false, after a message, if it cannot
 * be read or is not a regular file.  Lines without a colour are reported and
 * left out.
 */
bool palette_map_read(struct palette_map *map, const char *path);

/* Returns the colour of a name; the palette chooses it for a new one. */
struct str palette_map_colour(struct palette_map *map, struct palette *palette,
    struct str name);

/* Replaces the file in one step; returns false, after a message, on failure. */
bool palette_map_write(const struct palette_map *map, const char *path);

#endif
