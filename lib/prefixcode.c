/*
 * The two nodes that count least become one, again and again (Huffman).  As
 * leaves are in the order of their counts, so are the nodes that are made, and
 * the least one is the first of either.
 */
#include <stdlib.h>

#include "prefixcode.h"

struct leaf {
	uint32_t count;
	uint16_t symbol;
};

/* The leaves come first, then the nodes made of two others, up to the root. */
struct nodes {
	struct leaf leaves[PREFIX_SYMBOLS];
	size_t leaf_count, count;
	uint64_t counts[2 * PREFIX_SYMBOLS];
	uint16_t parents[2 * PREFIX_SYMBOLS];
	uint16_t depths[2 * PREFIX_SYMBOLS];
};

static int
compare_leaves(const void *a, const void *b)
{
	const struct leaf *one = a, *other = b;

	if (one->count != other->count)
		return one->count < other->count ? -1 : 1;
	return one->symbol < other->symbol ? -1 : 1;
}

static void
add_leaf(struct nodes *nodes, uint32_t count, size_t symbol)
{
	nodes->leaves[nodes->leaf_count++] =
	    (struct leaf){ count, (uint16_t)symbol };
}

/* Lists the symbols that come; a code of one alone would have no bits. */
static void
list_leaves(struct nodes *nodes, const uint32_t *counts, size_t symbols)
{
	size_t i;

	for (i = 0; i < symbols; i++)
		if (counts[i] > 0)
			add_leaf(nodes, counts[i], i);
	for (i = 0; nodes->leaf_count < 2; i++)
		if (counts[i] == 0)
			add_leaf(nodes, 0, i);
	qsort(nodes->leaves, nodes->leaf_count, sizeof(*nodes->leaves),
	    compare_leaves);
}

/* Takes the least node of the leaves and the others that have no parent. */
static size_t
take_least(const struct nodes *nodes, size_t *leaf, size_t *other)
{
	if (*leaf < nodes->leaf_count && (*other == nodes->count ||
	    nodes->counts[*leaf] <= nodes->counts[*other]))
		return (*leaf)++;
	return (*other)++;
}

static void
join_nodes(struct nodes *nodes)
{
	size_t leaf = 0, other = nodes->leaf_count, i, one, two;

	for (i = 0; i < nodes->leaf_count; i++)
		nodes->counts[i] = nodes->leaves[i].count;
	nodes->count = nodes->leaf_count;
	while (nodes->count < 2 * nodes->leaf_count - 1) {
		one = take_least(nodes, &leaf, &other);
		two = take_least(nodes, &leaf, &other);
		nodes->parents[one] = nodes->parents[two] =
		    (uint16_t)nodes->count;
		nodes->counts[nodes->count++] =
		    nodes->counts[one] + nodes->counts[two];
	}
}

/*
 * Stores how many codes have each length.  Those that are too long are cut;
 * then others become longer, as there are too many: a code of n bits takes
 * 2^(longest - n) of the 2^longest that there are.
 */
static void
count_lengths(struct nodes *nodes, unsigned longest, size_t *lengths)
{
	unsigned long taken = 0;
	size_t i = nodes->count - 1;
	unsigned length;

	nodes->depths[i] = 0;
	while (i-- > 0) {
		nodes->depths[i] =
		    (uint16_t)(nodes->depths[nodes->parents[i]] + 1);
		if (i >= nodes->leaf_count)
			continue;
		length = nodes->depths[i] < longest ? nodes->depths[i] :
		    longest;
		lengths[length]++;
		taken += 1UL << (longest - length);
	}
	for (; taken > 1UL << longest; taken--) {
		for (length = longest - 1; lengths[length] == 0; length--)
			continue;
		lengths[length]--;
		lengths[length + 1] += 2;
		lengths[longest]--;
	}
}

static uint16_t
turn_bits(unsigned code, unsigned length)
{
	unsigned turned = 0;

	for (; length > 0; length--, code >>= 1)
		turned = turned << 1 | (code & 1);
	return (uint16_t)turned;
}

/* Numbers the codes, by their lengths and then by symbols. */
static void
number_codes(struct prefix_code *code, size_t symbols, const size_t *lengths)
{
	unsigned next[PREFIX_LONGEST + 1] = { 0 }, length;
	size_t i;

	for (length = 2; length <= PREFIX_LONGEST; length++)
		next[length] = (next[length - 1] +
		    (unsigned)lengths[length - 1]) << 1;
	for (i = 0; i < symbols; i++)
		if (code->lengths[i] > 0)
			code->codes[i] = turn_bits(next[code->lengths[i]]++,
			    code->lengths[i]);
}

void
prefix_code_make(struct prefix_code *code, const uint32_t *counts,
    size_t symbols, unsigned longest)
{
	struct nodes nodes = { .count = 0 };
	size_t lengths[PREFIX_LONGEST + 1] = { 0 }, given, i = 0;
	unsigned length;

	*code = (struct prefix_code){ .lengths = { 0 } };
	list_leaves(&nodes, counts, symbols);
	join_nodes(&nodes);
	count_lengths(&nodes, longest, lengths);
	for (length = longest; length > 0; length--)
		for (given = 0; given < lengths[length]; given++)
			code->lengths[nodes.leaves[i++].symbol] =
			    (uint8_t)length;
	number_codes(code, symbols, lengths);
}
