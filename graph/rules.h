/*
 * rules: the colors of names that match patterns, from a file of lines
 *
 *	^Unsafe_|::alloc #d03030
 */
#ifndef RULES_H
#define RULES_H

#include <regex.h>

#include "colour.h"
#include "lib/table.h"
#include "lib/text.h"

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
	uint32_t *found;	/* by a name's number the rule, or count */
	size_t found_room;
	struct arena arena;
	struct text text;	/* that ends in a zero, for regexec */
};

/*
 * Reads extended regular expressions, each with a color after the last blank;
 * empty lines and lines that begin with '#' and a blank are comments.  Returns
 * false, after a message, if the file cannot be read or a line is wrong.
 */
bool rules_read(struct rules *rules, const char *path);

/* Returns the first rule that a name matches, or NULL. */
struct rule *rules_find(struct rules *rules, struct str name);

#endif
