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
#include "collapse/svg/nesting.h"
#include "fold/collapse.h"
#include "fold/folded.h"
#include "lib/content.h"
#include "lib/message.h"

/* A picture may not be larger. */
#define MOST	((size_t)INT32_MAX)

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
	size_t counted, room;
	bool differential;		/* a picture had two counts */
	struct stack frames;		/* of a stack, root first */
	unsigned long long guessed;	/* counts */
	unsigned long long misplaced;	/* frames on none, or with more than
					   the one that they are on */
	unsigned long long inexact;	/* counts of before */
	unsigned long long narrow;	/* frames without width */
};

static struct own *
counts_of(struct svg *svg, uint32_t stack)
{
	svg->counts = mem_grow(svg->counts, &svg->room, (size_t)stack + 1,
	    sizeof(*svg->counts));
	for (; svg->counted <= stack; svg->counted++)
		svg->counts[svg->counted] = (struct own){ { 0, 0 } };
	return &svg->counts[stack];
}

/* Takes the counts of frames off those that they are on. */
static struct own *
find_own(struct svg *svg, const struct drawing *drawing)
{
	struct own *own = mem_array(drawing->count, sizeof(*own));
	const struct drawn_frame *frame;
	uint32_t i;
	int of;

	for (i = 0; i < drawing->count; i++) {
		frame = &drawing->frames[i];
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
	return own;
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

/* Finds the count of before from the change, which is told in per cent. */
static double
own_before(struct svg *svg, const struct drawing *drawing, double after,
    double change)
{
	double step = drawing->frames[drawing->root].totals[SVG_AFTER] / 10000;
	double before = rint(after - change);

	svg->inexact += step > 1 && change != 0;
	return before > 0 ? before : 0;
}

/* Adds a frame's stack; the root has no name. */
static void
push_stack(struct svg *svg, const struct drawing *drawing, uint32_t frame)
{
	struct stack *stack = &svg->fold.stack, *frames = &svg->frames;
	size_t i;

	stack->depth = frames->depth = 0;
	for (; frame != drawing->root; frame = drawing->frames[frame].parent)
		stack_push(frames, drawing->frames[frame].name);
	if (frames->depth == 0)
		stack_push(frames, fold_name(&svg->fold, NARROW));
	for (i = 0; i < frames->depth; i++)
		stack_push(stack, frames->frames[reverse ?
		    frames->depth - 1 - i : i]);
}

static void
count_frame(struct svg *svg, const struct drawing *drawing, uint32_t number,
    struct own own)
{
	const struct drawn_frame *frame = &drawing->frames[number];
	struct own *counts;

	own.of[SVG_AFTER] = settle(svg, own.of[SVG_AFTER],
	    frame->totals[SVG_AFTER]);
	if (drawing->own_changes)
		own.of[SVG_BEFORE] = own_before(svg, drawing,
		    own.of[SVG_AFTER], frame->change);
	else if (drawing->differential)
		own.of[SVG_BEFORE] = settle(svg, own.of[SVG_BEFORE],
		    frame->totals[SVG_BEFORE]);
	else
		own.of[SVG_BEFORE] = own.of[SVG_AFTER];
	if (own.of[SVG_BEFORE] <= 0 && own.of[SVG_AFTER] <= 0)
		return;
	push_stack(svg, drawing, number);
	counts = counts_of(svg, fold_number(&svg->fold));
	counts->of[SVG_BEFORE] += own.of[SVG_BEFORE];
	counts->of[SVG_AFTER] += own.of[SVG_AFTER];
	svg->fold.counts.samples++;
}

/*
 * Returns how many frames have no width where places alone tell what they are
 * on.
 */
static unsigned long long
count_narrow(const struct drawing *drawing)
{
	unsigned long long count = 0;
	uint32_t i;

	for (i = 0; !drawing->ordered && i < drawing->count; i++)
		count += drawing->frames[i].width <= 0 &&
		    drawing->frames[i].totals[SVG_AFTER] > 0;
	return count;
}

static void
fold_drawing(struct svg *svg, struct drawing *drawing)
{
	struct own *own;
	uint32_t i;

	nesting_find(drawing);
	own = find_own(svg, drawing);
	for (i = 0; i < drawing->count; i++)
		if (i == drawing->root ||
		    drawing->frames[i].parent != DRAWING_NONE)
			count_frame(svg, drawing, i, own[i]);
	svg->differential |= drawing->differential;
	svg->guessed += drawing->guessed;
	svg->narrow += count_narrow(drawing);
	free(own);
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct drawing drawing = { .count = 0 };
	struct str text;
	const char *reason = content_all(content, &text, MOST) ?
	    drawing_read(&drawing, fold, text) : content->trouble;

	if (reason == NULL)
		fold_drawing((struct svg *)fold, &drawing);
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

	if (fold->counts.samples == 0 && !fold->refused)
		message_warn("no frame has a count");
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

static const struct format format = {
	.kind = &kinds[KIND_SVG],
	.size = sizeof(struct svg),
	.file = fold_file,
	.report = report,
	.counts = add_counts,
	.options = options,
};

int
main(int argc, char **argv)
{
	(void)argc;
	return collapse(&format, argv);
}
