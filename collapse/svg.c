/*
 * stackcollapse-svg: folds the frames of flame graphs, for profiles of which
 * only the picture is left:
 *
 *	<title>parse (35 samples, 100.00%)</title><rect .../>
 *	<title>read (12 samples, 34.29%)</title><rect .../>	on parse
 *
 * A frame's count less those of the frames on it is its own:
 *
 *	parse 23
 *	parse;read 12
 *
 * Pictures of two profiles become lines with two counts.
 */
#include <math.h>
#include <stdlib.h>

#include "collapse/svg/drawing.h"
#include "fold/collapse.h"
#include "lib/message.h"

/* A picture may not be larger. */
#define MOST	((size_t)INT32_MAX)

#define NO_LEVEL	DRAWING_NONE
#define ROW_GAP		1	/* pixels between a frame and the one on it */

/* Of sums, less is due to their rounding. */
#define FRACTION	1e-12

#define NARROW	STR("[unknown]")	/* frames on the root, left out */

static bool reverse;

/* The own counts of a stack, or a frame. */
struct own {
	double of[2];
};

struct svg {
	struct fold fold;
	struct own *counts;		/* by the number of a stack */
	size_t room;
	bool differential;		/* a picture had two counts */
	struct stack frames;		/* of a stack, root first */
	unsigned long long guessed;	/* counts */
	unsigned long long misplaced;	/* frames on none, or with more than
					   the one that they are on */
	unsigned long long inexact;	/* counts of before */
	unsigned long long narrow;	/* frames without width */
};

/*
 * Parents.
 *
 * Rows are the different heights of frames, and the root has the lowest one, or
 * the highest if the picture hangs down.  Edges are rounded, all in the same
 * way.  So a frame is on the last one of the row below that does not begin
 * after it, unless that has no counts left: narrow frames may begin at the same
 * tenth of a pixel.
 *
 * In lanes, a row is the distance from the lane's first frame.
 */

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
		return one->x < other->x ? -1 : 1;
	return one->frame < other->frame ? -1 : one->frame > other->frame;
}

static void
find_levels(struct drawing *drawing)
{
	struct placed *list = mem_array(drawing->count, sizeof(*list));
	const struct drawn_frame *lane = NULL;
	struct drawn_frame *frame;
	size_t root, at;
	double from_lane;
	uint32_t row = 0, i;

	/* number the rows: all levels are 0, and x is a height */
	for (i = 0; i < drawing->count; i++)
		list[i] = (struct placed){ .frame = i,
		    .x = drawing->frames[i].y };
	qsort(list, drawing->count, sizeof(*list), compare_places);
	for (i = 0; i < drawing->count; i++) {
		row += i > 0 && list[i].x != list[i - 1].x;
		drawing->frames[list[i].frame].level = row;
	}
	root = drawing->frames[drawing->root].level;
	for (i = 0; i < drawing->count; i++) {
		frame = &drawing->frames[i];
		if (frame->is_lane)
			lane = frame;
		at = root == 0 ? frame->level : root - frame->level;
		if (lane != NULL) {
			from_lane = rint(fabs(frame->y - lane->y) /
			    (lane->height + ROW_GAP));
			at = from_lane <= DRAWING_DEEPEST ?
			    (size_t)from_lane + 1 : DRAWING_DEEPEST + 1;
		}
		frame->level = at > DRAWING_DEEPEST ? NO_LEVEL : (uint32_t)at;
	}
	free(list);
}

/* Finds parents in a picture that draws them before their children. */
static void
follow_order(struct drawing *drawing)
{
	uint32_t *path = mem_array(DRAWING_DEEPEST + 1, sizeof(*path));
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

/*
 * Finds the parents of a row's frames in the row below.  That is the last frame
 * which does not begin after this one, or one of the 15 before it if these have
 * the counts that it lacks.
 */
static void
place_row(struct drawing *drawing, struct placed *list, size_t below,
    size_t start, size_t end)
{
	size_t first = below, at, chosen, tried;
	const struct drawn_frame *other;
	struct drawn_frame *frame;

	for (at = start; at < end; at++) {
		frame = &drawing->frames[list[at].frame];
		while (below + 1 < start && list[below + 1].x <= list[at].x)
			below++;
		chosen = below;
		for (tried = 0; tried < 16 && tried <= below - first; tried++) {
			other = &drawing->frames[list[below - tried].frame];
			if (list[below - tried].left >=
			    frame->totals[SVG_AFTER] &&
			    other->x + other->width >= frame->x) {
				chosen = below - tried;
				break;
			}
		}
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

/*
 * Counts.
 */

static struct own *
counts_of(struct svg *svg, uint32_t stack)
{
	svg->counts = mem_grow_zero(svg->counts, &svg->room, (size_t)stack + 1,
	    sizeof(*svg->counts));
	return &svg->counts[stack];
}

/* Makes of a difference what it would be without rounding. */
static double
settle(struct svg *svg, double own, double total)
{
	if (fabs(own) <= FRACTION * total)
		return 0;
	if (own >= 0 && isfinite(own))
		return own;
	svg->misplaced++;
	return 0;
}

static void
count_frame(struct svg *svg, const struct drawing *drawing, uint32_t number,
    struct own own)
{
	const struct drawn_frame *frame = &drawing->frames[number];
	double all = drawing->frames[drawing->root].totals[SVG_AFTER];
	struct stack *stack = &svg->fold.stack, *frames = &svg->frames;
	struct own *counts;
	size_t i;

	own.of[SVG_AFTER] = settle(svg, own.of[SVG_AFTER],
	    frame->totals[SVG_AFTER]);
	if (drawing->own_changes) {
		/* the change was told to 0.01 % of all */
		own.of[SVG_BEFORE] = fmax(rint(own.of[SVG_AFTER] -
		    frame->change), 0);
		svg->inexact += all / 10000 > 1 && frame->change != 0;
	} else if (drawing->differential)
		own.of[SVG_BEFORE] = settle(svg, own.of[SVG_BEFORE],
		    frame->totals[SVG_BEFORE]);
	else
		own.of[SVG_BEFORE] = own.of[SVG_AFTER];
	if (own.of[SVG_BEFORE] <= 0 && own.of[SVG_AFTER] <= 0)
		return;
	stack->depth = frames->depth = 0;
	for (; number != drawing->root; number = drawing->frames[number].parent)
		stack_push(frames, drawing->frames[number].name);
	if (frames->depth == 0)		/* the root has no name */
		stack_push(frames, fold_name(&svg->fold, NARROW));
	for (i = 0; i < frames->depth; i++)
		stack_push(stack, frames->frames[reverse ?
		    frames->depth - 1 - i : i]);
	counts = counts_of(svg, fold_number(&svg->fold));
	counts->of[SVG_BEFORE] += own.of[SVG_BEFORE];
	counts->of[SVG_AFTER] += own.of[SVG_AFTER];
	svg->fold.counts.samples++;
}

static void
fold_drawing(struct svg *svg, struct drawing *drawing)
{
	struct own *own = mem_array(drawing->count, sizeof(*own));
	const struct drawn_frame *frame = drawing->frames;
	uint32_t i;
	int of;

	if (!drawing->has_levels)
		find_levels(drawing);
	if (drawing->ordered)
		follow_order(drawing);
	else
		find_places(drawing);
	/* subtract the counts of frames from their parents' */
	for (i = 0; i < drawing->count; i++, frame++) {
		if (i != drawing->root && frame->parent == DRAWING_NONE) {
			svg->misplaced++;
			continue;
		}
		for (of = 0; of < 2; of++) {
			own[i].of[of] += frame->totals[of];
			if (i != drawing->root)
				own[frame->parent].of[of] -= frame->totals[of];
		}
	}
	for (i = 0, frame = drawing->frames; i < drawing->count; i++, frame++) {
		if (i == drawing->root || frame->parent != DRAWING_NONE)
			count_frame(svg, drawing, i, own[i]);
		/* places alone do not tell what it is on */
		svg->narrow += !drawing->ordered && frame->width <= 0 &&
		    frame->totals[SVG_AFTER] > 0;
	}
	svg->differential |= drawing->differential;
	svg->guessed += drawing->guessed;
	free(own);
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct drawing drawing = { .count = 0 };
	struct str text;
	const char *reason = content_all(content, &text, MOST) ?
	    drawing_read(&drawing, fold, text) : content->trouble;

	if (reason == NULL && drawing.narrow.data != NULL)
		reason = narrow_read(&drawing, fold);
	if (reason == NULL) {
		drawing_complete(&drawing);
		fold_drawing((struct svg *)fold, &drawing);
	}
	drawing_free(&drawing);
	return reason;
}

static void
add_counts(void *fold, uint32_t number, struct text *line)
{
	struct svg *svg = fold;
	struct own own = *counts_of(svg, number);

	if (svg->differential) {
		folded_add_value(line, own.of[SVG_BEFORE]);
		text_add_char(line, ' ');
	}
	folded_add_value(line, own.of[SVG_AFTER]);
}

static void
report(struct fold *fold)
{
	const struct svg *svg = (const struct svg *)fold;

	if (svg->misplaced > 0)
		message_warn("frames without a parent, or wider than it: "
		    "%llu; their counts are wrong or left out", svg->misplaced);
	fold->lost |= svg->misplaced > 0;
	if (svg->narrow > 0)
		message_warn("frames too narrow to find their parent: %llu; "
		    "they may be in other stacks", svg->narrow);
	if (svg->guessed > 0)
		message_warn("counts without a title, estimated from the "
		    "widths of frames: %llu", svg->guessed);
	if (svg->inexact > 0)
		message_warn("counts of before, known only to 0.01 %% of the "
		    "total: %llu", svg->inexact);
}

static const struct option options[] = {
	{ "reverse", OPTION_FLAG, &reverse, NULL,
	    "turn the stacks over, of a picture with --reverse" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_SVG], .size = sizeof(struct svg),
	.file = fold_file, .report = report, .counts = add_counts,
	.nothing = "no frame has a count",
	.options = options,
};
