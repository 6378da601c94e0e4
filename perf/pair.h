/*
 * pair: makes of the stacks of two events, which begin with the events' names,
 * stacks with two counts:
 *
 *	cycles;main;read 12		main;read 12 3
 *	cycles;main 7			main 7 0
 *	instructions;main;read 3
 */
#ifndef PAIR_H
#define PAIR_H

#include "fold/stacks.h"

/* Begins as { 0 }. */
struct pair {
	const struct stacks *stacks;	/* with the first counts */
	unsigned long long *seconds;	/* by a stack's number */
	bool has_seconds;
	size_t room;
};

/*
 * Replaces the stacks by those without their outermost frames, as far as these
 * are one of two; the pair has the counts of the second.  An event may be
 * TABLE_NONE.
 */
void pair_join(struct pair *pair, struct stacks *stacks, uint32_t first,
    uint32_t second);

/* Adds the counts of a stack: two, or one if the second event was none. */
void pair_add_counts(const struct pair *pair, uint32_t number,
    struct text *line);

#endif
