/* palettemap: colours of names that are kept, "name->rgb(1,2,3)" a line. */
#ifndef PALETTEMAP_H
#define PALETTEMAP_H

#include "lib/table.h"
#include "palette.h"

struct palette_map {
	struct table names;
	struct str *colours;	/* by a name's number */
	size_t room;
	struct arena arena;
};

/*
 * Reads the file, if it exists.  Returns false, after a message, if it cannot
 * be read or is not a regular file.  Reports lines without a colour.
 */
bool palette_map_read(struct palette_map *map, const char *path);

/* Returns the colour of a name; the palette chooses it for a new one. */
struct str palette_map_colour(struct palette_map *map, struct palette *palette,
    struct str name);

/* Replaces the file in one step; returns false, after a message, on failure. */
bool palette_map_write(const struct palette_map *map, const char *path);

#endif
