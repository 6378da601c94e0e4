/*
 * Paths are brought in order without their texts, which are many times as long
 * as the tree.  Every name gets two ranks: the place of "name", as a leaf is
 * printed, and of "name;", as any other frame is, among all those texts in byte
 * order.  Since no name holds a ';', no "name;" begins another one, so the
 * lines of the tree are in order if those below each of its nodes are in the
 * order of their first frames' ranks.
 *
 * Below a node there is a list of entries to print.  A node below it has an
 * entry called an end if a path ends there, and one called a way if paths go
 * on from there.  All entries are sorted by rank, by counting, and then by the
 * node that they are below; the second sort keeps the order of the first.
 */
#include <stdlib.h>

#include "lib/output.h"
#include "lib/sort.h"
#include "stacks.h"

/* The entries of a tree: twice the number of a node, and 1 for a way. */
struct entries {
	uint32_t *list;
	uint32_t *ends;		/* by node: where the entries below it end,
				   and those below the next node begin */
};

/* The rank of name n is at 2n as a leaf, at 2n + 1 as any other frame. */
static uint32_t *
rank_names(const struct table *names)
{
	size_t count = (size_t)names->count * 2, i;
	struct sort_item *items = mem_array(count, sizeof(*items));
	uint32_t *ranks = mem_array(count, sizeof(*ranks));
	struct arena arena = { 0 };
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
	for (i = 0; i < count; i++)
		ranks[items[i].number] = (uint32_t)i;
	free(items);
	arena_free(&arena);
	return ranks;
}

/* Replaces the count of each kind by the count of all kinds before it. */
static void
add_up(uint32_t *counts, size_t kinds)
{
	uint32_t sum = 0, count;
	size_t i;

	for (i = 0; i < kinds; i++) {
		count = counts[i];
		counts[i] = sum;
		sum += count;
	}
}

/*
 * Returns the rank of an entry's first frame.  Below a node, only the two
 * entries of one node have the same rank; its end comes first, as listed.
 */
static uint32_t
rank_of(const struct paths *paths, const uint32_t *ranks, uint32_t entry)
{
	bool is_leaf = entry % 2 == 0 && paths->nodes[entry / 2].more == 0;

	return ranks[2 * (size_t)path_frame(paths, entry / 2) + !is_leaf];
}

/* Lists the entries, and counts those below each node; returns their number. */
static size_t
list_entries(const struct paths *paths, uint32_t *list, uint32_t *below)
{
	/* nodes that others are below */
	bool *goes_on = mem_array(paths->count, sizeof(*goes_on));
	size_t count = 0;
	uint32_t node;

	for (node = 1; node < paths->count; node++)
		goes_on[paths->nodes[node].parent] = true;
	for (node = 1; node < paths->count; node++) {
		below[paths->nodes[node].parent] += path_ends(paths, node) +
		    goes_on[node];
		if (path_ends(paths, node))
			list[count++] = 2 * node;
		if (goes_on[node])
			list[count++] = 2 * node + 1;
	}
	free(goes_on);
	return count;
}

/* Lists the entries of a tree by the nodes that they are below, and by rank. */
static struct entries
order_entries(const struct paths *paths, const uint32_t *ranks,
    size_t ranks_count)
{
	struct entries entries;
	size_t most = (size_t)paths->count * 2, count, i;
	uint32_t *list = mem_array(most, sizeof(*list));
	uint32_t *places = mem_array(ranks_count, sizeof(*places));

	entries.ends = mem_array(paths->count, sizeof(*entries.ends));
	entries.list = mem_array(most, sizeof(*entries.list));
	count = list_entries(paths, entries.list, entries.ends);
	for (i = 0; i < count; i++)
		places[rank_of(paths, ranks, entries.list[i])]++;
	add_up(places, ranks_count);
	for (i = 0; i < count; i++)
		list[places[rank_of(paths, ranks, entries.list[i])]++] =
		    entries.list[i];
	free(places);
	add_up(entries.ends, paths->count);
	for (i = 0; i < count; i++)
		entries.list[entries.ends[
		    paths->nodes[list[i] / 2].parent]++] = list[i];
	free(list);
	return entries;
}

/* The entries below a node that are not printed yet. */
struct listing_level {
	uint32_t next, end;
	size_t len;		/* of the text "root;...;name;" above it */
};

struct listing_walk {
	struct listing_level *levels;	/* from the root on */
	size_t depth, room;
	struct text line;	/* of the frames so far */
	struct text out;
	listing_counter *add_counts;
	void *context;
};

static void
enter(struct listing_walk *walk, const struct entries *entries, uint32_t node)
{
	const uint32_t *ends = entries->ends;

	*LIST_ADD(walk->levels, walk->depth, walk->room) =
	    (struct listing_level){ node == 0 ? 0 : ends[node - 1], ends[node],
	    walk->line.len };
}

/* Adds the frames of a node, with a ';' between them. */
static void
add_frames(struct text *text, const struct paths *paths, uint32_t node,
    const struct table *names)
{
	uint32_t i;

	for (i = 0; i <= paths->nodes[node].more; i++) {
		if (i > 0)
			text_add_char(text, ';');
		text_add(text, names->keys[path_frame_at(paths, node, i)]);
	}
}

static void
end_line(struct listing_walk *walk, uint32_t number, FILE *out)
{
	text_add_char(&walk->out, ' ');
	walk->add_counts(walk->context, number, &walk->out);
	text_add_char(&walk->out, '\n');
	output_drain(&walk->out, out);
}

static void
add_count(void *stacks, uint32_t number, struct text *line)
{
	text_add_number(line, ((const struct stacks *)stacks)->counts[number]);
}

void
listing_print(struct stacks *stacks, const struct table *names,
    listing_counter *add_counts, void *context, FILE *out)
{
	struct listing_walk walk = { .add_counts = add_counts,
	    .context = context };
	const struct paths *paths = &stacks->paths;
	uint32_t *ranks = rank_names(names), entry, node;
	struct listing_level *level;
	struct entries entries;

	if (add_counts == NULL) {
		walk.add_counts = add_count;
		walk.context = stacks;
	}
	stacks_settle(stacks);
	entries = order_entries(paths, ranks, (size_t)names->count * 2);
	free(ranks);
	if (path_ends(paths, 0))
		end_line(&walk, 0, out);
	enter(&walk, &entries, 0);
	while (walk.depth > 0) {
		level = &walk.levels[walk.depth - 1];
		if (level->next == level->end) {
			walk.depth--;
			continue;
		}
		entry = entries.list[level->next++];
		node = entry / 2;
		walk.line.len = level->len;
		if (entry % 2 == 0) {
			text_add(&walk.out, text_str(&walk.line));
			add_frames(&walk.out, paths, node, names);
			end_line(&walk, node, out);
			continue;
		}
		add_frames(&walk.line, paths, node, names);
		text_add_char(&walk.line, ';');
		enter(&walk, &entries, node);
	}
	output_flush(&walk.out, out);
}
