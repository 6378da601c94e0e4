/*
 * Bits are taken from the lowest of each byte on.  A block begins with one that
 * is set in the last block, and two for its kind (RFC 1951, 3.2.3):
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
 */
#include <stdint.h>

#include "bytes.h"
#include "gzip.h"
#include "mem.h"

/*
 * The input, and its bits that were read and not taken yet.  The lowest are
 * taken first; above them may be any bits of what follows.  Zeros follow the
 * end of the input, so that no other code has to look for it: a stream is cut
 * if some of these zeros were taken.
 */
struct bits {
	const unsigned char *in, *end;
	uint64_t held;
	unsigned count;		/* of bits held */
	unsigned missing;	/* zeros that were held after the end */
	deflate_reader *reader;	/* NULL after the end */
	void *context;
};

/* Holds 56 bits or more, byte by byte. */
static void
bits_fill(struct bits *bits)
{
	struct str input;

	for (; bits->count < 56; bits->count += 8) {
		if (bits->in == bits->end && bits->reader != NULL) {
			if (!bits->reader(bits->context, &input)) {
				bits->reader = NULL;
				input = STR("");
			}
			bits->in = (const unsigned char *)input.data;
			bits->end = bits->in + input.len;
		}
		if (bits->in == bits->end)
			bits->missing += 8;
		else
			bits->held |= (uint64_t)*bits->in++ << bits->count;
	}
}

static inline bool
bits_have_word(const struct bits *bits)
{
	return bits->end - bits->in >= 8;
}

/* Holds 56 bits or more; there must be a word. */
static inline void
bits_refill(struct bits *bits)
{
	bits->held |= bytes_word(bits->in) << bits->count;
	bits->in += (63 - bits->count) / 8;
	bits->count |= 56;
}

/* Takes bits that are held. */
static inline void
bits_drop(struct bits *bits, unsigned count)
{
	bits->held >>= count;
	bits->count -= count;
}

/* Takes up to 16 bits. */
static unsigned
bits_take(struct bits *bits, unsigned count)
{
	unsigned taken;

	if (bits->count < count)
		bits_fill(bits);
	taken = (unsigned)(bits->held & ((1u << count) - 1));
	bits_drop(bits, count);
	return taken;
}

/* True if bits were taken that the input lacks. */
static bool
bits_are_cut(const struct bits *bits)
{
	return bits->missing > bits->count;
}

/*
 * Codes (RFC 1951, 3.2.2) as tables, in which the next bits find a symbol.
 *
 * A symbol's code has 1 to 15 bits.  Extra bits may follow it; they are added
 * to the least length or distance that the symbol means.  A table has an entry
 * for each value of the next WIDTH bits, so that a shorter code has several,
 * one for each value of the bits after it.  Longer codes are in further tables,
 * one for each value of their first WIDTH bits.  An entry is a number:
 *
 *	31	   16 15   12 11   8 7		 0
 *	   value	kind    code  code and extra bits
 *
 * where value is a byte, the least length or distance, or the place at which a
 * further table begins; the other two fields count bits.
 */
#define LITERALS	288	/* symbols of the first kind */
#define DISTANCES	32
#define KINDS		19	/* of lengths of codes */
#define END_OF_BLOCK	256
#define LENGTHS		29

#define CODE_BITS	15	/* the longest code */
#define WIDTH		10	/* bits that find most symbols */
#define FURTHER_SIZE	(1u << (CODE_BITS - WIDTH))

/* An entry's kind; 0 for a length or distance. */
enum {
	LITERAL = 0x8000,	/* a byte */
	END = 0x4000,		/* of a block */
	FURTHER = 0x2000,
	UNUSED = 0x1000		/* no code begins so */
};

#define NO_CODE		(UNUSED | CODE_BITS << 8 | CODE_BITS)

/* A further table holds a code at least, so there are not more than codes. */
struct codes {
	uint32_t entries[(1u << WIDTH) + LITERALS * FURTHER_SIZE];
};

/* Returns what the next bits find: mostly a symbol, else a further table. */
static inline uint32_t
codes_first(const struct codes *codes, uint64_t bits)
{
	return codes->entries[bits & ((1u << WIDTH) - 1)];
}

/* Returns the entry of the symbol that this led to, or was. */
static inline uint32_t
codes_last(const struct codes *codes, uint64_t bits, uint32_t entry)
{
	return (entry & FURTHER) == 0 ? entry :
	    codes->entries[(entry >> 16) + (bits >> WIDTH &
	    (FURTHER_SIZE - 1))];
}

/* Returns the entry of the symbol that these bits, 15 or more, begin with. */
static inline uint32_t
codes_find(const struct codes *codes, uint64_t bits)
{
	return codes_last(codes, bits, codes_first(codes, bits));
}

/* Returns how many bits a symbol has, with the extra ones. */
static inline unsigned
entry_bits(uint32_t entry)
{
	return entry & 63;
}

/* Takes a symbol's bits; returns the length or distance that it means. */
static inline unsigned
take_value(struct bits *bits, uint32_t entry)
{
	unsigned code = entry >> 8 & 15, all = entry_bits(entry);
	uint64_t extra = bits->held & ((UINT64_C(1) << all) - 1);

	bits_drop(bits, all);
	return (entry >> 16) + (unsigned)(extra >> code);
}

/*
 * Returns the entry of a length or distance (3.2.5), whose code has no bits
 * yet.  Up to twice a group they are the least one and those after it; each
 * further group has one more extra bit, and goes on where the one before ends.
 */
static uint32_t
range_entry(unsigned symbol, unsigned group, unsigned least)
{
	unsigned extra = symbol < group ? 0 : symbol / group - 1;
	unsigned first = symbol < group ? symbol :
	    (group + symbol % group) << extra;

	return (uint32_t)(least + first) << 16 | extra;
}

static uint32_t
literal_entry(unsigned symbol)
{
	unsigned length = symbol - END_OF_BLOCK - 1;

	if (symbol < END_OF_BLOCK)
		return symbol << 16 | LITERAL;
	if (symbol == END_OF_BLOCK)
		return END;
	if (length == LENGTHS - 1)
		return UINT32_C(258) << 16;
	return length < LENGTHS ? range_entry(length, 4, 3) : UNUSED;
}

static uint32_t
distance_entry(unsigned symbol)
{
	return symbol < 30 ? range_entry(symbol, 2, 1) : UNUSED;
}

/*
 * Codes follow from their lengths: shorter ones come first.  Codes of one
 * length are in the order of their symbols, each one more than the one before.
 * Their highest bit comes first, where all other numbers begin with the lowest.
 *
 *	a 2  b 1  c 3  d 3	=>	b 0  a 10  c 110  d 111
 *
 * Stores the first code of each length; false if they are too many.
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

static void
clear(uint32_t *entries, unsigned count)
{
	while (count-- > 0)
		*entries++ = NO_CODE;
}

/* Makes the table of codes of these lengths; false if they are too many. */
static bool
make_codes(struct codes *codes, const uint8_t *lengths, unsigned symbols,
    uint32_t (*entry_of)(unsigned symbol))
{
	unsigned next[CODE_BITS + 1] = { 0 }, used = 1u << WIDTH;
	unsigned i, code, left, skipped, at;
	uint32_t entry, *table, *link;

	if (!first_codes(lengths, symbols, next))
		return false;
	clear(codes->entries, used);
	for (i = 0; i < symbols; i++) {
		if (lengths[i] == 0)
			continue;
		code = 0;
		at = next[lengths[i]]++;
		for (left = lengths[i]; left > 0; left--, at >>= 1)
			code = code << 1 | (at & 1);
		entry = (entry_of(i) | (uint32_t)lengths[i] << 8) + lengths[i];
		skipped = lengths[i] > WIDTH ? WIDTH : 0;
		table = codes->entries;
		if (skipped > 0) {
			link = &codes->entries[code & ((1u << WIDTH) - 1)];
			if (*link == NO_CODE) {
				*link = used << 16 | FURTHER;
				clear(codes->entries + used, FURTHER_SIZE);
				used += FURTHER_SIZE;
			}
			table += *link >> 16;
		}
		/* under all bits that may follow the code */
		for (at = code >> skipped; at < (skipped == 0 ? 1u << WIDTH :
		    FURTHER_SIZE); at += 1u << (lengths[i] - skipped))
			table[at] = entry;
	}
	return true;
}

#define WINDOW		32768		/* the largest distance */
#define PIECE		65536		/* is made at a time */
#define ROOM		(3 + 258 + 8)	/* bytes, a length and a word */
#define SYMBOL_BITS	48		/* of a length and a distance */

enum block { NO_BLOCK, STORED, SYMBOLS };

struct deflate {
	struct bits bits;
	enum deflate_state state;
	enum block block;	/* that is being read */
	bool last;		/* it is the last one */
	bool is_fixed;		/* tables are for fixed codes */
	unsigned left;		/* bytes of a block that is stored */
	unsigned char *out;	/* where the next byte goes, in the window */
	unsigned char *stop;	/* where there is room for one symbol more */
	struct codes literals;
	struct codes distances;	/* lengths' at first */
	unsigned char window[WINDOW + PIECE];
};

static void
copy_stored(struct deflate *deflate)
{
	struct bits *bits = &deflate->bits;
	size_t part, room;

	while (deflate->left > 0 && deflate->out < deflate->stop + ROOM) {
		part = (size_t)(bits->end - bits->in);
		room = (size_t)(deflate->stop + ROOM - deflate->out);
		if (bits->count > 0 || part == 0) {
			*deflate->out = (unsigned char)bits_take(bits, 8);
			if (bits_are_cut(bits))
				return;
			part = 1;
		} else {
			part = part < room ? part : room;
			part = part < deflate->left ? part : deflate->left;
			memcpy(deflate->out, bits->in, part);
			bits->in += part;
			bits->held = 0;
		}
		deflate->out += part;
		deflate->left -= (unsigned)part;
	}
	if (deflate->left == 0)
		deflate->block = NO_BLOCK;
}

/*
 * Takes the lengths of codes, in a code of their own: 16 is the last length
 * again, 17 and 18 are 0, all several times (3.2.7).  False if invalid.
 */
static bool
take_lengths(struct deflate *deflate, uint8_t *lengths, unsigned count)
{
	static const uint8_t extra[] = { 2, 3, 7 }, least[] = { 3, 3, 11 };
	struct bits *bits = &deflate->bits;
	unsigned done = 0, length, repeat;
	uint32_t entry;

	while (done < count) {
		bits_fill(bits);
		entry = codes_find(&deflate->distances, bits->held);
		length = take_value(bits, entry);
		repeat = length < 16 ? 1 : least[length - 16] +
		    bits_take(bits, extra[length - 16]);
		if ((entry & UNUSED) != 0 || bits_are_cut(bits) ||
		    repeat > count - done || (length == 16 && done == 0))
			return false;
		if (length >= 16)
			length = length == 16 ? lengths[done - 1] : 0;
		memset(lengths + done, (int)length, repeat);
		done += repeat;
	}
	return true;
}

/* Makes a block's codes, fixed or as it begins; false if they make no sense. */
static bool
read_codes(struct deflate *deflate, bool fixed)
{
	static const uint8_t order[KINDS] = {
		16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1,
		15
	};
	uint8_t lengths[LITERALS + DISTANCES] = { 0 };
	unsigned literals = LITERALS, distances = DISTANCES, kinds, i;

	if (fixed) {
		for (i = 0; i < LITERALS; i++)
			lengths[i] = i < 144 || i >= 280 ? 8 :
			    i < 256 ? 9 : 7;
		memset(lengths + LITERALS, 5, DISTANCES);
	} else {
		literals = bits_take(&deflate->bits, 5) + 257;
		distances = bits_take(&deflate->bits, 5) + 1;
		kinds = bits_take(&deflate->bits, 4) + 4;
		for (i = 0; i < kinds; i++)
			lengths[order[i]] =
			    (uint8_t)bits_take(&deflate->bits, 3);
		if (literals > END_OF_BLOCK + 1 + LENGTHS ||
		    !make_codes(&deflate->distances, lengths, KINDS,
		    literal_entry) ||
		    !take_lengths(deflate, lengths, literals + distances))
			return false;
	}
	return make_codes(&deflate->literals, lengths, literals,
	    literal_entry) &&
	    make_codes(&deflate->distances, lengths + literals, distances,
	    distance_entry);
}

static void
begin_block(struct deflate *deflate)
{
	struct bits *bits = &deflate->bits;
	bool good = true;

	deflate->last = bits_take(bits, 1) != 0;
	deflate->block = SYMBOLS;
	switch (bits_take(bits, 2)) {
	case 0:
		deflate->block = STORED;
		bits_drop(bits, bits->count % 8);
		deflate->left = bits_take(bits, 16);
		good = (deflate->left ^ bits_take(bits, 16)) == 0xffff;
		break;
	case 1:
		deflate->is_fixed = deflate->is_fixed ||
		    read_codes(deflate, true);
		break;
	case 2:
		deflate->is_fixed = false;
		good = read_codes(deflate, false);
		break;
	default:
		good = false;
	}
	if (!good)
		deflate->state = DEFLATE_DAMAGED;
}

/* Copies `length` bytes from `distance` before, and perhaps 7 bytes more. */
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

/* Takes a symbol that is a byte, if the entry is a byte's. */
static inline bool
take_byte(struct bits *bits, unsigned char **out, uint32_t entry)
{
	if ((entry & LITERAL) == 0)
		return false;
	*(*out)++ = (unsigned char)(entry >> 16);
	bits_drop(bits, entry_bits(entry));
	return true;
}

/*
 * Expands up to three symbols that are bytes, and mostly another one.  56 bits
 * are held.  Returns the last entry: END, UNUSED if it is damaged, or others.
 */
static inline uint32_t
expand_some(const struct deflate *deflate, struct bits *bits,
    unsigned char **out)
{
	const struct codes *literals = &deflate->literals;
	uint32_t entry = codes_first(literals, bits->held);
	unsigned length, distance;

	/* Most symbols are bytes of few bits. */
	if (take_byte(bits, out, entry)) {
		entry = codes_first(literals, bits->held);
		if (take_byte(bits, out, entry)) {
			entry = codes_first(literals, bits->held);
			if (take_byte(bits, out, entry))
				return entry;
		}
		if (bits->count < SYMBOL_BITS) {
			if (!bits_have_word(bits))
				return 0;
			bits_refill(bits);
		}
	}
	entry = codes_last(literals, bits->held, entry);
	if (take_byte(bits, out, entry))
		return entry;
	length = take_value(bits, entry);
	if ((entry & (END | UNUSED)) != 0)
		return entry;
	entry = codes_find(&deflate->distances, bits->held);
	distance = take_value(bits, entry);
	if ((entry & UNUSED) != 0 ||
	    distance > (size_t)(*out - deflate->window))
		return UNUSED;
	copy_back(*out, distance, length);
	*out += length;
	return entry;
}

/* Expands symbols as long as there are words of input, but one at least. */
static void
expand(struct deflate *deflate)
{
	const unsigned char *stop = deflate->stop;
	unsigned char *out = deflate->out;
	struct bits *held = &deflate->bits;
	struct bits bits;	/* a copy, in registers */
	uint32_t entry;

	bits_fill(held);
	bits = *held;
	for (;;) {
		entry = expand_some(deflate, &bits, &out);
		if ((entry & (END | UNUSED)) != 0 || !bits_have_word(&bits) ||
		    out > stop)
			break;
		bits_refill(&bits);
	}
	if (bits_are_cut(&bits)) {
		/* only bytes before the symbol in which the input ends */
		do
			entry = codes_find(&deflate->literals, held->held);
		while (entry_bits(entry) + held->missing <= held->count &&
		    take_byte(held, &deflate->out, entry));
		deflate->state = DEFLATE_CUT;
		return;
	}
	*held = bits;
	deflate->out = out;
	if ((entry & END) != 0)
		deflate->block = NO_BLOCK;
	if ((entry & UNUSED) != 0)
		deflate->state = DEFLATE_DAMAGED;
}

struct deflate *
deflate_new(deflate_reader *reader, void *context)
{
	struct deflate *deflate = mem_array(1, sizeof(*deflate));

	deflate->bits = (struct bits){ .reader = reader, .context = context };
	deflate->stop = deflate->window + WINDOW + PIECE - ROOM;
	deflate_begin(deflate);
	return deflate;
}

void
deflate_begin(struct deflate *deflate)
{
	deflate->state = DEFLATE_MORE;
	deflate->block = NO_BLOCK;
	deflate->out = deflate->window;
}

enum deflate_state
deflate_next(struct deflate *deflate, struct str *unpacked)
{
	const unsigned char *from;

	if (deflate->out - deflate->window > WINDOW + PIECE / 2) {
		memmove(deflate->window, deflate->out - WINDOW, WINDOW);
		deflate->out = deflate->window + WINDOW;
	}
	from = deflate->out;
	while (deflate->state == DEFLATE_MORE &&
	    deflate->out <= deflate->stop) {
		if (deflate->block == NO_BLOCK)
			begin_block(deflate);
		else if (deflate->block == STORED)
			copy_stored(deflate);
		else
			expand(deflate);
		if (bits_are_cut(&deflate->bits))
			deflate->state = DEFLATE_CUT;
		else if (deflate->state == DEFLATE_MORE && deflate->last &&
		    deflate->block == NO_BLOCK)
			deflate->state = DEFLATE_END;
	}
	*unpacked = (struct str){ (const char *)from,
	    (size_t)(deflate->out - from) };
	return deflate->state;
}

int
deflate_byte(struct deflate *deflate)
{
	struct bits *bits = &deflate->bits;
	int byte;

	bits_drop(bits, bits->count % 8);
	byte = (int)bits_take(bits, 8);
	return bits_are_cut(bits) ? -1 : byte;
}
