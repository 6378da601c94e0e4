/* sort: puts texts in byte order. */
#ifndef SORT_H
#define SORT_H

#include "str.h"

struct sort_item {
	struct str key;
	size_t number;		/* the caller's */
};

/*
 * Sorts by key as bytes, a prefix first; equal keys keep their order.  Takes
 * time n log n at worst, and one pass over keys that are sorted already.
 */
void sort_items(struct sort_item *items, size_t count);

#endif
