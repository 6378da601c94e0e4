/*
 * Bits are taken from the lowest of each byte on.  A block begins with one that
 * is set in the last block, and two that tell its kind (RFC 1951, 3.2.3):
 *
 *	0	to the next byte; LEN ~LEN, 2 bytes each; LEN bytes as they are
 *	1	symbols, in codes that all such blocks have
 *	2	HLIT:5 HDIST:5 HCLEN:4, lengths of codes, symbols in these codes
 *
 * A symbol below 256 is a byte, and 256 ends the block.  Any other is a length,
 * together with some bits that follow it.  Then a second symbol, with its bits,
 * is a distance: that far back, as many bytes as the length are copied:
 *
 *	97 98 99 <length 6, distance 3> 256	=> abcabcabc
 *
 * There are two ways through symbols.  The fast one needs a few bytes of input
 * and of room in hand, so that it can hold 56 bits or more, and write words.
 * The other one takes no byte before it needs it, and no bit before a symbol
 * is complete and there is room for it; so it can go on at any byte, and when
 * a stream ends, the next byte is the first one after it.
 */
#include <stdint.h>
#include <stdlib.h>

#include "bytes.h"
#include "deflate.h"
#include "mem.h"

/*
 * The input, and bits of it that were read and not taken yet.  They are taken
 * from the lowest on; above them may be any bits of what follows.
 */
struct bits {
	const unsigned char *in, *end;
	uint64_t held;
	unsigned count;		/* of bits held */
};

/* Holds `need` bits, or returns false; reads no byte that it does not need. */
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

/* Holds 56 bits or more; there must be 8 bytes of input. */
static inline void
bits_refill(struct bits *bits)
{
	bits->held |= bytes_word(bits->in) << bits->count;
	bits->in += (63 - bits->count) / 8;
	bits->count |= 56;
}

/* Gives back the bytes that are held, except the rest of one begun. */
static inline void
bits_give_back(struct bits *bits)
{
	bits->in -= bits->count / 8;
	bits->count %= 8;
	bits->held &= (1u << bits->count) - 1;
}

/*
 * Codes (RFC 1951, 3.2.2) as tables, in which the bits that come next find a
 * symbol.
 *
 * A symbol's code has 1 to 15 bits.  Extra bits may follow it, which are added
 * to the least length or distance that the symbol means.  A table has an entry
 * for each value of the next `width` bits, so that a shorter code has several,
 * one for each value of the bits after it.  Longer codes are in further tables,
 * one for each value of their first `width` bits.  An entry is a number:
 *
 *	31	   16 15   12 11   8 7		 0
 *	   value	kind    code  code and extra bits
 *
 * where value is a byte, the least length or distance, or the place at which a
 * further table begins; the other two fields count bits.
 */

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

/*
 * Codes follow from their lengths: shorter ones come first, and those of one
 * length in the order of their symbols, each by one more than the one before.
 * Their highest bit comes first, where all other numbers begin with the lowest.
 *
 *	a 2  b 1  c 3  d 3	=>	b 0  a 10  c 110  d 111
 */
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

static bool
huffman_literals(struct huffman_literals *table, const uint8_t *lengths,
    unsigned count)
{
	return make_table(table->entries, HUFFMAN_LITERAL_WIDTH, lengths,
	    count, literal_entry);
}

static bool
huffman_distances(struct huffman_distances *table, const uint8_t *lengths,
    unsigned count)
{
	return make_table(table->entries, HUFFMAN_DISTANCE_WIDTH, lengths,
	    count, distance_entry);
}

static bool
huffman_lengths(struct huffman_distances *table, const uint8_t *lengths,
    unsigned count)
{
	return make_table(table->entries, HUFFMAN_DISTANCE_WIDTH, lengths,
	    count, length_entry);
}

static void
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

#define WINDOW		32768		/* the largest distance */
#define PIECE		65536		/* is made at a time */
#define LENGTH_MAX	258
#define SYMBOL_BITS	48		/* of a length and a distance */

/* The fast way reads two words, and writes 3 bytes, a length and a word. */
#define FAST_INPUT	16
#define FAST_ROOM	(3 + LENGTH_MAX + 8)

enum step {
	BLOCK,			/* the start of a block is next */
	STORED_SIZE,
	STORED,
	COUNTS,			/* how many codes there are */
	KINDS,			/* lengths of codes of lengths */
	LENGTHS,
	SYMBOLS,
	END,
	DAMAGED
};

struct deflate {
	struct bits bits;
	enum step step;
	bool last;		/* this is the last block */
	unsigned char *start, *out, *end;	/* what is made */
	unsigned left;		/* bytes of a block that is stored */
	unsigned kinds, literals, distances;	/* codes */
	unsigned done;		/* of the lengths */
	uint8_t lengths[HUFFMAN_LITERALS + HUFFMAN_DISTANCES];
	struct huffman_literals literal_table;
	struct huffman_distances distance_table;	/* lengths' at first */
	bool is_fixed;		/* tables are those of fixed codes */
	unsigned char window[WINDOW + PIECE];
};

/* The reason why a step ends. */
enum pause { GO_ON, NO_INPUT, NO_ROOM };

static enum pause
go(struct deflate *deflate, enum step step)
{
	deflate->step = step;
	return GO_ON;
}

static enum pause
end_block(struct deflate *deflate)
{
	return go(deflate, deflate->last ? END : BLOCK);
}

static enum pause
begin_block(struct deflate *deflate)
{
	struct bits *bits = &deflate->bits;

	if (!bits_hold(bits, 3))
		return NO_INPUT;
	deflate->last = bits_take(bits, 1) != 0;
	switch (bits_take(bits, 2)) {
	case 0:
		bits_drop(bits, bits->count % 8);
		return go(deflate, STORED_SIZE);
	case 1:
		if (!deflate->is_fixed)
			huffman_fixed(&deflate->literal_table,
			    &deflate->distance_table);
		deflate->is_fixed = true;
		return go(deflate, SYMBOLS);
	case 2:
		return go(deflate, COUNTS);
	}
	return go(deflate, DAMAGED);
}

static enum pause
begin_stored(struct deflate *deflate)
{
	if (!bits_hold(&deflate->bits, 32))
		return NO_INPUT;
	deflate->left = bits_take(&deflate->bits, 16);
	return go(deflate, (deflate->left ^ bits_take(&deflate->bits, 16)) ==
	    0xffff ? STORED : DAMAGED);
}

static enum pause
copy_stored(struct deflate *deflate)
{
	struct bits *bits = &deflate->bits;
	size_t given = (size_t)(bits->end - bits->in);
	size_t room = (size_t)(deflate->end - deflate->out);
	size_t part = deflate->left;

	if (part > given)
		part = given;
	if (part > room)
		part = room;
	if (part > 0)
		memcpy(deflate->out, bits->in, part);
	bits->in += part;
	deflate->out += part;
	deflate->left -= (unsigned)part;
	if (deflate->left == 0)
		return end_block(deflate);
	return part == room ? NO_ROOM : NO_INPUT;
}

static enum pause
take_counts(struct deflate *deflate)
{
	if (!bits_hold(&deflate->bits, 14))
		return NO_INPUT;
	deflate->literals = bits_take(&deflate->bits, 5) + 257;
	deflate->distances = bits_take(&deflate->bits, 5) + 1;
	deflate->kinds = bits_take(&deflate->bits, 4) + 4;
	deflate->done = 0;
	memset(deflate->lengths, 0, HUFFMAN_LENGTHS);
	return go(deflate, deflate->literals > HUFFMAN_OWN_LITERALS ? DAMAGED :
	    KINDS);
}

/* Takes the lengths of codes of lengths of codes. */
static enum pause
take_kinds(struct deflate *deflate)
{
	static const uint8_t order[HUFFMAN_LENGTHS] = {
		16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1,
		15
	};

	for (; deflate->done < deflate->kinds; deflate->done++) {
		if (!bits_hold(&deflate->bits, 3))
			return NO_INPUT;
		deflate->lengths[order[deflate->done]] =
		    (uint8_t)bits_take(&deflate->bits, 3);
	}
	deflate->done = 0;
	deflate->is_fixed = false;
	return go(deflate, huffman_lengths(&deflate->distance_table,
	    deflate->lengths, HUFFMAN_LENGTHS) ? LENGTHS : DAMAGED);
}

/*
 * Holds a symbol's code and its extra bits, or returns false.  Bits that are
 * missing yet are 0, which may find another symbol, but only one whose code
 * needs more bits than are held.
 */
static bool
hold_literal(struct deflate *deflate, uint32_t *entry)
{
	struct bits *bits = &deflate->bits;

	do
		*entry = huffman_literal(&deflate->literal_table, bits->held);
	while (huffman_code(*entry) > bits->count &&
	    bits_hold(bits, bits->count + 1));
	return bits_hold(bits, huffman_bits(*entry));
}

/* Does the same with the other table, after `ahead` bits. */
static bool
hold_distance(struct deflate *deflate, unsigned ahead, uint32_t *entry)
{
	struct bits *bits = &deflate->bits;

	do
		*entry = huffman_distance(&deflate->distance_table,
		    bits->held >> ahead);
	while (ahead + huffman_code(*entry) > bits->count &&
	    bits_hold(bits, bits->count + 1));
	return bits_hold(bits, ahead + huffman_bits(*entry));
}

/* Adds a length several times; 16 is the last one, and others are 0 (3.2.7). */
static bool
add_lengths(struct deflate *deflate, unsigned length, unsigned repeat)
{
	unsigned done = deflate->done;

	if (repeat > deflate->literals + deflate->distances - done ||
	    (length == 16 && done == 0))
		return false;
	if (length >= 16)
		length = length == 16 ? deflate->lengths[done - 1] : 0;
	memset(deflate->lengths + done, (int)length, repeat);
	deflate->done += repeat;
	return true;
}

static enum pause
make_tables(struct deflate *deflate)
{
	return go(deflate, huffman_literals(&deflate->literal_table,
	    deflate->lengths, deflate->literals) &&
	    huffman_distances(&deflate->distance_table,
	    deflate->lengths + deflate->literals, deflate->distances) ?
	    SYMBOLS : DAMAGED);
}

/*
 * Takes lengths of codes, in a code of their own; 16 to 18, with the bits that
 * follow them, are several at once.
 */
static enum pause
take_lengths(struct deflate *deflate)
{
	static const uint8_t extra[] = { 2, 3, 7 }, least[] = { 3, 3, 11 };
	struct bits *bits = &deflate->bits;
	unsigned length, repeat;
	uint32_t entry;

	while (deflate->done < deflate->literals + deflate->distances) {
		if (!hold_distance(deflate, 0, &entry))
			return NO_INPUT;
		if ((entry & HUFFMAN_UNUSED) != 0)
			return go(deflate, DAMAGED);
		length = entry >> 16;
		if (length >= 16 && !bits_hold(bits,
		    huffman_bits(entry) + extra[length - 16]))
			return NO_INPUT;
		bits_drop(bits, huffman_bits(entry));
		repeat = length < 16 ? 1 : least[length - 16] +
		    bits_take(bits, extra[length - 16]);
		if (!add_lengths(deflate, length, repeat))
			return go(deflate, DAMAGED);
	}
	return make_tables(deflate);
}

/*
 * Copies `length` bytes from `distance` bytes before; up to seven more may be
 * written.
 */
static inline void
copy_back(unsigned char *out, size_t distance, size_t length)
{
	const unsigned char *from = out - distance, *stop = out + length;

	if (distance < 8) {
		do
			*out++ = *from++;
		while (out < stop);
		return;
	}
	do {
		memcpy(out, from, 8);
		out += 8;
		from += 8;
	} while (out < stop);
}

/* Takes a symbol that is a byte, if the entry is that of one. */
static inline bool
take_byte(struct bits *bits, unsigned char **out, uint32_t entry)
{
	if ((entry & HUFFMAN_LITERAL) == 0)
		return false;
	*(*out)++ = (unsigned char)(entry >> 16);
	bits_drop(bits, huffman_bits(entry));
	return true;
}

/*
 * Takes up to three symbols that are bytes of few bits, as most are; true if
 * another symbol is next, whose 48 bits are then held.
 */
static inline bool
take_bytes(const uint32_t *entries, struct bits *bits, unsigned char **out,
    uint32_t *entry)
{
	const unsigned width = HUFFMAN_LITERAL_WIDTH;

	bits_refill(bits);
	*entry = huffman_first(entries, width, bits->held);
	if (take_byte(bits, out, *entry)) {
		*entry = huffman_first(entries, width, bits->held);
		if (take_byte(bits, out, *entry)) {
			*entry = huffman_first(entries, width, bits->held);
			if (take_byte(bits, out, *entry))
				return false;
		}
		if (bits->count < SYMBOL_BITS)
			bits_refill(bits);
	}
	*entry = huffman_last(entries, width, bits->held, *entry);
	return !take_byte(bits, out, *entry);
}

/*
 * Expands symbols the fast way, as far as that is possible: one at least, so
 * all that was held before is taken, and what is given back was in the input.
 */
static enum pause
expand_fast(struct deflate *deflate)
{
	const struct huffman_distances *distances = &deflate->distance_table;
	const unsigned char *in_stop = deflate->bits.end - FAST_INPUT;
	const unsigned char *out_stop = deflate->end - FAST_ROOM;
	struct bits bits = deflate->bits;
	unsigned char *out = deflate->out;
	uint32_t entry = 0;
	unsigned length, distance;

	do {
		if (!take_bytes(deflate->literal_table.entries, &bits, &out,
		    &entry))
			continue;
		length = huffman_value(entry, bits.held);
		bits_drop(&bits, huffman_bits(entry));
		if ((entry & (HUFFMAN_END | HUFFMAN_UNUSED)) != 0)
			break;
		entry = huffman_distance(distances, bits.held);
		distance = huffman_value(entry, bits.held);
		bits_drop(&bits, huffman_bits(entry));
		if ((entry & HUFFMAN_UNUSED) != 0 ||
		    distance > (size_t)(out - deflate->start))
			return go(deflate, DAMAGED);
		copy_back(out, distance, length);
		out += length;
	} while (bits.in <= in_stop && out <= out_stop);
	bits_give_back(&bits);
	deflate->bits = bits;
	deflate->out = out;
	return (entry & HUFFMAN_UNUSED) != 0 ? go(deflate, DAMAGED) :
	    (entry & HUFFMAN_END) != 0 ? end_block(deflate) : GO_ON;
}

/* Copies a length, whose symbol and its bits are held. */
static enum pause
expand_length(struct deflate *deflate, uint32_t entry)
{
	struct bits *bits = &deflate->bits;
	unsigned ahead = huffman_bits(entry), length, distance;
	uint32_t back;

	if (!hold_distance(deflate, ahead, &back))
		return NO_INPUT;
	length = huffman_value(entry, bits->held);
	distance = huffman_value(back, bits->held >> ahead);
	if ((back & HUFFMAN_UNUSED) != 0 ||
	    distance > (size_t)(deflate->out - deflate->start))
		return go(deflate, DAMAGED);
	if (length > (size_t)(deflate->end - deflate->out))
		return NO_ROOM;
	bits_drop(bits, ahead + huffman_bits(back));
	for (; length > 0; length--, deflate->out++)
		*deflate->out = *(deflate->out - distance);
	return GO_ON;
}

/* Expands one symbol the slow way. */
static enum pause
expand_slowly(struct deflate *deflate)
{
	uint32_t entry;

	if (!hold_literal(deflate, &entry))
		return NO_INPUT;
	if ((entry & HUFFMAN_UNUSED) != 0)
		return go(deflate, DAMAGED);
	if ((entry & (HUFFMAN_LITERAL | HUFFMAN_END)) == 0)
		return expand_length(deflate, entry);
	if ((entry & HUFFMAN_LITERAL) != 0) {
		if (deflate->out == deflate->end)
			return NO_ROOM;
		*deflate->out++ = (unsigned char)(entry >> 16);
	}
	bits_drop(&deflate->bits, huffman_bits(entry));
	return (entry & HUFFMAN_END) != 0 ? end_block(deflate) : GO_ON;
}

static enum pause
expand(struct deflate *deflate)
{
	return deflate->bits.end - deflate->bits.in >= FAST_INPUT &&
	    deflate->end - deflate->out >= FAST_ROOM ?
	    expand_fast(deflate) : expand_slowly(deflate);
}

/* Unpacks as far as the input, or the room, goes. */
static enum deflate_state
run(struct deflate *deflate)
{
	static enum pause (*const steps[])(struct deflate *) = {
		[BLOCK] = begin_block, [STORED_SIZE] = begin_stored,
		[STORED] = copy_stored, [COUNTS] = take_counts,
		[KINDS] = take_kinds, [LENGTHS] = take_lengths,
		[SYMBOLS] = expand
	};
	enum pause pause = GO_ON;

	while (pause == GO_ON && deflate->step < END)
		pause = steps[deflate->step](deflate);
	return deflate->step == END ? DEFLATE_END :
	    deflate->step == DAMAGED ? DEFLATE_DAMAGED :
	    pause == NO_INPUT ? DEFLATE_INPUT : DEFLATE_ROOM;
}

/* Runs on input, which it takes. */
static enum deflate_state
run_on(struct deflate *deflate, struct str *packed)
{
	enum deflate_state state;

	deflate->bits.in = (const unsigned char *)packed->data;
	deflate->bits.end = deflate->bits.in + packed->len;
	state = run(deflate);
	packed->data = (const char *)deflate->bits.in;
	packed->len = (size_t)(deflate->bits.end - deflate->bits.in);
	return state;
}

struct deflate *
deflate_new(void)
{
	struct deflate *deflate = mem_array(1, sizeof(*deflate));

	deflate_begin(deflate);
	return deflate;
}

/* Begins a stream whose bytes go into this memory. */
static void
begin(struct deflate *deflate, unsigned char *out, size_t size)
{
	deflate->bits = (struct bits){ 0 };
	deflate->step = BLOCK;
	deflate->start = deflate->out = out;
	deflate->end = out + size;
}

void
deflate_begin(struct deflate *deflate)
{
	begin(deflate, deflate->window, sizeof(deflate->window));
}

enum deflate_state
deflate_next(struct deflate *deflate, struct str *packed,
    struct str *unpacked)
{
	const unsigned char *from;
	enum deflate_state state;

	if (deflate->end - deflate->out < PIECE / 2) {
		memmove(deflate->start, deflate->out - WINDOW, WINDOW);
		deflate->out = deflate->start + WINDOW;
	}
	from = deflate->out;
	state = run_on(deflate, packed);
	*unpacked = (struct str){ (const char *)from,
	    (size_t)(deflate->out - from) };
	return state;
}

bool
deflate_all(struct str *packed, unsigned char *out, size_t size,
    size_t *made)
{
	struct deflate *deflate = deflate_new();
	enum deflate_state state;

	begin(deflate, out, size);
	state = run_on(deflate, packed);
	*made = (size_t)(deflate->out - deflate->start);
	free(deflate);
	return state == DEFLATE_END;
}
