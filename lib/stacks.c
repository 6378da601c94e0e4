/*
 * Stacks are sorted without their texts, which are many times as long as their
 * sequences.  Every name gets two ranks: the place of "name", which
 * stands for a leaf, and of "name;", which stands for any other frame, among
 * all those texts in byte order.  Since no name holds a ';', no "name;" begins
 * another one, and sequences of ranks compare as the folded texts do.  Ranks
 * are written with their high byte first, so memcmp() compares them.
 */
#include <limits.h>
#include <stdlib.h>

#include "sort.h"
#include "stacks.h"
#include "text.h"

#define FRAME	sizeof(uint32_t)

void
stacks_init(struct stacks *stacks)
{
	*stacks = (struct stacks){ .room = 0 };
	table_init(&stacks->sequences);
}

void
stacks_add(struct stacks *stacks, const struct stack *stack,
    unsigned long long count)
{
	uint32_t before = stacks->sequences.count, number;
	unsigned long long *sum;

	number = table_add(&stacks->sequences, (struct str){
	    (const char *)stack->frames, stack->depth * FRAME });
	stacks->counts = mem_grow(stacks->counts, &stacks->room, number + 1,
	    sizeof(*stacks->counts));
	sum = &stacks->counts[number];
	if (number == before)
		*sum = 0;
	if (count > ULLONG_MAX - *sum) {
		stacks->overflowed = true;
		count = ULLONG_MAX - *sum;
	}
	*sum += count;
}

/* The ranks of name n: at 2n as a leaf, at 2n + 1 as any other frame. */
static uint32_t *
rank_names(const struct table *names, uint32_t *by_rank)
{
	struct arena arena = { 0 };
	size_t count = (size_t)names->count * 2, i;
	struct sort_item *items = mem_array(count, sizeof(*items));
	uint32_t *ranks = mem_array(count, sizeof(*ranks));
	struct str name;
	char *copy;

	for (i = 0; i < count; i += 2) {
		name = names->keys[i / 2];
		copy = arena_take(&arena, name.len + 1);
		memcpy(copy, name.data, name.len);
		copy[name.len] = ';';
		items[i] = (struct sort_item){ { copy, name.len }, i };
		items[i + 1] = (struct sort_item){
		    { copy, name.len + 1 }, i + 1 };
	}
	sort_items(items, count);
	for (i = 0; i < count; i++) {
		ranks[items[i].number] = (uint32_t)i;
		by_rank[i] = (uint32_t)(items[i].number / 2);
	}
	free(items);
	arena_free(&arena);
	return ranks;
}

static void
store_rank(char *at, uint32_t rank)
{
	unsigned char bytes[FRAME];

	bytes[0] = (unsigned char)(rank >> 24);
	bytes[1] = (unsigned char)(rank >> 16);
	bytes[2] = (unsigned char)(rank >> 8);
	bytes[3] = (unsigned char)rank;
	memcpy(at, bytes, FRAME);
}

static uint32_t
load_rank(const char *at)
{
	unsigned char bytes[FRAME];

	memcpy(bytes, at, FRAME);
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
	    (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Replaces the names' numbers, leaf first, by their ranks, root first. */
static void
rank_sequence(struct str sequence, const uint32_t *ranks)
{
	char *from = (char *)sequence.data;	/* the table's own copy */
	char *to = from + sequence.len, *leaf = from;
	uint32_t first, last;

	for (; from < to; from += FRAME) {
		to -= FRAME;
		memcpy(&first, from, FRAME);
		memcpy(&last, to, FRAME);
		store_rank(to, ranks[2 * (size_t)first + (from > leaf)]);
		if (from < to)
			store_rank(from, ranks[2 * (size_t)last + 1]);
	}
}

void
stacks_print(struct stacks *stacks, const struct table *names, FILE *out)
{
	const struct table *sequences = &stacks->sequences;
	uint32_t *by_rank = mem_array((size_t)names->count * 2, FRAME);
	uint32_t *ranks = rank_names(names, by_rank), *order, i;
	struct text text = { 0 };
	struct str key;
	size_t at;

	for (i = 0; i < sequences->count; i++)
		rank_sequence(sequences->keys[i], ranks);
	order = table_order(sequences);
	for (i = 0; i < sequences->count; i++) {
		key = sequences->keys[order[i]];
		for (at = 0; at < key.len; at += FRAME) {
			if (at > 0)
				text_add_char(&text, ';');
			text_add(&text,
			    names->keys[by_rank[load_rank(key.data + at)]]);
		}
		text_add_char(&text, ' ');
		text_add_number(&text, stacks->counts[order[i]]);
		text_add_char(&text, '\n');
		text_drain(&text, out);
	}
	text_flush(&text, out);
	free(text.data);
	free(order);
	free(ranks);
	free(by_rank);
}
