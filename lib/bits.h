/*
 * bits: a reader of bits, the lowest of each byte first.  Those that are held
 * are taken from the lowest on; the ones above may be anything that follows.
 */
#ifndef BITS_H
#define BITS_H

#include <stdbool.h>
#include <stdint.h>

/* The input, and its bits that were read and not yet taken. */
struct bits {
	const unsigned char *in, *end;
	uint64_t held;
	unsigned count;		/* of bits held */
};

/* Holds so many bits, if there are, and takes no byte that it does not need. */
static inline bool
bits_hold(struct bits *bits, unsigned need)
{
	while (bits->count < need) {
		if (bits->in == bits->end)
			return false;
		bits->held |= (uint64_t)*bits->in++ << bits->count;
		bits->count += 8;
	}
	return true;
}

/* Takes bits that are held. */
static inline void
bits_drop(struct bits *bits, unsigned count)
{
	bits->held >>= count;
	bits->count -= count;
}

static inline unsigned
bits_take(struct bits *bits, unsigned count)
{
	unsigned taken = (unsigned)(bits->held & ((1u << count) - 1));

	bits_drop(bits, count);
	return taken;
}

/* Returns eight bytes as a number. */
static inline uint64_t
bits_word(const unsigned char *in)
{
	return (uint64_t)in[0] | (uint64_t)in[1] << 8 |
	    (uint64_t)in[2] << 16 | (uint64_t)in[3] << 24 |
	    (uint64_t)in[4] << 32 | (uint64_t)in[5] << 40 |
	    (uint64_t)in[6] << 48 | (uint64_t)in[7] << 56;
}

/* Holds 56 bits or more; there must be 8 bytes of input. */
static inline void
bits_refill(struct bits *bits)
{
	bits->held |= bits_word(bits->in) << bits->count;
	bits->in += (63 - bits->count) / 8;
	bits->count |= 56;
}

/* Gives back the bytes that are held, but for the rest of one begun. */
static inline void
bits_give_back(struct bits *bits)
{
	bits->in -= bits->count / 8;
	bits->count %= 8;
	bits->held &= (1u << bits->count) - 1;
}

#endif
