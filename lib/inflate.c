/*
 * A stream is one of DEFLATE between two bytes that say what it is and four
 * that sum up what it makes, which is the one number whose first byte is the
 * highest:
 *
 *	78 9c  block ... block  adler32			RFC 1950, 2.2
 */
#include "bits.h"
#include "bytes.h"
#include "deflate.h"
#include "inflate.h"

#define PRIME		65521
#define LANES		UINT64_C(0x00ff00ff00ff00ff)
#define BLOCK		64	/* bytes that are summed up at once */
#define BLOCKS		86	/* sums are far from their limit */

struct sums {
	uint32_t a;		/* of the bytes */
	uint32_t b;		/* of all sums `a` behind a byte */
};

/* Returns the sum of four lanes, the lowest taken so many times, and so on. */
static uint32_t
add_lanes(uint64_t lanes, uint64_t w0, uint64_t w1, uint64_t w2, uint64_t w3)
{
	return (uint32_t)(lanes * (w0 << 48 | w1 << 32 | w2 << 16 | w3) >>
	    48);
}

/*
 * Adds a block.  Each of the eight bytes of a word has a lane of 16 bits for
 * its sum, and one for the sum of these in front of each further word; so a
 * byte counts in b once for each of eight bytes of later words, and for those
 * from it to the end of its own.
 */
static inline void
add_block(const unsigned char *bytes, struct sums *to)
{
	uint64_t even = 0, odd = 0, behind = 0, word;
	unsigned i;

	for (i = 0; i < BLOCK; i += 8) {
		word = bits_word(bytes + i);
		behind += even + odd;
		even += word & LANES;
		odd += word >> 8 & LANES;
	}
	to->b += to->a * BLOCK + 8 * add_lanes(behind, 1, 1, 1, 1) +
	    add_lanes(even, 8, 6, 4, 2) + add_lanes(odd, 7, 5, 3, 1);
	to->a += add_lanes(even + odd, 1, 1, 1, 1);
}

/* Two sums, each modulo the largest prime below 65,536 (RFC 1950, 9). */
static uint32_t
adler32(const unsigned char *bytes, size_t len)
{
	struct sums sums = { 1, 0 };
	size_t i;

	while (len >= BLOCK) {
		for (i = 0; i < BLOCKS && len >= BLOCK; i++) {
			add_block(bytes, &sums);
			bytes += BLOCK;
			len -= BLOCK;
		}
		sums.a %= PRIME;
		sums.b %= PRIME;
	}
	for (; len > 0; len--) {
		sums.a += *bytes++;
		sums.b += sums.a;
	}
	return sums.b % PRIME << 16 | sums.a % PRIME;
}

static uint32_t
read_sum(struct bytes *bytes)
{
	uint32_t sum = 0;
	int i;

	for (i = 0; i < 4; i++)
		sum = sum << 8 | bytes_u8(bytes);
	return sum;
}

bool
inflate(struct str packed, unsigned char *out, size_t size)
{
	struct bytes bytes = bytes_from(packed);
	unsigned method = bytes_u8(&bytes), flags = bytes_u8(&bytes);
	struct str stream = bytes_text(&bytes, bytes_left(&bytes));
	uint32_t sum;
	size_t made;

	/* DEFLATE, a window of 32 KB at most, no dictionary */
	if ((method & 15) != 8 || method >> 4 > 7 ||
	    (method << 8 | flags) % 31 != 0 || (flags & 0x20) != 0 ||
	    !deflate_all(&stream, out, size, &made) || made != size)
		return false;
	bytes = bytes_from(stream);
	sum = read_sum(&bytes);
	return !bytes.failed && sum == adler32(out, size);
}
