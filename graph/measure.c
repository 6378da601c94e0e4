#include <math.h>

#include "lanes.h"
#include "lib/message.h"
#include "picture.h"

#define GRAIN		10	/* least widths in which frames are merged */
#define LANE_FRAMES	100000	/* at most, unless --minwidth says so */
#define SHOWN_LOSS	0.02	/* a smaller loss by --total is rounding */

/* Puts lanes one below another; returns the height of those that are shown. */
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

/* Blends narrow frames of lanes; raises the limit until few enough are left. */
static void
blend_lanes(struct picture *picture, struct tree *tree)
{
	uint32_t frame = 0;
	size_t wide;

	for (;; picture->least *= 1.5) {
		lanes_blend(tree, picture->least, picture->least * GRAIN);
		if (!picture->min_adapts)
			return;
		wide = 0;
		do
			wide += tree->frames[frame].total >= picture->least;
		while ((frame = tree_next(tree, frame)) != 0);
		if (wide <= LANE_FRAMES)
			return;
	}
}

/* Returns how high the frames are, and leaves narrow ones out. */
static double
place_frames(struct picture *picture, struct tree *tree)
{
	uint32_t deepest;

	if (tree->in_lanes && tree->changes == NULL && picture->least > 0)
		blend_lanes(picture, tree);
	deepest = layout_prune(tree, picture->least);
	if (!tree->in_lanes)
		return ((double)deepest + 1) * (double)picture->height;
	picture->lanes_shown = lanes_arrange(tree, picture->least,
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
	double counts = tree->in_lanes ? lanes_length(tree) : tree->time;

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
	picture->details_pad = picture->bottom_pad =
	    picture->font_size * 2 + 10;
	if (picture->axis > 0)
		picture->bottom_pad += picture->font_size + 4;
	picture->full_height = picture->top_pad + picture->bottom_pad +
	    place_frames(picture, tree);
	picture->axis_top = picture->full_height - picture->bottom_pad + 3;
}
