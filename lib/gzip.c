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
 * with numbers whose low byte comes first.  It may be cut between any two bytes
 * by the pieces in which it comes, so the header is read byte by byte.
 */
#include <stdint.h>
#include <stdlib.h>

#include "bytes.h"
#include "crc.h"
#include "deflate.h"
#include "gzip.h"
#include "mem.h"

#define MAGIC_1		0x1f
#define MAGIC_2		0x8b
#define METHOD		8	/* DEFLATE */
#define HEADER		10	/* bytes */
#define FLAGS_AT	3
#define TRAILER		8

enum {			/* flags */
	FLAG_CRC = 2, FLAG_EXTRA = 4, FLAG_NAME = 8, FLAG_COMMENT = 16,
	FLAGS_UNKNOWN = 0xe0
};

/* The parts of a member, in their order. */
enum member_part {
	PART_HEADER, PART_EXTRA_LENGTH, PART_EXTRA, PART_NAME, PART_COMMENT,
	PART_CRC, PART_BODY, PART_TRAILER,
	PART_PADDING,		/* zeros after the last member */
	PART_GARBAGE,		/* no more is taken */
	PART_DAMAGED
};

struct gzip {
	struct deflate *deflate;
	enum member_part part;
	unsigned taken;		/* bytes of this part */
	unsigned flags;
	uint32_t extra;		/* bytes of it that are to come */
	uint64_t number;	/* of the last part made of one */
	uint32_t header_crc;	/* of the header so far */
	uint32_t crc, size;	/* of what was unpacked */
	size_t members;		/* that have ended */
	const char *trouble;
	struct crc sums;
};

/* Begins a member. */
static void
begin(struct gzip *gzip)
{
	gzip->part = PART_HEADER;
	gzip->taken = gzip->flags = 0;
	gzip->number = 0;
	gzip->header_crc = gzip->crc = gzip->size = 0;
}

struct gzip *
gzip_new(void)
{
	struct gzip *gzip = mem_array(1, sizeof(*gzip));

	gzip->deflate = deflate_new();
	crc_init(&gzip->sums);
	begin(gzip);
	return gzip;
}

void
gzip_free(struct gzip *gzip)
{
	if (gzip == NULL)
		return;
	free(gzip->deflate);
	free(gzip);
}

bool
gzip_begins(struct str bytes)
{
	return str_starts(bytes, STR("\x1f\x8b"));
}

static void
fail(struct gzip *gzip, const char *trouble)
{
	gzip->part = PART_DAMAGED;
	gzip->trouble = trouble;
}

/* Goes on with the next part of a header that the flags say is there. */
static void
next_part(struct gzip *gzip)
{
	static const unsigned flags[] = {
		[PART_EXTRA_LENGTH] = FLAG_EXTRA, [PART_EXTRA] = FLAG_EXTRA,
		[PART_NAME] = FLAG_NAME, [PART_COMMENT] = FLAG_COMMENT,
		[PART_CRC] = FLAG_CRC
	};

	do
		gzip->part++;
	while (gzip->part < PART_BODY &&
	    (gzip->flags & flags[gzip->part]) == 0);
	if (gzip->part == PART_EXTRA && gzip->extra == 0)
		next_part(gzip);
	gzip->taken = 0;
	gzip->number = 0;
	if (gzip->part == PART_BODY)
		deflate_begin(gzip->deflate);
}

/* Says that the first bytes are not those of a member. */
static void
refuse(struct gzip *gzip)
{
	if (gzip->members > 0)
		gzip->part = PART_GARBAGE;
	else
		fail(gzip, "it is not compressed by gzip");
}

/* Takes a byte of the header's first part. */
static void
take_first(struct gzip *gzip, unsigned char byte)
{
	unsigned at = gzip->taken++;

	if ((at == 0 && byte != MAGIC_1) || (at == 1 && byte != MAGIC_2))
		refuse(gzip);
	else if (at == 2 && byte != METHOD)
		fail(gzip, "it is compressed by an unknown method");
	else if (at == FLAGS_AT && (byte & FLAGS_UNKNOWN) != 0)
		fail(gzip, "its header has unknown flags");
	else if (at == FLAGS_AT)
		gzip->flags = byte;
	else if (at == HEADER - 1)
		next_part(gzip);
}

/* Takes a byte of a number of `size` bytes; true when it is the last one. */
static bool
take_number(struct gzip *gzip, unsigned char byte, unsigned size)
{
	gzip->number |= (uint64_t)byte << 8 * gzip->taken++;
	return gzip->taken == size;
}

static void
check_header(struct gzip *gzip)
{
	if (gzip->number == (gzip->header_crc & 0xffff))
		next_part(gzip);
	else
		fail(gzip, "its header is damaged");
}

static void
check_trailer(struct gzip *gzip)
{
	if ((gzip->number & UINT32_MAX) != gzip->crc ||
	    gzip->number >> 32 != gzip->size) {
		fail(gzip, "it is damaged: its checksum is of something else");
		return;
	}
	gzip->members++;
	begin(gzip);
}

/* Takes a byte of a header or a trailer. */
static void
take_byte(struct gzip *gzip, char c)
{
	unsigned char byte = (unsigned char)c;

	if (gzip->part < PART_CRC)
		gzip->header_crc = crc_add(&gzip->sums, gzip->header_crc,
		    (struct str){ &c, 1 });
	switch (gzip->part) {
	case PART_HEADER:
		if (gzip->taken == 0 && gzip->members > 0 && byte == 0)
			gzip->part = PART_PADDING;
		else
			take_first(gzip, byte);
		break;
	case PART_EXTRA_LENGTH:
		if (take_number(gzip, byte, 2)) {
			gzip->extra = (uint32_t)gzip->number;
			next_part(gzip);
		}
		break;
	case PART_EXTRA:
		if (--gzip->extra == 0)
			next_part(gzip);
		break;
	case PART_NAME:
	case PART_COMMENT:
		if (byte == 0)
			next_part(gzip);
		break;
	case PART_CRC:
		if (take_number(gzip, byte, 2))
			check_header(gzip);
		break;
	case PART_TRAILER:
		if (take_number(gzip, byte, TRAILER))
			check_trailer(gzip);
		break;
	case PART_PADDING:
		if (byte != 0)
			gzip->part = PART_GARBAGE;
		break;
	default:
		break;
	}
}

static void
take_body(struct gzip *gzip, struct str *packed, struct str *unpacked)
{
	enum deflate_state state = deflate_next(gzip->deflate, packed,
	    unpacked);

	gzip->crc = crc_add(&gzip->sums, gzip->crc, *unpacked);
	gzip->size += (uint32_t)unpacked->len;
	if (state == DEFLATE_DAMAGED)
		fail(gzip, "its compressed data is damaged");
	else if (state == DEFLATE_END)
		next_part(gzip);
}

bool
gzip_next(struct gzip *gzip, struct str *packed, struct str *unpacked)
{
	*unpacked = STR("");
	while (packed->len > 0 && gzip->part != PART_BODY &&
	    gzip->part < PART_GARBAGE) {
		take_byte(gzip, packed->data[0]);
		*packed = str_skip(*packed, 1);
	}
	if (gzip->part != PART_BODY)
		return false;
	take_body(gzip, packed, unpacked);
	return unpacked->len > 0 || gzip->part != PART_BODY;
}

bool
gzip_wants(const struct gzip *gzip)
{
	return gzip->part < PART_GARBAGE;
}

const char *
gzip_trouble(const struct gzip *gzip)
{
	bool between = gzip->members > 0 &&
	    ((gzip->part == PART_HEADER && gzip->taken == 0) ||
	    gzip->part == PART_PADDING || gzip->part == PART_GARBAGE);

	return gzip->trouble != NULL ? gzip->trouble : between ? NULL :
	    "its compressed data is cut short";
}

bool
gzip_has_garbage(const struct gzip *gzip)
{
	return gzip->part == PART_GARBAGE;
}

/*
 * A stream of zlib is one of DEFLATE between two bytes that say what it is and
 * four that sum up what it makes, which is the one number whose first byte is
 * the highest:
 *
 *	78 9c  block ... block  adler32			RFC 1950, 2.2
 */

#define PRIME		65521
#define LANES		UINT64_C(0x00ff00ff00ff00ff)
#define BLOCK		64	/* bytes that are summed up at once */
#define BLOCKS		86	/* sums are far from their limit */

struct sums {
	uint32_t a;		/* of the bytes */
	uint32_t b;		/* of all sums `a` after a byte */
};

/* Returns the sum of four lanes, the lowest taken w0 times, and so on. */
static uint32_t
add_lanes(uint64_t lanes, uint64_t w0, uint64_t w1, uint64_t w2, uint64_t w3)
{
	return (uint32_t)(lanes * (w0 << 48 | w1 << 32 | w2 << 16 | w3) >>
	    48);
}

/*
 * Adds a block.  Each of the eight bytes of a word has a lane of 16 bits, in
 * which it is summed up over the words.  `carried` adds up these sums before
 * each further word.  So a byte counts in b eight times for each later word,
 * and once for each byte from it to the end of its own word.
 */
static inline void
add_block(const unsigned char *bytes, struct sums *to)
{
	uint64_t even = 0, odd = 0, carried = 0, word;
	unsigned i;

	for (i = 0; i < BLOCK; i += 8) {
		word = bytes_word(bytes + i);
		carried += even + odd;
		even += word & LANES;
		odd += word >> 8 & LANES;
	}
	to->b += to->a * BLOCK + 8 * add_lanes(carried, 1, 1, 1, 1) +
	    add_lanes(even, 8, 6, 4, 2) + add_lanes(odd, 7, 5, 3, 1);
	to->a += add_lanes(even + odd, 1, 1, 1, 1);
}

/* Returns two sums, modulo the largest prime below 65,536 (RFC 1950, 9). */
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
zlib_unpack(struct str packed, unsigned char *out, size_t size)
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
