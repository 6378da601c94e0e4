/*
 * bound: the search in a list that is in order, by halves.
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
 * Symbol i is the first that starts after the address; i is also how many
 * start at or before it.
 */
#ifndef BOUND_H
#define BOUND_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the number of the first item that is not before a key; `count` if all
 * are.  Compilers make is_before() part of the loop.
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
