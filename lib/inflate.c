/*
 * A stream is one of DEFLATE between two bytes that say what it is and four that
 * sum up what it makes, which is the one number whose first byte is the highest:
 *
 *	78 9c  block ... block  adler32			RFC 1950, 2.2
 */
#include "bits.h"
#include "bytes.h"
#include "deflate.h"
#include "inflate.h"

#define PRIME		65521
#define LANES		UINT64_C(0x00ff00ff00ff00ff)
#define WORDS		16	/* that are summed up at once */

struct sums {
	uint32_t a;		/* of the bytes */
	uint32_t b;		/* of all sums `a` behind a byte */
};

/*
 * Adds WORDS words.  Each of the eight bytes of a word has a lane of 16 bits for
 * its sum, and one for the sum of these in front of each further word; so a byte
 * counts in b once for each of eight bytes of later words, and for those from it
 * to the end of its own.
 */
static void
add_words(const unsigned char *bytes, struct sums *to)
{
	uint64_t sums[2] = { 0 }, behind[2] = { 0 }, word;
	uint32_t sum;
	unsigned i;

	for (i = 0; i < WORDS; i++) {
		word = bits_word(bytes + 8 * i);
		behind[0] += sums[0];
		behind[1] += sums[1];
		sums[0] += word & LANES;
		sums[1] += word >> 8 & LANES;
	}
	to->b += to->a * WORDS * 8;
	for (i = 0; i < 8; i++) {
		sum = (uint32_t)(sums[i % 2] >> i / 2 * 16) & 0xffff;
		to->a += sum;
		to->b += sum * (8 - i) + 8 *
		    ((uint32_t)(behind[i % 2] >> i / 2 * 16) & 0xffff);
	}
	to->a %= PRIME;
	to->b %= PRIME;
}

/* Two sums, each modulo the largest prime below 65,536 (RFC 1950, 9). */
static uint32_t
adler32(const unsigned char *bytes, size_t len)
{
	struct sums sums = { 1, 0 };

	for (; len >= WORDS * 8; len -= WORDS * 8, bytes += WORDS * 8)
		add_words(bytes, &sums);
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
