/*
 * palettemap: the colours of names, kept between pictures in a file of lines
 * "name->rgb(1,2,3)".
 */
#ifndef PALETTEMAP_H
#define PALETTEMAP_H

#include "../lib/table.h"
#include "palette.h"

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
