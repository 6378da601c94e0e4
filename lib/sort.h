/*
 * sort: sorts texts by byte order and records by the number that they begin
 * with, and searches sorted lists.
 */
#ifndef SORT_H
#define SORT_H

#include <stdint.h>

#include "mem.h"
#include "text.h"

struct sort_item {
	struct str key;
	size_t number;		/* the caller's */
};

/*
 * Sorts by key as bytes, a prefix first; equal keys keep their order.  Takes
 * time n log n at worst, and one pass over keys that are sorted already.
 */
void sort_items(struct sort_item *items, size_t count);

/*
 * Sorts elements of `size` bytes by the uint64_t that they begin with; equal
 * ones keep their order.  Takes a time that grows as the count does, and one
 * pass over elements that are sorted already.
 */
void sort_by_number(void *elements, size_t count, size_t size);

/* Returns how many elements of a list in that order are not above a number. */
size_t sort_up_to(uint64_t number, const void *elements, size_t count,
    size_t size);

/*
 * Returns the number of the first item of a sorted list that is not before a
 * key, which is also how many are before it.  Compilers make is_before() part
 * of the loop.
 */
static inline size_t
lower_bound(const void *key, const void *items, size_t count, size_t size,
    bool (*is_before)(const void *item, const void *key))
{
	size_t low = 0, middle;

	while (low < count) {
		middle = low + (count - low) / 2;
		if (is_before((const char *)items + middle * size, key))
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

#endif
