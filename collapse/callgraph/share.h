/*
 * share: divides whole numbers in proportion, so that nothing is lost.
 *
 *	struct share share = { .left = 10 };
 *	share_weigh(&share, 1);
 *	share_weigh(&share, 2);
 *	share_take(&share, 1)	3
 *	share_take(&share, 2)	7
 */
#ifndef SHARE_H
#define SHARE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns x * part / whole, rounded to the nearest number; part is at most
 * whole, which is not 0.  If x is at most whole, too, the rest of x is at most
 * whole - part, so that x can be shared out one part after another.
 */
uint64_t share_of(uint64_t x, uint64_t part, uint64_t whole);

/* Shares a number out among weights; it begins with `left` set. */
struct share {
	uint64_t left;
	uint64_t high, low;	/* the weights' sums, by halves of 32 bits */
	uint64_t count;		/* the number of weights */
	uint64_t whole;		/* the sum of the weights not yet served */
	unsigned shift;		/* how many low bits the weights lose */
	bool begun, equal;
};

/* Adds a weight, before anything is taken. */
static inline void
share_weigh(struct share *share, uint64_t weight)
{
	share->high += weight >> 32;
	share->low += weight & UINT32_MAX;
	share->count++;
}

/*
 * Takes the share of a weight; all may come in any order.  In the end nothing
 * is left.  Each gets its weight if these add up to the number; if all are 0,
 * they get equal shares.
 */
uint64_t share_take(struct share *share, uint64_t weight);

#endif
