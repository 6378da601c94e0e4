/*
 * Rows are the different heights of frames, and the root has the lowest one, or
 * the highest if the picture hangs down.  Edges are rounded, all in the same
 * way.  So a frame is on the last one of the row below that does not begin
 * after it, unless that has no counts left: narrow frames may begin at the same
 * tenth of a pixel.
 *
 * In lanes a row is told by its distance from that of the lane's first frame.
 */
#include <math.h>
#include <stdlib.h>

#include "nesting.h"

#define NO_LEVEL	DRAWING_NONE
#define ROW_GAP		1	/* pixels between a frame and the one on it */

static int
compare_numbers(double a, double b)
{
	return a < b ? -1 : a > b;
}

static int
compare_heights(const void *a, const void *b)
{
	return compare_numbers(*(const double *)a, *(const double *)b);
}

/* Returns the heights of rows in their order, and stores how many there are. */
static double *
list_rows(const struct drawing *drawing, size_t *count)
{
	double *rows = mem_array(drawing->count, sizeof(*rows));
	size_t i;

	for (i = 0; i < drawing->count; i++)
		rows[i] = drawing->frames[i].y;
	qsort(rows, drawing->count, sizeof(*rows), compare_heights);
	*count = 0;
	for (i = 0; i < drawing->count; i++)
		if (i == 0 || rows[i] != rows[*count - 1])
			rows[(*count)++] = rows[i];
	return rows;
}

static size_t
find_row(const double *rows, size_t count, double y)
{
	return (size_t)((const double *)bsearch(&y, rows, count,
	    sizeof(*rows), compare_heights) - rows);
}

/* Returns how many rows a frame of a lane is from the root's. */
static double
lane_level(const struct drawn_frame *lane, const struct drawn_frame *frame)
{
	double rows = rint(fabs(frame->y - lane->y) / (lane->height + ROW_GAP));

	return rows <= NESTING_DEEPEST ? rows + 1 : NESTING_DEEPEST + 1;
}

static void
find_levels(struct drawing *drawing)
{
	size_t count, at, i;
	double *rows = list_rows(drawing, &count);
	size_t root = find_row(rows, count, drawing->frames[drawing->root].y);
	const struct drawn_frame *lane = NULL;
	struct drawn_frame *frame;
	bool hangs = root == 0;

	for (i = 0; i < drawing->count; i++) {
		frame = &drawing->frames[i];
		if (frame->is_lane)
			lane = frame;
		at = find_row(rows, count, frame->y);
		at = hangs ? at - root : root - at;
		if (lane != NULL)
			at = (size_t)lane_level(lane, frame);
		frame->level = at > NESTING_DEEPEST ? NO_LEVEL : (uint32_t)at;
	}
	free(rows);
}

/* Finds parents where they come before what is on them. */
static void
follow_order(struct drawing *drawing)
{
	uint32_t *path = mem_array(NESTING_DEEPEST + 1, sizeof(*path));
	struct drawn_frame *frame;
	uint32_t i, depth = 0;		/* frames of the path */

	for (i = drawing->root; i < drawing->count; i++) {
		frame = &drawing->frames[i];
		if (frame->level > depth || (frame->level == 0 && depth > 0))
			continue;
		if (frame->level > 0)
			frame->parent = path[frame->level - 1];
		path[frame->level] = i;
		depth = frame->level + 1;
	}
	free(path);
}

/* A frame, for sorting. */
struct placed {
	uint32_t level, frame;
	double x;
	double left;		/* counts that are not yet of others on it */
};

static int
compare_places(const void *a, const void *b)
{
	const struct placed *one = a, *other = b;

	if (one->level != other->level)
		return one->level < other->level ? -1 : 1;
	if (one->x != other->x)
		return compare_numbers(one->x, other->x);
	return one->frame < other->frame ? -1 : one->frame > other->frame;
}

/*
 * Returns the frame at `below` or before it that has the counts for this one;
 * of those that have not, that at `below`.
 */
static size_t
choose(const struct drawing *drawing, const struct placed *list, size_t first,
    size_t below, const struct drawn_frame *frame)
{
	const struct drawn_frame *other;
	size_t at = below, tries = 16;

	for (; tries > 0; tries--, at--) {
		other = &drawing->frames[list[at].frame];
		if (list[at].left >= frame->totals[SVG_AFTER] &&
		    other->x + other->width >= frame->x)
			return at;
		if (at == first)
			break;
	}
	return below;
}

/* Finds the parents of a row's frames among those of the row below. */
static void
place_row(struct drawing *drawing, struct placed *list, size_t below,
    size_t start, size_t end)
{
	size_t first = below, at, chosen;
	struct drawn_frame *frame;

	for (at = start; at < end; at++) {
		frame = &drawing->frames[list[at].frame];
		while (below + 1 < start && list[below + 1].x <= list[at].x)
			below++;
		chosen = choose(drawing, list, first, below, frame);
		list[chosen].left -= frame->totals[SVG_AFTER];
		frame->parent = list[chosen].frame;
	}
}

static void
find_places(struct drawing *drawing)
{
	struct placed *list = mem_array(drawing->count, sizeof(*list));
	size_t count = 0, below = 0, start, end;
	struct drawn_frame *frame;
	uint32_t i;

	for (i = 0; i < drawing->count; i++) {
		frame = &drawing->frames[i];
		if (frame->level != NO_LEVEL &&
		    (frame->level > 0 || i == drawing->root))
			list[count++] = (struct placed){ frame->level, i,
			    frame->x, frame->totals[SVG_AFTER] };
	}
	qsort(list, count, sizeof(*list), compare_places);
	for (start = 1; start < count; below = start, start = end) {
		for (end = start; end < count &&
		    list[end].level == list[start].level; end++)
			continue;
		if (list[start].level > list[below].level + 1)
			break;
		place_row(drawing, list, below, start, end);
	}
	free(list);
}

void
nesting_find(struct drawing *drawing)
{
	if (!drawing->has_levels)
		find_levels(drawing);
	if (drawing->ordered)
		follow_order(drawing);
	else
		find_places(drawing);
}
