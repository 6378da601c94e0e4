/*
 * Lanes are in the order of their first stacks.  If there are many, the small
 * ones come last, as "others", and are hidden until the viewer opens them.
 * Lanes are as high as their stacks up to the last frame that is wide enough to
 * see: deep stacks of one sample would leave most of the picture empty.
 */
#include <math.h>
#include <stdlib.h>

#include "lib/message.h"
#include "lib/sort.h"
#include "picture.h"

#define LANES_SHOWN	50	/* at most, with one for the others */
#define GRAIN		10	/* least widths in which frames are merged */
#define LANE_FRAMES	100000	/* at most, unless --minwidth says so */
#define SHOWN_LOSS	0.02	/* a smaller loss by --total is rounding */
#define ROUNDING	1e-9	/* ends of frames are sums */

static int
compare_lanes(const void *left, const void *right)
{
	const struct tree_lane *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->root < b->root ? -1 : 1;
}

/* Sorts lanes by their counts, the largest first, or by their begins. */
static void
sort_lanes(struct tree *tree, size_t first, size_t last, bool by_count)
{
	struct tree_lane *lane;

	for (lane = tree->lanes + first; lane < tree->lanes + last; lane++)
		lane->rank = by_count ? 0 - tree->frames[lane->root].total :
		    lane->begin;
	qsort(tree->lanes + first, last - first, sizeof(*lane), compare_lanes);
}

/*
 * Orders lanes whose frames are laid out and pruned, drops lanes shorter than
 * `least`, and counts the rows of frames of `pixel` counts or more.  Returns
 * how many are shown.
 */
static size_t
arrange_lanes(struct tree *tree, double least, double pixel)
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

struct blend {
	struct tree *tree;
	double least, grain;
	struct sort_item *list;		/* siblings to merge */
	size_t count, room;
};

/* Merges the list by name from a time on.  Returns where the next is linked. */
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
 * Merges narrow children of a frame that are in the same grain.  Of a merged
 * frame all children are: they have lost their own times, too.
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

/*
 * Merges siblings of the same name, narrower than picture->least, that are
 * within the same grain of time; counts stay the same.  A recording has more
 * samples than a picture has pixels.  Without narrow frames a lane in which no
 * stack stays for long would be empty.  So each grain is a small flame graph:
 *
 *	a b a c a b		a   b  c
 *	main			main
 *
 * Raises the limit until few enough frames are left.
 */
static void
blend_lanes(struct picture *picture, struct tree *tree)
{
	struct blend blend = { .tree = tree };
	uint32_t frame = 0;
	size_t wide;

	for (;; picture->least *= 1.5) {
		blend.least = picture->least;
		blend.grain = picture->least * GRAIN;
		while ((frame = tree_next(tree, frame)) != 0)
			blend_children(&blend, frame);
		wide = 0;
		do
			wide += tree->frames[frame].total >= picture->least;
		while ((frame = tree_next(tree, frame)) != 0);
		if (!picture->min_adapts || wide <= LANE_FRAMES)
			break;
	}
	free(blend.list);
}

/* Puts hidden lanes below the picture.  Returns how high the shown ones are. */
static double
place_lanes(struct picture *picture, struct tree *tree)
{
	double height = (double)picture->height, end = 0, top;
	struct tree_lane *lane;
	size_t i;

	top = picture->top_pad + (picture->inverted ? height + LANE_GAP : 0);
	for (i = 0; i <= tree->lane_count; i++) {
		if (i == picture->lanes_shown) {
			picture->others_top = top;
			if (i < tree->lane_count)
				top += height + LANE_GAP;
			end = top;
			top += height + picture->bottom_pad;
		}
		if (i == tree->lane_count)
			break;
		lane = &tree->lanes[i];
		lane->top = top + PICTURE_GAP;
		top += lane->rows * height + LANE_GAP;
	}
	return end - picture->top_pad + (picture->inverted ? 0 : height);
}

static double
place_frames(struct picture *picture, struct tree *tree)
{
	uint32_t deepest;

	if (tree->in_lanes && tree->changes == NULL && picture->least > 0)
		blend_lanes(picture, tree);
	deepest = layout_prune(tree, picture->least);
	if (!tree->in_lanes)
		return ((double)deepest + 1) * (double)picture->height;
	picture->lanes_shown = arrange_lanes(tree, picture->least,
	    1 / picture->pixels);
	return place_lanes(picture, tree);
}

bool
measure_has_ranges(const struct picture *picture)
{
	return picture->script && picture->tree->chart &&
	    !picture->tree->differential;
}

void
measure_picture(struct picture *picture, struct tree *tree)
{
	double counts = layout_length(tree);

	picture->tree = tree;
	picture->time = counts;
	if (picture->total >= counts)
		picture->time = picture->total;
	else if (picture->total / counts > SHOWN_LOSS)
		message_warn("--total %.15g is ignored, since the counts add "
		    "up to %.15g", picture->total, counts);
	picture->all = tree->in_lanes ? tree->time : picture->time;
	picture->whole = picture->all;
	if (tree->widths != TREE_AFTER)
		picture->whole = fmax(picture->difference.whole[0],
		    picture->difference.whole[1]);
	picture->pixels = (double)(picture->width - 2 * PICTURE_SIDE) /
	    picture->time;
	picture->least = picture->min_percent ?
	    picture->time * picture->min_width / 100 :
	    picture->min_width / picture->pixels;
	picture->top_pad = picture->font_size * 3;
	if (picture->subtitle[0] != '\0')
		picture->top_pad += picture->font_size * 2;
	if (tree->in_lanes && measure_has_ranges(picture))
		picture->top_pad += STRIP_HEIGHT;
	picture->bottom_pad = picture->font_size * 2 + 10;
	if (picture->axis > 0)
		picture->bottom_pad += picture->font_size + 4;
	picture->full_height = picture->top_pad + picture->bottom_pad +
	    place_frames(picture, tree);
	picture->axis_top = picture->full_height - picture->bottom_pad + 3;
}
