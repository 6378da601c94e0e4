/*
 * Stacks are sorted without their texts, which are many times as long as their
 * sequences.  Every name gets two ranks: the place of "name", as a leaf is
 * printed, and of "name;", as any other frame is, among all those texts in byte
 * order.  Since no name holds a ';', no "name;" begins another one, and
 * sequences of ranks compare as the folded texts do.  Ranks are written with
 * their high byte first, so memcmp() compares them.
 */
#include <limits.h>
#include <stdlib.h>

#include "../lib/output.h"
#include "../lib/sort.h"
#include "../lib/text.h"
#include "stacks.h"

#define FRAME	sizeof(uint32_t)

void
stacks_init(struct stacks *stacks)
{
	*stacks = (struct stacks){ .room = 0 };
	table_init(&stacks->sequences);
}

void
stacks_free(struct stacks *stacks)
{
	table_free(&stacks->sequences);
	free(stacks->counts);
	free(stacks->batch.frames);
}

void
stacks_count(struct stacks *stacks, uint32_t number, unsigned long long count)
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
stacks_number(struct stacks *stacks, const uint32_t *frames,
    const size_t *ends, size_t count, uint32_t *numbers)
{
	struct str keys[TABLE_BATCH] = { { NULL, 0 } };
	size_t i, start = 0;

	for (i = 0; i < count; i++) {
		keys[i] = (struct str){ (const char *)(frames + start),
		    (ends[i] - start) * FRAME };
		start = ends[i];
	}
	table_add_batch(&stacks->sequences, keys, count, numbers);
	for (i = 0; i < count; i++)
		stacks_count(stacks, numbers[i], 0);
}

void
stacks_settle(struct stacks *stacks)
{
	uint32_t numbers[TABLE_BATCH];
	size_t i;

	stacks_number(stacks, stacks->batch.frames, stacks->batch_ends,
	    stacks->batched, numbers);
	for (i = 0; i < stacks->batched; i++)
		stacks_count(stacks, numbers[i], stacks->batch_counts[i]);
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
stacks_merge(struct stacks *stacks, struct table *names, struct stacks *from,
    const struct table *from_names)
{
	uint32_t *numbers = mem_array(from_names->count, FRAME), name, i;
	struct stack stack = { 0 };
	const char *at, *end;

	for (i = 0; i < from_names->count; i++)
		numbers[i] = table_add(names, from_names->keys[i]);
	stacks_settle(from);
	for (i = 0; i < from->sequences.count; i++) {
		at = from->sequences.keys[i].data;
		end = at + from->sequences.keys[i].len;
		for (stack.depth = 0; at < end; at += FRAME) {
			memcpy(&name, at, FRAME);
			stack_push(&stack, numbers[name]);
		}
		stacks_add(stacks, &stack, from->counts[i]);
	}
	stacks_settle(stacks);
	stacks->overflowed |= from->overflowed;
	free(stack.frames);
	free(numbers);
}

/* The ranks of name n, at 2n as a leaf, at 2n + 1 as any other frame... */
struct ranked {
	uint32_t *ranks;
	struct str *texts;	/* ...and by rank, "name" or "name;" */
	struct arena arena;
};

static struct ranked
rank_names(const struct table *names)
{
	size_t count = (size_t)names->count * 2, i;
	struct sort_item *items = mem_array(count, sizeof(*items));
	struct ranked ranked = {
		.ranks = mem_array(count, sizeof(*ranked.ranks)),
		.texts = mem_array(count, sizeof(*ranked.texts)),
	};
	struct str name;
	char *copy;

	for (i = 0; i < count; i += 2) {
		name = names->keys[i / 2];
		copy = arena_take(&ranked.arena, name.len + 1);
		memcpy(copy, name.data, name.len);
		copy[name.len] = ';';
		items[i] = (struct sort_item){ { copy, name.len }, i };
		items[i + 1] = (struct sort_item){
		    { copy, name.len + 1 }, i + 1 };
	}
	sort_items(items, count);
	for (i = 0; i < count; i++) {
		ranked.ranks[items[i].number] = (uint32_t)i;
		ranked.texts[i] = items[i].key;
	}
	free(items);
	return ranked;
}

static void
free_ranked(struct ranked *ranked)
{
	free(ranked->ranks);
	free(ranked->texts);
	arena_free(&ranked->arena);
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

/* The line of the stack printed last, as far as the next one may share it. */
struct line {
	struct text text;
	struct str sequence;
	size_t *ends;		/* of the text, after each frame's "name;" */
	size_t room;
};

/* Returns how many frames, but not the leaf, the sequences share. */
static size_t
shared_frames(struct str a, struct str b)
{
	size_t most = (a.len < b.len ? a.len : b.len) / FRAME, i = 0;

	while (i < most && load_rank(a.data + i * FRAME) ==
	    load_rank(b.data + i * FRAME))
		i++;
	return i;
}

/* Builds the line of a sequence of ranks; most of the last line stays. */
static void
build_line(struct line *line, struct str sequence, const struct str *names)
{
	size_t depth = sequence.len / FRAME;
	size_t i = shared_frames(line->sequence, sequence);

	line->ends = mem_grow(line->ends, &line->room, depth + 1,
	    sizeof(*line->ends));
	line->ends[0] = 0;
	line->text.len = line->ends[i];
	for (; i < depth; i++) {
		text_add(&line->text, names[load_rank(sequence.data +
		    i * FRAME)]);
		line->ends[i + 1] = line->text.len;
	}
	line->sequence = sequence;
}

/* Returns the sequences, as ranks, in order. */
static struct sort_item *
sort_sequences(const struct table *sequences, const uint32_t *ranks,
    bool two_threads)
{
	struct sort_item *items = mem_array(sequences->count, sizeof(*items));
	uint32_t i;

	for (i = 0; i < sequences->count; i++) {
		rank_sequence(sequences->keys[i], ranks);
		items[i] = (struct sort_item){ sequences->keys[i], i };
	}
	if (two_threads)
		sort_items_in_two(items, sequences->count);
	else
		sort_items(items, sequences->count);
	return items;
}

void
stacks_print(struct stacks *stacks, const struct table *names, bool two_threads,
    FILE *out)
{
	const struct table *sequences = &stacks->sequences;
	struct ranked ranked = rank_names(names);
	struct sort_item *items;
	uint32_t i;
	struct text text = { 0 };
	struct line line = { .room = 0 };

	stacks_settle(stacks);
	items = sort_sequences(sequences, ranked.ranks, two_threads);
	for (i = 0; i < sequences->count; i++) {
		build_line(&line, items[i].key, ranked.texts);
		text_add(&text, text_str(&line.text));
		text_add_char(&text, ' ');
		text_add_number(&text, stacks->counts[items[i].number]);
		text_add_char(&text, '\n');
		output_drain(&text, out);
	}
	output_flush(&text, out);
	free(line.text.data);
	free(line.ends);
	free(text.data);
	free(items);
	free_ranked(&ranked);
}
