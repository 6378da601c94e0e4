/*
 * huffman: the codes of DEFLATE (RFC 1951, 3.2.2) as tables, in which the bits
 * that come next find a symbol.
 *
 * A symbol's code has 1 to 15 bits, and symbols have extra bits behind it,
 * which are added to the least length or distance that the symbol means.  A
 * table has an entry for each value of the next `width` bits, so a code of
 * fewer has one for each end that others may give it.  Codes that are longer
 * than the table is wide are in further tables behind it, one for each start
 * of so many bits.  An entry is a number:
 *
 *	31	   16 15   12 11   8 7		 0
 *	   value	kind    code  code and extra bits
 *
 * where value is a byte, the least length or distance, or where a further table
 * begins, and the other two say how many bits there are.
 */
#ifndef HUFFMAN_H
#define HUFFMAN_H

#include <stdbool.h>
#include <stdint.h>

#define HUFFMAN_BITS		15	/* the longest code */
#define HUFFMAN_LITERALS	288	/* symbols of the first kind */
#define HUFFMAN_OWN_LITERALS	286	/* unless the code is the fixed one */
#define HUFFMAN_DISTANCES	32
#define HUFFMAN_LENGTHS		19	/* kinds of lengths of codes */

#define HUFFMAN_LITERAL_WIDTH	11	/* bits that find most symbols */
#define HUFFMAN_DISTANCE_WIDTH	8

/* A further table holds a code at least, so there are not more than codes. */
#define HUFFMAN_ROOM(width, symbols) \
	((1 << (width)) + ((symbols) << (HUFFMAN_BITS - (width))))

/* An entry's kind; that of a length, or distance, is 0. */
enum {
	HUFFMAN_LITERAL = 0x8000,	/* a byte */
	HUFFMAN_END = 0x4000,		/* of a block */
	HUFFMAN_FURTHER = 0x2000,
	HUFFMAN_UNUSED = 0x1000		/* no code begins so */
};

struct huffman_literals {
	uint32_t entries[HUFFMAN_ROOM(HUFFMAN_LITERAL_WIDTH,
	    HUFFMAN_LITERALS)];
};

struct huffman_distances {
	uint32_t entries[HUFFMAN_ROOM(HUFFMAN_DISTANCE_WIDTH,
	    HUFFMAN_DISTANCES)];
};

/*
 * Make the table of a code whose symbols have codes of these lengths, or none
 * where one is 0; false if there are more codes than can be told apart.  The
 * third kind is of lengths of codes, whose entries are like those of bytes.
 */
bool huffman_literals(struct huffman_literals *table, const uint8_t *lengths,
    unsigned count);
bool huffman_distances(struct huffman_distances *table,
    const uint8_t *lengths, unsigned count);
bool huffman_lengths(struct huffman_distances *table, const uint8_t *lengths,
    unsigned count);

/* Makes the tables that all blocks of one kind have (3.2.6). */
void huffman_fixed(struct huffman_literals *literals,
    struct huffman_distances *distances);

/* Returns what the next bits find: mostly a symbol, else a further table. */
static inline uint32_t
huffman_first(const uint32_t *entries, unsigned width, uint64_t bits)
{
	return entries[bits & ((1u << width) - 1)];
}

/* Returns the entry of the symbol that this led to, or was. */
static inline uint32_t
huffman_last(const uint32_t *entries, unsigned width, uint64_t bits,
    uint32_t entry)
{
	return (entry & HUFFMAN_FURTHER) == 0 ? entry :
	    entries[(entry >> 16) + (bits >> width &
	    ((1u << (HUFFMAN_BITS - width)) - 1))];
}

/* Return the entry of the symbol that these bits, 15 or more, begin with. */
static inline uint32_t
huffman_literal(const struct huffman_literals *table, uint64_t bits)
{
	return huffman_last(table->entries, HUFFMAN_LITERAL_WIDTH, bits,
	    huffman_first(table->entries, HUFFMAN_LITERAL_WIDTH, bits));
}

static inline uint32_t
huffman_distance(const struct huffman_distances *table, uint64_t bits)
{
	return huffman_last(table->entries, HUFFMAN_DISTANCE_WIDTH, bits,
	    huffman_first(table->entries, HUFFMAN_DISTANCE_WIDTH, bits));
}

/* Returns how many bits a symbol's code has, and how many all of it. */
static inline unsigned
huffman_code(uint32_t entry)
{
	return entry >> 8 & 15;
}

static inline unsigned
huffman_bits(uint32_t entry)
{
	return entry & 63;
}

/* Returns the length or distance of the symbol that these bits begin with. */
static inline unsigned
huffman_value(uint32_t entry, uint64_t bits)
{
	return (entry >> 16) + (unsigned)((bits &
	    ((UINT64_C(1) << huffman_bits(entry)) - 1)) >> huffman_code(entry));
}

#endif
