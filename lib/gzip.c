/*
 * A member is
 *
 *	1f 8b 08 FLAGS TIME:4 x x		a header, and by its flags...
 *	LENGTH:2 ...				4: something for programs
 *	name 00					8: the name of the file
 *	comment 00				16
 *	CRC:2					2: the low half of the header's
 *	...					what DEFLATE made of the file
 *	CRC:4 SIZE:4				of the file
 *
 * with numbers whose low byte comes first.
 */
#include <stdint.h>
#include <stdlib.h>

#include "gzip.h"
#include "mem.h"

#define MAGIC_1		0x1f
#define MAGIC_2		0x8b
#define METHOD		8	/* DEFLATE */

enum {			/* flags */
	FLAG_CRC = 2, FLAG_EXTRA = 4, FLAG_NAME = 8, FLAG_COMMENT = 16,
	FLAGS_UNKNOWN = 0xe0
};

/* Eight bytes are added at once, each by the table of its distance. */
#define SLICES	8

struct gzip {
	struct deflate *deflate;
	bool in_member, at_end;
	uint32_t header_crc;	/* of the header so far */
	uint32_t crc, size;	/* of what was unpacked */
	size_t members;		/* that have ended */
	bool has_garbage;
	const char *trouble;
	uint32_t table[SLICES][256];	/* what makes the check sum, CRC-32 */
};

/* Returns the sum of the bytes that `sum` is of and of more after them. */
static uint32_t
crc_add(const struct gzip *gzip, uint32_t sum, struct str bytes)
{
	const uint32_t (*table)[256] = gzip->table;
	const unsigned char *at = (const unsigned char *)bytes.data;
	size_t left = bytes.len;

	sum = ~sum;
	for (; left >= SLICES; left -= SLICES, at += SLICES) {
		sum ^= (uint32_t)at[0] | (uint32_t)at[1] << 8 |
		    (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
		sum = table[7][sum & 0xff] ^ table[6][sum >> 8 & 0xff] ^
		    table[5][sum >> 16 & 0xff] ^ table[4][sum >> 24] ^
		    table[3][at[4]] ^ table[2][at[5]] ^ table[1][at[6]] ^
		    table[0][at[7]];
	}
	for (; left > 0; left--)
		sum = sum >> 8 ^ table[0][(sum ^ *at++) & 0xff];
	return ~sum;
}

struct gzip *
gzip_new(deflate_reader *read, void *context)
{
	struct gzip *gzip = mem_array(1, sizeof(*gzip));
	/* its bits are in the opposite order */
	const uint32_t polynomial = 0xedb88320;
	uint32_t sum, i, bit, slice;

	gzip->deflate = deflate_new(read, context);
	for (i = 0; i < 256; i++) {
		sum = i;
		for (bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ ((sum & 1) != 0 ? polynomial : 0);
		gzip->table[0][i] = sum;
	}
	for (slice = 1; slice < SLICES; slice++)
		for (i = 0; i < 256; i++) {
			sum = gzip->table[slice - 1][i];
			gzip->table[slice][i] =
			    sum >> 8 ^ gzip->table[0][sum & 0xff];
		}
	return gzip;
}

bool
gzip_free(struct gzip *gzip)
{
	bool has_garbage = gzip != NULL && gzip->has_garbage;

	if (gzip != NULL)
		free(gzip->deflate);
	free(gzip);
	return has_garbage;
}

bool
gzip_begins(struct str bytes)
{
	return str_starts(bytes, STR("\x1f\x8b"));
}

/* Notes what is wrong, unless something was wrong before. */
static void
fail(struct gzip *gzip, const char *trouble)
{
	if (gzip->trouble == NULL)
		gzip->trouble = trouble;
}

/* Takes a byte of a header or trailer; 0, and trouble, at the end. */
static unsigned
take_byte(struct gzip *gzip)
{
	int byte = deflate_byte(gzip->deflate);
	char c = (char)byte;

	if (byte < 0) {
		fail(gzip, "its compressed data is cut short");
		return 0;
	}
	gzip->header_crc = crc_add(gzip, gzip->header_crc,
	    (struct str){ &c, 1 });
	return (unsigned)byte;
}

static uint32_t
take_number(struct gzip *gzip, unsigned size)
{
	uint32_t number = 0;
	unsigned i;

	for (i = 0; i < size; i++)
		number |= (uint32_t)take_byte(gzip) << 8 * i;
	return number;
}

/* Takes the bytes that begin a member; false if others come, or none. */
static bool
take_magic(struct gzip *gzip)
{
	unsigned first = take_byte(gzip);

	if (gzip->members > 0 && first == 0) {
		/* The end, perhaps after zeros, with which tapes are filled. */
		while (first == 0 && gzip->trouble == NULL)
			first = take_byte(gzip);
		gzip->has_garbage = gzip->trouble == NULL;
		gzip->trouble = NULL;
		return false;
	}
	if (first == MAGIC_1 && take_byte(gzip) == MAGIC_2)
		return true;
	if (gzip->members == 0)
		fail(gzip, "it is not compressed by gzip");
	gzip->has_garbage = gzip->trouble == NULL;
	return false;
}

/* Reads the header of a member; false at the end, or with trouble. */
static bool
begin_member(struct gzip *gzip)
{
	unsigned flags, left;
	uint32_t crc;

	gzip->header_crc = gzip->crc = gzip->size = 0;
	if (!take_magic(gzip))
		return false;
	if (take_byte(gzip) != METHOD)
		fail(gzip, "it is compressed by an unknown method");
	flags = take_byte(gzip);
	if ((flags & FLAGS_UNKNOWN) != 0)
		fail(gzip, "its header has unknown flags");
	take_number(gzip, 4);	/* the time, and what we need not know */
	take_number(gzip, 2);
	if ((flags & FLAG_EXTRA) != 0)
		for (left = take_number(gzip, 2); left > 0; left--)
			take_byte(gzip);
	if ((flags & FLAG_NAME) != 0)
		while (take_byte(gzip) != 0)
			;
	if ((flags & FLAG_COMMENT) != 0)
		while (take_byte(gzip) != 0)
			;
	crc = gzip->header_crc & 0xffff;
	if ((flags & FLAG_CRC) != 0 && take_number(gzip, 2) != crc)
		fail(gzip, "its header is damaged");
	deflate_begin(gzip->deflate);
	return gzip->trouble == NULL;
}

bool
gzip_next(struct gzip *gzip, struct str *unpacked)
{
	enum deflate_state state;
	uint32_t crc, size;

	*unpacked = STR("");
	while (unpacked->len == 0 && gzip->trouble == NULL && !gzip->at_end) {
		if (!gzip->in_member) {
			gzip->in_member = begin_member(gzip);
			gzip->at_end = !gzip->in_member;
			continue;
		}
		state = deflate_next(gzip->deflate, unpacked);
		gzip->crc = crc_add(gzip, gzip->crc, *unpacked);
		gzip->size += (uint32_t)unpacked->len;
		if (state == DEFLATE_DAMAGED)
			fail(gzip, "its compressed data is damaged");
		else if (state == DEFLATE_CUT)
			fail(gzip, "its compressed data is cut short");
		if (state != DEFLATE_END)
			continue;
		crc = take_number(gzip, 4);
		size = take_number(gzip, 4);
		if (crc != gzip->crc || size != gzip->size)
			fail(gzip, "it is damaged: its checksum does not "
			    "match");
		gzip->in_member = false;
		gzip->members++;
	}
	return unpacked->len > 0;
}

const char *
gzip_trouble(const struct gzip *gzip)
{
	return gzip->trouble;
}

/*
 * A stream of zlib is one of DEFLATE between two bytes that say what it is and
 * four with the sum of the unpacked bytes.  Only this number has its highest
 * byte first:
 *
 *	78 9c  block ... block  adler32			RFC 1950, 2.2
 */

#define PRIME	65521
#define GROUP	16
#define FAR	5552	/* bytes after which the sums are near their limit */

struct sums {
	uint32_t a;		/* of the bytes */
	uint32_t b;		/* of all sums `a` after a byte */
};

/* Adds GROUP bytes, a number that compilers unroll and vectorize. */
static inline void
add_group(struct sums *sums, const unsigned char *bytes)
{
	uint16_t sum = 0, weighted = 0;	/* up to 255 * 136 */
	unsigned i;

	for (i = 0; i < GROUP; i++) {
		sum = (uint16_t)(sum + bytes[i]);
		weighted = (uint16_t)(weighted + bytes[i] * (GROUP - i));
	}
	sums->b += GROUP * sums->a + weighted;
	sums->a += sum;
}

/* Returns two sums, modulo the largest prime below 65,536 (RFC 1950, 9). */
static uint32_t
adler32(const unsigned char *bytes, size_t len)
{
	struct sums sums = { 1, 0 };
	size_t part;

	for (; len > 0; sums.a %= PRIME, sums.b %= PRIME) {
		part = len < FAR ? len : FAR;
		len -= part;
		for (; part >= GROUP; part -= GROUP, bytes += GROUP)
			add_group(&sums, bytes);
		for (; part > 0; part--) {
			sums.a += *bytes++;
			sums.b += sums.a;
		}
	}
	return sums.b << 16 | sums.a;
}

/* Gives the stream; there is no other input. */
static bool
read_once(void *context, struct str *input)
{
	struct str *packed = context;

	*input = *packed;
	*packed = STR("");
	return input->len > 0;
}

bool
zlib_unpack(struct str packed, unsigned char *out, size_t size)
{
	struct deflate *deflate = deflate_new(read_once, &packed);
	int method = deflate_byte(deflate), flags = deflate_byte(deflate), i;
	enum deflate_state state = DEFLATE_MORE;
	struct str piece = STR("");
	size_t made = 0;
	uint32_t sum = 0;
	bool good;

	/* DEFLATE, a window of 32 KB at most, no dictionary */
	good = method >= 0 && flags >= 0 && (method & 15) == 8 &&
	    method >> 4 <= 7 && (method << 8 | flags) % 31 == 0 &&
	    (flags & 0x20) == 0;
	while (good && state == DEFLATE_MORE) {
		state = deflate_next(deflate, &piece);
		good = piece.len <= size - made;
		if (good)
			memcpy(out + made, piece.data, piece.len);
		made += piece.len;
	}
	good = good && state == DEFLATE_END && made == size;
	for (i = 0; i < 4; i++)	/* no sum is all ones, as of a missing byte */
		sum = sum << 8 | (uint32_t)deflate_byte(deflate);
	good = good && sum == adler32(out, size);
	free(deflate);
	return good;
}
