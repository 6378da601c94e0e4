/*
 * spans: finds by an address what a range of addresses was noted for.
 *
 * Ranges may lie in each other, as functions that are inlined do.  At each
 * address the innermost counts: the one that begins last, of these the
 * shortest, of equal ones the one with the highest number.
 *
 *	0        10        20        30
 *	[ 1                         )
 *	    [ 2            )			=> 0:1  4:2  10:3  13:2  20:1
 *	              [ 3 )			   28:none
 */
#ifndef SPANS_H
#define SPANS_H

#include <stddef.h>
#include <stdint.h>

#include "limits.h"

#define SPANS_NONE	UINT32_MAX

/* It begins as { 0 }, but for the account, if there is one. */
struct spans {
	struct account *account;
	const char *lost;		/* if the account allows no more */
	struct span *list;	/* what was added, until spans_sort */
	size_t count, room;
	struct span_step *steps;	/* from here on, this is it */
	size_t step_count, step_room;
};

/* Adds a range for a number, unless it is empty or the account is used up. */
void spans_add(struct spans *spans, uint64_t start, uint64_t end,
    uint32_t number);

/* Makes ready what was added; nothing can be added any more. */
void spans_sort(struct spans *spans);

/* Addresses for which an answer is the same. */
struct span_range {
	uint64_t first, last;
};

/*
 * Returns the number noted for an address, or SPANS_NONE.  Cuts `range` to the
 * addresses with the same answer.
 */
uint32_t spans_find(const struct spans *spans, uint64_t address,
    struct span_range *range);

void spans_free(struct spans *spans);

#endif
