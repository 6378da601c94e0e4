#include <math.h>

#include "layout.h"
#include "lib/message.h"
#include "measure.h"

#define SHOWN_LOSS	0.02	/* a smaller loss by --total is rounding */

static uint32_t
max_depth(const struct tree *tree)
{
	uint32_t frame = 0, depth = 0;

	do {
		if (tree->frames[frame].depth > depth)
			depth = tree->frames[frame].depth;
		frame = tree_next(tree, frame);
	} while (frame != 0);
	return depth;
}

void
measure_picture(struct picture *picture, struct tree *tree)
{
	double counts = tree->time;

	picture->tree = tree;
	picture->time = counts;
	if (picture->total >= counts)
		picture->time = picture->total;
	else if (picture->total / counts > SHOWN_LOSS)
		message_warn("--total %.15g is ignored, since the counts add "
		    "up to %.15g", picture->total, counts);
	picture->whole = picture->time;
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
	picture->details_pad = picture->bottom_pad =
	    picture->font_size * 2 + 10;
	if (picture->axis > 0)
		picture->bottom_pad += picture->font_size + 4;
	layout_prune(tree, picture->least);
	picture->full_height = picture->top_pad + picture->bottom_pad +
	    ((double)max_depth(tree) + 1) * (double)picture->height;
	picture->axis_top = picture->full_height - picture->bottom_pad + 3;
}
