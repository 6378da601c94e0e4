/*
 * sort: sorts texts by byte order and records by the number that they begin
 * with, searches sorted lists, and keeps sorted texts in little memory.
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
 * key; `count` if all are.  Compilers make is_before() part of the loop.
 *
 *	static bool
 *	starts_up_to(const void *symbol, const void *address)
 *	{
 *		return ((const struct symbol *)symbol)->start <=
 *		    *(const uint64_t *)address;
 *	}
 *	...
 *		i = lower_bound(&address, symbols, count, sizeof(*symbols),
 *		    starts_up_to);
 *
 * Symbol i is the first after the address; i start at or before it.
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

/*
 * Sorted texts are kept in byte order, in little memory.
 *
 * Neighbours mostly begin alike.  A text is stored without the bytes that it
 * has in common with the one before; every 16th is complete, so that texts can
 * be found:
 *
 *	main;parse;read		0	main;parse;read
 *	main;parse;skip		11	skip
 *	main;print		6	rint
 *
 * Texts are numbered from 0.
 */

/* Begins as { 0 }. */
struct sorted {
	struct sorted_text *texts;
	size_t count, room;
	struct text last;		/* the last one, complete */
	struct arena arena;
};

/* A position among the texts.  It begins as { 0 }, before the first one. */
struct sorted_cursor {
	size_t next;			/* number of the text after it */
	struct text text;		/* the one before it, complete */
};

#define SORTED_NONE	SIZE_MAX

/*
 * Adds a text that comes after all others, or equals the last one, and returns
 * its number.  Returns SORTED_NONE for one before the last, and does not add
 * it.
 */
size_t sorted_add(struct sorted *sorted, struct str text);

/* Moves after a text; false, and nothing moves, if it is missing. */
bool sorted_find(const struct sorted *sorted, struct str text,
    struct sorted_cursor *at);

/* True if there is a next text, and it is this one. */
bool sorted_is_next(const struct sorted *sorted,
    const struct sorted_cursor *at, struct str text);

/* Moves after the next text; false at the end. */
bool sorted_next(const struct sorted *sorted, struct sorted_cursor *at);

#endif
