/*
 * Codes follow from their lengths: shorter ones come first, and those of one
 * length in the order of their symbols, each by one more than the one before.
 * Their highest bit comes first, where all other numbers begin with the lowest.
 *
 *	a 2  b 1  c 3  d 3	=>	b 0  a 10  c 110  d 111
 */
#include <string.h>

#include "huffman.h"

#define END_OF_BLOCK	256
#define NO_CODE		(HUFFMAN_UNUSED | HUFFMAN_BITS << 8 | HUFFMAN_BITS)

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

static uint32_t
make_entry(unsigned value, unsigned kind, unsigned extra)
{
	return (uint32_t)value << 16 | kind | extra;
}

/* Return the entry of a symbol, whose code has no bits yet. */
static uint32_t
literal_entry(unsigned symbol)
{
	unsigned length = symbol - END_OF_BLOCK - 1;

	if (symbol < END_OF_BLOCK)
		return make_entry(symbol, HUFFMAN_LITERAL, 0);
	if (symbol == END_OF_BLOCK)
		return make_entry(0, HUFFMAN_END, 0);
	return length < sizeof(length_bits) ?
	    make_entry(length_base[length], 0, length_bits[length]) :
	    make_entry(0, HUFFMAN_UNUSED, 0);
}

static uint32_t
distance_entry(unsigned symbol)
{
	return symbol < sizeof(distance_bits) ?
	    make_entry(distance_base[symbol], 0, distance_bits[symbol]) :
	    make_entry(0, HUFFMAN_UNUSED, 0);
}

static uint32_t
length_entry(unsigned symbol)
{
	return make_entry(symbol, HUFFMAN_LITERAL, 0);
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

/* Stores the first code of each length; false if they are too many. */
static bool
first_codes(const uint8_t *lengths, unsigned symbols, unsigned *next)
{
	unsigned counts[HUFFMAN_BITS + 1] = { 0 }, i, code = 0;

	for (i = 0; i < symbols; i++)
		counts[lengths[i]]++;
	counts[0] = 0;
	for (i = 1; i <= HUFFMAN_BITS; i++) {
		code = (code + counts[i - 1]) << 1;
		next[i] = code;
		if (code + counts[i] > 1u << i)
			return false;
	}
	return true;
}

static void
clear(uint32_t *entries, unsigned count)
{
	while (count-- > 0)
		*entries++ = NO_CODE;
}

/* Stores an entry under all bits that may follow its code. */
static void
spread(uint32_t *table, unsigned width, unsigned code, uint32_t entry,
    unsigned bits)
{
	unsigned i;

	for (i = code; i < 1u << width; i += 1u << bits)
		table[i] = entry;
}

/* Returns the table for codes of more than `width` bits that begin like one. */
static uint32_t *
further_table(uint32_t *table, unsigned width, unsigned code, unsigned *used)
{
	uint32_t *link = &table[code & ((1u << width) - 1)];

	if (*link == NO_CODE) {
		*link = make_entry(*used, HUFFMAN_FURTHER, 0);
		clear(&table[*used], 1u << (HUFFMAN_BITS - width));
		*used += 1u << (HUFFMAN_BITS - width);
	}
	return &table[*link >> 16];
}

static bool
make_table(uint32_t *table, unsigned width, const uint8_t *lengths,
    unsigned symbols, uint32_t (*entry_of)(unsigned))
{
	unsigned next[HUFFMAN_BITS + 1] = { 0 }, i, bits, code;
	unsigned used = 1u << width;
	uint32_t entry;

	if (!first_codes(lengths, symbols, next))
		return false;
	clear(table, used);
	for (i = 0; i < symbols; i++) {
		bits = lengths[i];
		if (bits == 0)
			continue;
		code = reversed(next[bits]++, bits);
		entry = (entry_of(i) | bits << 8) + bits;
		if (bits <= width)
			spread(table, width, code, entry, bits);
		else
			spread(further_table(table, width, code, &used),
			    HUFFMAN_BITS - width, code >> width, entry,
			    bits - width);
	}
	return true;
}

bool
huffman_literals(struct huffman_literals *table, const uint8_t *lengths,
    unsigned count)
{
	return make_table(table->entries, HUFFMAN_LITERAL_WIDTH, lengths,
	    count, literal_entry);
}

bool
huffman_distances(struct huffman_distances *table, const uint8_t *lengths,
    unsigned count)
{
	return make_table(table->entries, HUFFMAN_DISTANCE_WIDTH, lengths,
	    count, distance_entry);
}

bool
huffman_lengths(struct huffman_distances *table, const uint8_t *lengths,
    unsigned count)
{
	return make_table(table->entries, HUFFMAN_DISTANCE_WIDTH, lengths,
	    count, length_entry);
}

void
huffman_fixed(struct huffman_literals *literals,
    struct huffman_distances *distances)
{
	uint8_t lengths[HUFFMAN_LITERALS];
	unsigned i;

	for (i = 0; i < HUFFMAN_LITERALS; i++)
		lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
	huffman_literals(literals, lengths, HUFFMAN_LITERALS);
	memset(lengths, 5, HUFFMAN_DISTANCES);
	huffman_distances(distances, lengths, HUFFMAN_DISTANCES);
}
