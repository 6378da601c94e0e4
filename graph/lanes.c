#include <math.h>
#include <stdlib.h>

#include "lanes.h"
#include "lib/sort.h"

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

size_t
lanes_arrange(struct tree *tree, double least, double pixel)
{
	struct tree_frame *frames = tree->frames;
	uint32_t *link = &frames[0].first_child, frame;
	struct tree_lane *lane;
	size_t shown = 0, i;

	for (i = 0; i < tree->lane_count; i++)
		if (frames[tree->lanes[i].root].total > 0 &&
		    tree->lanes[i].end - tree->lanes[i].begin >= least)
			tree->lanes[shown++] = tree->lanes[i];
	tree->lane_count = shown;
	if (shown > LANES_SHOWN) {
		shown = LANES_SHOWN - 1;
		sort_lanes(tree, 0, tree->lane_count, true);
	}
	sort_lanes(tree, 0, shown, false);
	sort_lanes(tree, shown, tree->lane_count, false);
	for (i = 0; i < tree->lane_count; i++) {
		lane = &tree->lanes[i];
		*link = lane->root;
		link = &frames[lane->root].next;
		/* the rows of its wide frames; the next lane's root ends it */
		lane->rows = 1;
		for (frame = frames[lane->root].first_child;
		    frame != 0 && frames[frame].depth > 1;
		    frame = tree_next(tree, frame))
			if (frames[frame].depth > lane->rows &&
			    frames[frame].total >= pixel)
				lane->rows = frames[frame].depth;
	}
	*link = 0;
	return shown;
}

/* Ends of frames are sums, and may be rounded. */
#define ROUNDING	1e-9

struct blend {
	struct tree *tree;
	double least, grain;
	struct sort_item *list;		/* siblings to merge */
	size_t count, room;
};

/*
 * Merges the frames of the list by name, and links them from a time on.
 * Returns where the next one is linked.
 */
static uint32_t *
link_merged(struct blend *blend, uint32_t *link, double time)
{
	struct tree_frame *frames = blend->tree->frames, *frame;
	struct sort_item *list = blend->list;
	uint32_t number, head = 0, *child;
	size_t i;

	if (blend->count > 1)
		sort_items(list, blend->count);
	for (i = 0; i < blend->count; i++) {
		number = (uint32_t)list[i].number;
		frame = &frames[number];
		/* its children move with it */
		frame->blended |= blend->count > 1;
		if (i > 0 && str_equal(frame->name, frames[head].name)) {
			frames[head].self += frame->self;
			frames[head].total += frame->total;
			/* its children become the head's */
			for (child = &frame->first_child; *child != 0;
			    child = &frames[*child].next)
				frames[*child].parent = head;
			*child = frames[head].first_child;
			frames[head].first_child = frame->first_child;
		} else {
			*link = head = number;
			link = &frame->next;
			frame->start = time;
		}
		time += frame->total;
	}
	return link;
}

/* True if a frame is narrow, and within a grain. */
static bool
is_within(const struct blend *blend, const struct tree_frame *frame,
    double grain)
{
	return frame->total < blend->least &&
	    frame->start >= grain * blend->grain &&
	    frame->start + frame->total <=
	    (grain + 1 + ROUNDING) * blend->grain;
}

/*
 * Merges narrow children of a frame that are in the same grain.  All children
 * of a merged frame are merged: they have lost their own times, too.
 */
static void
blend_children(struct blend *blend, uint32_t parent)
{
	struct tree_frame *frames = blend->tree->frames;
	uint32_t *link = &frames[parent].first_child, child = *link;
	bool all = frames[parent].blended;
	double start, grain;

	while (child != 0) {
		blend->count = 0;
		start = all ? frames[parent].start + frames[parent].self :
		    frames[child].start;
		grain = floor(start / blend->grain);
		do {
			frames[child].blended |= all;
			*LIST_ADD(blend->list, blend->count, blend->room) =
			    (struct sort_item){ frames[child].name, child };
			child = frames[child].next;
		} while (child != 0 && (all || (is_within(blend,
		    &frames[child], grain) && is_within(blend,
		    &frames[blend->list[0].number], grain))));
		link = link_merged(blend, link, start);
	}
	*link = 0;
}

void
lanes_blend(struct tree *tree, double least, double grain)
{
	struct blend blend = { .tree = tree, .least = least, .grain = grain };
	uint32_t frame;

	for (frame = tree_next(tree, 0); frame != 0;
	    frame = tree_next(tree, frame))
		blend_children(&blend, frame);
	free(blend.list);
}
