/*
 * Paths are brought in order without their texts, which are many times as long
 * as the tree.  Every name gets two ranks: the place of "name", as a leaf is
 * printed, and of "name;", as any other frame is, among all those texts in byte
 * order.  Since no name holds a ';', no "name;" begins another one, so the
 * lines of the tree are in order if those behind each of its nodes are in the
 * order of ranks.
 *
 * What is printed behind a node is a list of entries: an end for a path that
 * ends in the next node, a way for those that go on from there.  Entries are
 * brought in order by being counted, by rank and then by node, not by being
 * compared.
 */
#include <stdlib.h>

#include "../lib/output.h"
#include "../lib/sort.h"
#include "../lib/text.h"
#include "listing.h"

/* The entries of a tree: twice the number of a node, and 1 for a way. */
struct entries {
	const struct paths *paths;
	uint32_t *list;
	size_t count;
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

/* Makes numbers of how many are of each kind those of how many come before. */
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

/* Lists the entries, in the order of nodes. */
static struct entries
list_entries(const struct paths *paths)
{
	struct entries entries = { paths, NULL, 0 };
	bool *goes_on = mem_array(paths->count, sizeof(*goes_on));
	uint32_t node;

	entries.list = mem_array((size_t)paths->count * 2,
	    sizeof(*entries.list));
	for (node = paths->count - 1; node > 0; node--)
		goes_on[paths->nodes[node].parent] = true;
	for (node = 1; node < paths->count; node++) {
		if (path_ends(paths, node))
			entries.list[entries.count++] = 2 * node;
		if (goes_on[node])
			entries.list[entries.count++] = 2 * node + 1;
	}
	free(goes_on);
	return entries;
}

static uint32_t
rank_of(const struct entries *entries, const uint32_t *ranks, uint32_t entry)
{
	return ranks[2 * (size_t)path_frame(entries->paths, entry / 2) +
	    entry % 2];
}

/* Brings the entries in the order of their ranks. */
static void
order_by_rank(struct entries *entries, const uint32_t *ranks, size_t count)
{
	uint32_t *places = mem_array(count + 1, sizeof(*places));
	uint32_t *list = mem_array(entries->count, sizeof(*list));
	size_t i;

	for (i = 0; i < entries->count; i++)
		places[rank_of(entries, ranks, entries->list[i])]++;
	add_up(places, count);
	for (i = 0; i < entries->count; i++)
		list[places[rank_of(entries, ranks, entries->list[i])]++] =
		    entries->list[i];
	free(places);
	free(entries->list);
	entries->list = list;
}

/*
 * Brings the entries in the order of the nodes that they are behind.  Returns
 * by node where those behind it end, which is where those of the next begin.
 */
static uint32_t *
order_by_parent(struct entries *entries)
{
	const struct path_node *nodes = entries->paths->nodes;
	uint32_t *places = mem_array(entries->paths->count, sizeof(*places));
	uint32_t *list = mem_array(entries->count, sizeof(*list));
	size_t i;

	for (i = 0; i < entries->count; i++)
		places[nodes[entries->list[i] / 2].parent]++;
	add_up(places, entries->paths->count);
	for (i = 0; i < entries->count; i++)
		list[places[nodes[entries->list[i] / 2].parent]++] =
		    entries->list[i];
	free(entries->list);
	entries->list = list;
	return places;
}

/* The entries behind a node that are not printed yet. */
struct level {
	uint32_t next, end;
	size_t len;		/* of the text "root;...;name;" */
};

struct walk {
	struct level *levels;	/* from the root on */
	size_t depth, room;
	struct text line;	/* of the frames so far */
	struct text out;
};

static void
enter(struct walk *walk, const uint32_t *ends, uint32_t node)
{
	walk->levels = mem_grow(walk->levels, &walk->room, walk->depth + 1,
	    sizeof(*walk->levels));
	walk->levels[walk->depth++] = (struct level){
	    node == 0 ? 0 : ends[node - 1], ends[node], walk->line.len };
}

static void
print_line(struct walk *walk, struct str leaf, unsigned long long count,
    FILE *out)
{
	text_add(&walk->out, text_str(&walk->line));
	text_add(&walk->out, leaf);
	text_add_char(&walk->out, ' ');
	text_add_number(&walk->out, count);
	text_add_char(&walk->out, '\n');
	output_drain(&walk->out, out);
}

/* Prints the tree, whose entries are in order. */
static void
print(const struct entries *entries, const uint32_t *ends,
    const unsigned long long *counts, const struct table *names, FILE *out)
{
	struct walk walk = { .depth = 0 };
	struct level *level;
	struct str name;
	uint32_t entry;

	if (path_ends(entries->paths, 0))
		print_line(&walk, STR(""), counts[0], out);
	enter(&walk, ends, 0);
	while (walk.depth > 0) {
		level = &walk.levels[walk.depth - 1];
		if (level->next == level->end) {
			walk.depth--;
			continue;
		}
		entry = entries->list[level->next++];
		name = names->keys[path_frame(entries->paths, entry / 2)];
		walk.line.len = level->len;
		if (entry % 2 == 0) {
			print_line(&walk, name, counts[entry / 2], out);
			continue;
		}
		text_add(&walk.line, name);
		text_add_char(&walk.line, ';');
		enter(&walk, ends, entry / 2);
	}
	output_flush(&walk.out, out);
	free(walk.levels);
	free(walk.line.data);
	free(walk.out.data);
}

void
listing_print(const struct paths *paths, const unsigned long long *counts,
    const struct table *names, FILE *out)
{
	uint32_t *ranks = rank_names(names), *ends;
	struct entries entries = list_entries(paths);

	order_by_rank(&entries, ranks, (size_t)names->count * 2);
	free(ranks);
	ends = order_by_parent(&entries);
	print(&entries, ends, counts, names, out);
	free(entries.list);
	free(ends);
}
