/*
 * attributes: what --nameattr gives to frames, lines of a function's name and
 * its attributes, parted by tabs:
 *
 *	main	href=https://example.com/main	title=where it all begins
 *
 * href makes the frame a link, opened in `target` (by default "_top"); title
 * replaces the tooltip; id and class are set on the frame's group.  g_extra,
 * and a_extra on links, are further attributes: data-file="main.c" role="x".
 * Values may hold entities: &amp; is &.
 */
#ifndef ATTRIBUTES_H
#define ATTRIBUTES_H

#include "lib/table.h"

struct attributes {
	struct str href, target, title;		/* empty: not given */
	struct str extra;	/* SVG for the group: id, class, g_extra */
	struct str link_extra;	/* SVG for the link: a_extra */
};

struct attribute_file {
	struct table names;
	struct attributes *attributes;	/* by a name's number */
	size_t room;
	struct arena arena;
	bool ascii;		/* see svg.h */
};

/*
 * Returns false, after a message with the line, if the file cannot be read or
 * has a mistake: also a link to a script, javascript:..., an attribute that
 * runs its value, onclick="...", and one that loads something when the picture
 * is opened, fill="url(https:...)".
 */
bool attributes_read(struct attribute_file *file, const char *path,
    bool ascii);

/* Returns the attributes of the function, or NULL. */
const struct attributes *attributes_find(const struct attribute_file *file,
    struct str name);

#endif
