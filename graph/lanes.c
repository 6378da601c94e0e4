#include <stdlib.h>

#include "lanes.h"

double
lanes_length(const struct tree *tree)
{
	double length = 0;
	size_t i;

	for (i = 0; i < tree->lane_count; i++)
		if (tree->lanes[i].end > length &&
		    tree->frames[tree->lanes[i].root].total > 0)
			length = tree->lanes[i].end;
	return length;
}

/* A lane that is sorted by a number, and then by its place in the input. */
struct ranked {
	double rank;
	struct tree_lane lane;
};

static int
compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->lane.root < b->lane.root ? -1 : 1;
}

/* Sorts lanes by their counts, the largest first, or by their begins. */
static void
sort_lanes(struct tree *tree, size_t first, size_t last, bool by_count)
{
	size_t count = last - first, i;
	struct ranked *list = mem_array(count + 1, sizeof(*list));
	struct tree_lane *lanes = tree->lanes + first;

	for (i = 0; i < count; i++)
		list[i] = (struct ranked){ by_count ?
		    0 - tree->frames[lanes[i].root].total : lanes[i].begin,
		    lanes[i] };
	qsort(list, count, sizeof(*list), compare_ranked);
	for (i = 0; i < count; i++)
		lanes[i] = list[i].lane;
	free(list);
}

/* Returns how many rows the wide frames of a lane have. */
static uint32_t
count_rows(const struct tree *tree, uint32_t root, double pixel)
{
	const struct tree_frame *frames = tree->frames;
	uint32_t frame = root, rows = 1;

	for (;;) {
		if (frames[frame].depth > rows && frames[frame].total >= pixel)
			rows = frames[frame].depth;
		if (frames[frame].first_child != 0) {
			frame = frames[frame].first_child;
			continue;
		}
		while (frame != root && frames[frame].next == 0)
			frame = frames[frame].parent;
		if (frame == root)
			return rows;
		frame = frames[frame].next;
	}
}

/* Drops lanes without a count, and short ones. */
static void
drop_short(struct tree *tree, double least)
{
	size_t kept = 0, i;

	for (i = 0; i < tree->lane_count; i++)
		if (tree->frames[tree->lanes[i].root].total > 0 &&
		    tree->lanes[i].end - tree->lanes[i].begin >= least)
			tree->lanes[kept++] = tree->lanes[i];
	tree->lane_count = kept;
}

size_t
lanes_arrange(struct tree *tree, double least, double pixel)
{
	uint32_t *link = &tree->frames[0].first_child;
	size_t shown, i;

	drop_short(tree, least);
	shown = tree->lane_count;
	if (shown > LANES_SHOWN) {
		shown = LANES_SHOWN - 1;
		sort_lanes(tree, 0, tree->lane_count, true);
	}
	sort_lanes(tree, 0, shown, false);
	sort_lanes(tree, shown, tree->lane_count, false);
	for (i = 0; i < tree->lane_count; i++) {
		*link = tree->lanes[i].root;
		link = &tree->frames[*link].next;
		tree->lanes[i].rows = count_rows(tree, tree->lanes[i].root,
		    pixel);
	}
	*link = 0;
	return shown;
}
