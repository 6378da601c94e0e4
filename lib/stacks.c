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

static void
count_stack(struct stacks *stacks, uint32_t number, unsigned long long count)
{
	unsigned long long *sum;

	if (number == stacks->counted) {
		stacks->counts = mem_grow(stacks->counts, &stacks->room,
		    stacks->counted + 1, sizeof(*stacks->counts));
		stacks->counts[stacks->counted++] = 0;
	}
	sum = &stacks->counts[number];
	if (count > ULLONG_MAX - *sum) {
		stacks->overflowed = true;
		count = ULLONG_MAX - *sum;
	}
	*sum += count;
}

void
stacks_settle(struct stacks *stacks)
{
	const char *frames = (const char *)stacks->batch.frames;
	struct str keys[TABLE_BATCH];
	uint32_t numbers[TABLE_BATCH];
	size_t i, start = 0;

	for (i = 0; i < stacks->batched; i++) {
		keys[i] = (struct str){ frames + start * FRAME,
		    (stacks->batch_ends[i] - start) * FRAME };
		start = stacks->batch_ends[i];
	}
	table_add_batch(&stacks->sequences, keys, stacks->batched, numbers);
	for (i = 0; i < stacks->batched; i++)
		count_stack(stacks, numbers[i], stacks->batch_counts[i]);
	stacks->batched = stacks->batch.depth = 0;
}

void
stacks_add(struct stacks *stacks, const struct stack *stack,
    unsigned long long count)
{
	struct stack *batch = &stacks->batch;

	batch->frames = mem_grow(batch->frames, &batch->room,
	    batch->depth + stack->depth, FRAME);
	if (stack->depth > 0)
		memcpy(batch->frames + batch->depth, stack->frames,
		    stack->depth * FRAME);
	batch->depth += stack->depth;
	stacks->batch_ends[stacks->batched] = batch->depth;
	stacks->batch_counts[stacks->batched++] = count;
	if (stacks->batched == TABLE_BATCH)
		stacks_settle(stacks);
}

void
stacks_merge(struct stacks *stacks, struct stacks *from, const uint32_t *names)
{
	struct stack stack = { 0 };
	const char *at, *end;
	uint32_t name, i;

	stacks_settle(from);
	for (i = 0; i < from->sequences.count; i++) {
		at = from->sequences.keys[i].data;
		end = at + from->sequences.keys[i].len;
		for (stack.depth = 0; at < end; at += FRAME) {
			memcpy(&name, at, FRAME);
			stack_push(&stack, names[name]);
		}
		stacks_add(stacks, &stack, from->counts[i]);
	}
	stacks_settle(stacks);
	stacks->overflowed |= from->overflowed;
	free(stack.frames);
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

	stacks_settle(stacks);
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
