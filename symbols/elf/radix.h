/*
 * radix: numbers in order, in a time that grows as their count does.  Symbols
 * are sorted by their addresses, and a file may have millions.
 */
#ifndef RADIX_H
#define RADIX_H

#include <stddef.h>
#include <stdint.h>

struct radix_item {
	uint64_t key;
	size_t number;		/* the caller's */
};

/* Sorts by key; items with one key keep their order. */
void radix_sort(struct radix_item *items, size_t count);

#endif
