/*
 * A stream is blocks between two bytes that say what it is and four that sum up
 * what it makes, which is the one number whose first byte is the highest:
 *
 *	78 9c  block ... block  adler32			RFC 1950, 2.2
 *
 * Bits are taken from the lowest of each byte on.  A block begins with one that
 * is set in the last block, and two that tell its kind (RFC 1951, 3.2.3):
 *
 *	0	up to the next byte; LEN ~LEN, 2 bytes each; LEN bytes as they are
 *	1	symbols, in codes that all such blocks have
 *	2	HLIT:5 HDIST:5 HCLEN:4, lengths of codes, symbols in these codes
 *
 * A symbol below 256 is a byte, 256 ends the block, and others with some bits
 * behind them are a length; a second symbol with its bits then tells how far
 * back in what was made so many bytes are to be taken from:
 *
 *	97 98 99 <length 6, distance 3> 256	=> abcabcabc
 *
 * A code of n bits is looked up by the next bits in a table, which has an entry
 * for each end that others may give them.  Codes that are longer than the table
 * is wide are in further tables, one for each start of so many bits.
 */
#include <stdlib.h>

#include "bytes.h"
#include "inflate.h"
#include "mem.h"

#define CODE_BITS	15		/* the longest code */
#define LITERALS	288		/* symbols of the first kind */
#define DISTANCES	32
#define LENGTHS		19		/* kinds of lengths of codes */
#define END_OF_BLOCK	256

#define LITERAL_WIDTH	11		/* bits that find most symbols */
#define DISTANCE_WIDTH	8

/* A further table holds a code at least, so there are not more than codes. */
#define LITERAL_ROOM	((1 << LITERAL_WIDTH) + \
    LITERALS * (1 << (CODE_BITS - LITERAL_WIDTH)))
#define DISTANCE_ROOM	((1 << DISTANCE_WIDTH) + \
    DISTANCES * (1 << (CODE_BITS - DISTANCE_WIDTH)))

/* What an entry is; numbers below 16 are the extra bits of a length. */
enum { LITERAL = 16, END = 17, FURTHER = 18, UNUSED = 19 };

struct entry {
	uint16_t value;		/* a byte, the least length or distance, or
				   where a further table begins */
	uint8_t kind;
	uint8_t bits;		/* of the code; 0: no code begins so */
};

struct stream {
	struct bytes packed;
	uint64_t held;		/* bits that were read and not yet taken */
	unsigned count;		/* of these */
	unsigned char *start, *out, *end;	/* what is made */
	struct entry literals[LITERAL_ROOM];
	struct entry distances[DISTANCE_ROOM];
};

/* Holds 56 bits or more, unless the input ends before. */
static inline void
refill(struct stream *stream)
{
	struct bytes *packed = &stream->packed;

	if (bytes_left(packed) >= sizeof(uint64_t)) {
		struct bytes ahead = *packed;

		stream->held |= bytes_u64(&ahead) << stream->count;
		packed->next += (63 - stream->count) / 8;
		stream->count |= 56;
		return;
	}
	while (stream->count <= 56 && bytes_left(packed) > 0) {
		stream->held |= (uint64_t)bytes_u8(packed) << stream->count;
		stream->count += 8;
	}
}

/* Takes bits that are held; 0 where the input has ended. */
static inline unsigned
take_held(struct stream *stream, unsigned bits)
{
	unsigned taken = (unsigned)(stream->held &
	    ((UINT64_C(1) << bits) - 1));

	if (bits > stream->count) {
		bytes_fail(&stream->packed);
		return 0;
	}
	stream->held >>= bits;
	stream->count -= bits;
	return taken;
}

static unsigned
take_bits(struct stream *stream, unsigned bits)
{
	refill(stream);
	return take_held(stream, bits);
}

/* The extra bits and the least value of symbols (RFC 1951, 3.2.5). */
static const uint8_t length_bits[] = {
	0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3,
	4, 4, 4, 4, 5, 5, 5, 5, 0
};
static const uint16_t length_base[] = {
	3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51,
	59, 67, 83, 99, 115, 131, 163, 195, 227, 258
};
static const uint8_t distance_bits[] = {
	0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9,
	10, 10, 11, 11, 12, 12, 13, 13
};
static const uint16_t distance_base[] = {
	1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385,
	513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577
};

static struct entry
literal_entry(unsigned symbol)
{
	unsigned length = symbol - END_OF_BLOCK - 1;

	if (symbol < END_OF_BLOCK)
		return (struct entry){ (uint16_t)symbol, LITERAL, 0 };
	if (symbol == END_OF_BLOCK)
		return (struct entry){ 0, END, 0 };
	return length < sizeof(length_bits) ? (struct entry){
	    length_base[length], length_bits[length], 0 } :
	    (struct entry){ 0, UNUSED, 0 };
}

static struct entry
distance_entry(unsigned symbol)
{
	return symbol < sizeof(distance_bits) ? (struct entry){
	    distance_base[symbol], distance_bits[symbol], 0 } :
	    (struct entry){ 0, UNUSED, 0 };
}

/* A code of lengths of codes is a number, as a literal is. */
static struct entry
length_entry(unsigned symbol)
{
	return (struct entry){ (uint16_t)symbol, LITERAL, 0 };
}

/* Returns the bits in the opposite order. */
static unsigned
reversed(unsigned code, unsigned bits)
{
	unsigned other = 0;

	for (; bits > 0; bits--, code >>= 1)
		other = other << 1 | (code & 1);
	return other;
}

/*
 * Stores the first code of each length, where lengths[] are those of all
 * symbols; false if there are more codes than can be told apart.
 */
static bool
first_codes(const uint8_t *lengths, unsigned symbols, unsigned *next)
{
	unsigned counts[CODE_BITS + 1] = { 0 }, i, code = 0;

	for (i = 0; i < symbols; i++)
		counts[lengths[i]]++;
	counts[0] = 0;
	for (i = 1; i <= CODE_BITS; i++) {
		code = (code + counts[i - 1]) << 1;
		next[i] = code;
		if (code + counts[i] > 1u << i)
			return false;
	}
	return true;
}

/* Stores an entry under all bits that may follow its code. */
static void
spread(struct entry *table, unsigned width, unsigned code, struct entry entry,
    unsigned bits)
{
	unsigned i;

	for (i = code; i < 1u << width; i += 1u << bits)
		table[i] = entry;
}

/* Returns the table for codes of more than `width` bits that begin like one. */
static struct entry *
further_table(struct entry *table, unsigned width, unsigned code, size_t *used)
{
	struct entry *link = &table[code & ((1u << width) - 1)];

	if (link->bits == 0) {
		*link = (struct entry){ (uint16_t)*used, FURTHER,
		    (uint8_t)width };
		memset(&table[*used], 0,
		    sizeof(*table) << (CODE_BITS - width));
		*used += (size_t)1 << (CODE_BITS - width);
	}
	return &table[link->value];
}

/* Makes the table of a code, whose symbols have codes of these lengths. */
static bool
make_table(struct entry *table, unsigned width, const uint8_t *lengths,
    unsigned symbols, struct entry (*entry_of)(unsigned))
{
	unsigned next[CODE_BITS + 1] = { 0 }, i, bits, code;
	size_t used = (size_t)1 << width;
	struct entry entry;

	if (!first_codes(lengths, symbols, next))
		return false;
	memset(table, 0, used * sizeof(*table));
	for (i = 0; i < symbols; i++) {
		bits = lengths[i];
		if (bits == 0)
			continue;
		code = reversed(next[bits]++, bits);
		entry = entry_of(i);
		entry.bits = (uint8_t)bits;
		if (bits <= width)
			spread(table, width, code, entry, bits);
		else
			spread(further_table(table, width, code, &used),
			    CODE_BITS - width, code >> width, entry,
			    bits - width);
	}
	return true;
}

/* Takes the next symbol of those held, without its extra bits. */
static inline struct entry
take_symbol(struct stream *stream, const struct entry *table, unsigned width)
{
	struct entry entry = table[stream->held & ((1u << width) - 1)];

	if (entry.kind == FURTHER)
		entry = table[entry.value + (stream->held >> width &
		    ((1u << (CODE_BITS - width)) - 1))];
	if (entry.bits == 0 || entry.bits > stream->count) {
		bytes_fail(&stream->packed);
		return (struct entry){ 0, UNUSED, 0 };
	}
	stream->held >>= entry.bits;
	stream->count -= entry.bits;
	return entry;
}

/*
 * Adds `length` bytes from `distance` bytes before.  Eight at a time may write
 * more than that, but not beyond the end.
 */
static inline bool
copy_back(struct stream *stream, unsigned length, unsigned distance)
{
	unsigned char *out = stream->out;
	const unsigned char *from;
	size_t room = (size_t)(stream->end - out);

	if (distance > (size_t)(out - stream->start) || length > room)
		return false;
	from = out - distance;
	stream->out += length;
	if (distance >= 8 && room - length >= 8) {
		for (; out < stream->out; out += 8, from += 8)
			memcpy(out, from, 8);
		return true;
	}
	while (length-- > 0)
		*out++ = *from++;
	return true;
}

/* Makes what the symbols of a block say; false if they make no sense. */
static bool
expand(struct stream *stream)
{
	struct entry entry;
	unsigned length;

	for (;;) {
		refill(stream);
		entry = take_symbol(stream, stream->literals, LITERAL_WIDTH);
		if (entry.kind == LITERAL) {
			if (stream->out == stream->end)
				return false;
			*stream->out++ = (unsigned char)entry.value;
			continue;
		}
		if (entry.kind == END)
			return true;
		if (entry.kind == UNUSED)
			return false;
		length = entry.value + take_held(stream, entry.kind);
		entry = take_symbol(stream, stream->distances, DISTANCE_WIDTH);
		if (entry.kind == UNUSED || !copy_back(stream, length,
		    entry.value + take_held(stream, entry.kind)))
			return false;
	}
}

/* Makes the tables that all blocks of the second kind have (3.2.6). */
static void
make_fixed_tables(struct stream *stream)
{
	uint8_t lengths[LITERALS];
	unsigned i;

	for (i = 0; i < LITERALS; i++)
		lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
	make_table(stream->literals, LITERAL_WIDTH, lengths, LITERALS,
	    literal_entry);
	memset(lengths, 5, DISTANCES);
	make_table(stream->distances, DISTANCE_WIDTH, lengths, DISTANCES,
	    distance_entry);
}

/*
 * Takes lengths of codes, in a code of their own; 16 repeats the last one, 17
 * and 18 are many that are 0 (3.2.7).
 */
static bool
take_lengths(struct stream *stream, uint8_t *lengths, unsigned count)
{
	struct entry entry;
	unsigned done = 0, repeat;
	uint8_t length;

	while (done < count) {
		refill(stream);
		entry = take_symbol(stream, stream->distances, DISTANCE_WIDTH);
		if (entry.kind != LITERAL)
			return false;
		if (entry.value < 16) {
			lengths[done++] = (uint8_t)entry.value;
			continue;
		}
		if (entry.value == 16 && done == 0)
			return false;
		length = entry.value == 16 ? lengths[done - 1] : 0;
		repeat = entry.value == 16 ? 3 + take_held(stream, 2) :
		    entry.value == 17 ? 3 + take_held(stream, 3) :
		    11 + take_held(stream, 7);
		if (repeat > count - done)
			return false;
		memset(lengths + done, length, repeat);
		done += repeat;
	}
	return true;
}

/* Makes the tables that a block of the third kind begins with. */
static bool
take_tables(struct stream *stream)
{
	static const uint8_t order[LENGTHS] = {
		16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1,
		15
	};
	uint8_t lengths[LITERALS + DISTANCES] = { 0 };
	unsigned literals = take_bits(stream, 5) + 257;
	unsigned distances = take_bits(stream, 5) + 1;
	unsigned kinds = take_bits(stream, 4) + 4, i;

	for (i = 0; i < kinds; i++)
		lengths[order[i]] = (uint8_t)take_bits(stream, 3);
	if (literals > LITERALS ||
	    !make_table(stream->distances, DISTANCE_WIDTH, lengths, LENGTHS,
	    length_entry))
		return false;
	memset(lengths, 0, LENGTHS);
	return take_lengths(stream, lengths, literals + distances) &&
	    make_table(stream->literals, LITERAL_WIDTH, lengths, literals,
	    literal_entry) &&
	    make_table(stream->distances, DISTANCE_WIDTH, lengths + literals,
	    distances, distance_entry);
}

/* Gives back the bytes that are held, but for the rest of one begun. */
static void
align(struct stream *stream)
{
	take_held(stream, stream->count % 8);
	stream->packed.next -= stream->count / 8;
	stream->held = stream->count = 0;
}

static bool
copy_stored(struct stream *stream)
{
	struct str bytes;
	uint16_t len, check;

	align(stream);
	len = bytes_u16(&stream->packed);
	check = bytes_u16(&stream->packed);
	bytes = bytes_text(&stream->packed, len);
	if (stream->packed.failed || (len ^ check) != 0xffff ||
	    len > stream->end - stream->out)
		return false;
	memcpy(stream->out, bytes.data, len);
	stream->out += len;
	return true;
}

static bool
read_block(struct stream *stream)
{
	switch (take_bits(stream, 2)) {
	case 0:
		return copy_stored(stream);
	case 1:
		make_fixed_tables(stream);
		return expand(stream);
	case 2:
		return take_tables(stream) && expand(stream);
	}
	return false;
}

/* Two sums, which are far from their limit for 5,552 bytes (RFC 1950, 9). */
static uint32_t
adler32(const unsigned char *bytes, size_t len)
{
	uint32_t a = 1, b = 0;
	size_t part;

	while (len > 0) {
		part = len < 5552 ? len : 5552;
		len -= part;
		for (; part > 0; part--) {
			a += *bytes++;
			b += a;
		}
		a %= 65521;
		b %= 65521;
	}
	return b << 16 | a;
}

/* True if what was made is of the right size and has the right sum. */
static bool
check(struct stream *stream)
{
	uint32_t sum;

	align(stream);
	sum = (uint32_t)bytes_u8(&stream->packed) << 24;
	sum |= (uint32_t)bytes_u8(&stream->packed) << 16;
	sum |= (uint32_t)bytes_u8(&stream->packed) << 8;
	sum |= bytes_u8(&stream->packed);
	return !stream->packed.failed && stream->out == stream->end &&
	    sum == adler32(stream->start,
	    (size_t)(stream->end - stream->start));
}

bool
inflate(struct str packed, unsigned char *out, size_t size)
{
	struct stream *stream = mem_array(1, sizeof(*stream));
	unsigned method, flags;
	bool last, fine;

	stream->packed = bytes_from(packed);
	stream->start = stream->out = out;
	stream->end = out + size;
	method = bytes_u8(&stream->packed);
	flags = bytes_u8(&stream->packed);
	/* DEFLATE, a window of 32 KB at most, no dictionary */
	fine = (method & 15) == 8 && method >> 4 <= 7 &&
	    (method << 8 | flags) % 31 == 0 && (flags & 0x20) == 0;
	for (last = false; fine && !last;) {
		last = take_bits(stream, 1) != 0;
		fine = read_block(stream) && !stream->packed.failed;
	}
	fine = fine && check(stream);
	free(stream);
	return fine;
}
