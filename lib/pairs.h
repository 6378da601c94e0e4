/*
 * pairs: finds pairs of numbers, and numbers them 0, 1, 2, ... in the order in
 * which they were first added, as table does with texts.
 *
 *	from, to	a call
 *	file, name	a function
 *
 * A profile of several parts has the same pairs in the same order in each.  So
 * the pair behind the one that was found last is looked at first, which needs
 * no memory that is far away.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include <stddef.h>
#include <stdint.h>

struct pair {
	uint32_t first, second;
};

/* Begins with pairs_init. */
struct pairs {
	struct pair *list;	/* by number */
	uint32_t count;
	size_t room;
	uint32_t next;		/* the number behind the one found last */
	uint32_t *slots;	/* numbers plus one; 0: empty */
	unsigned bits;		/* of a slot's number */
};

void pairs_init(struct pairs *pairs);
void pairs_free(struct pairs *pairs);

/* Returns the number of a pair, which is added if it is new. */
uint32_t pairs_add(struct pairs *pairs, uint32_t first, uint32_t second);

#endif
