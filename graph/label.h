/*
 * label: a name as it fits into its frame.
 */
#ifndef LABEL_H
#define LABEL_H

#include "lib/text.h"

/* The part of a name that is left out. */
enum label_cut {
	LABEL_END,	/* "org/apache/spa.." */
	LABEL_MIDDLE,	/* "org/ap..ute$1" */
	LABEL_FRONT	/* "..scheduler.run" */
};

/* Returns the part that is called "end", "middle" or "front"; otherwise -1. */
int label_cut_find(const char *name);

/* Returns the name of the part. */
const char *label_cut_name(enum label_cut cut);

/*
 * Adds a clean name, as svg_text does, with ".." for what is left out if it has
 * more characters than there is room for; the room is for three at least.
 */
void label_add(struct text *svg, struct str name, size_t room,
    enum label_cut cut, bool ascii);

#endif
