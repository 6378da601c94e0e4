/*
 * Bits are taken from the lowest of each byte on.  A block begins with one that
 * is set in the last block, and two that tell its kind (RFC 1951, 3.2.3):
 *
 *	0	to the next byte; LEN ~LEN, 2 bytes each; LEN bytes as they are
 *	1	symbols, in codes that all such blocks have
 *	2	HLIT:5 HDIST:5 HCLEN:4, lengths of codes, symbols in these codes
 *
 * A symbol below 256 is a byte, 256 ends the block, and others with some bits
 * behind them are a length; a second symbol with its bits then tells how far
 * back in what was made so many bytes are to be taken from:
 *
 *	97 98 99 <length 6, distance 3> 256	=> abcabcabc
 *
 * There are two ways through symbols.  The fast one needs a few bytes of input
 * and of room in hand, so that it can hold 56 bits or more, and write words.
 * The other one takes no byte before it needs it, and no bit before a symbol
 * is complete and there is room for it; so it can go on at any byte, and when
 * a stream ends, the next byte is the first one behind it.
 */
#include <stdlib.h>

#include "bits.h"
#include "deflate.h"
#include "huffman.h"
#include "mem.h"

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
	bool last;		/* this block is */
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

/* Why a step ends. */
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
 * Holds a symbol's code, if there is, and its extra bits.  Bits that are not
 * there yet are 0, which may find another symbol, but none with so few bits.
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

/* The same of the other table, behind so many bits. */
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

/* Adds a length so many times; 16 is the last one, and others are 0 (3.2.7). */
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
 * Takes lengths of codes, in a code of their own; 16 to 18, with bits behind
 * them, are several at once.
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
 * Takes up to three symbols that are bytes, as they mostly are, and have few
 * bits; true if the next one is another, whose 48 bits are held.
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
	uint32_t behind;

	if (!hold_distance(deflate, ahead, &behind))
		return NO_INPUT;
	length = huffman_value(entry, bits->held);
	distance = huffman_value(behind, bits->held >> ahead);
	if ((behind & HUFFMAN_UNUSED) != 0 ||
	    distance > (size_t)(deflate->out - deflate->start))
		return go(deflate, DAMAGED);
	if (length > (size_t)(deflate->end - deflate->out))
		return NO_ROOM;
	bits_drop(bits, ahead + huffman_bits(behind));
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
