#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "difference.h"

/* The counts of a frame, or of its own samples, before and after. */
struct change_counts {
	double of[2];
};

const char *const difference_widths_names[] = {
	[TREE_AFTER] = "after", [TREE_BEFORE] = "before", [TREE_SUM] = "sum",
	[TREE_CHANGE] = "change", NULL
};

static struct change_counts
counts_of(const struct tree *tree, const struct tree_frame *frame, bool is_own)
{
	const struct frame_change *change =
	    &tree->changes[frame - tree->frames];
	double before = is_own ? change->own_before : change->before;

	return (struct change_counts){ { before,
	    before + (is_own ? change->own : change->total) } };
}

const char *
difference_prepare(struct difference *difference, const struct tree *tree)
{
	struct change_counts all = counts_of(tree, tree->frames, false), own;
	uint32_t i;
	int side;

	for (side = 0; side < 2; side++)
		difference->whole[side] = all.of[side];
	if (difference->noise <= 0)
		return NULL;
	for (i = 0; i < tree->count; i++) {
		own = counts_of(tree, &tree->frames[i], true);
		chance_add(&difference->chance, own.of[0], own.of[1]);
	}
	return chance_prepare(&difference->chance, difference->factor,
	    all.of);
}

double
difference_change(const struct tree *tree, const struct tree_frame *frame)
{
	const struct frame_change *change =
	    &tree->changes[frame - tree->frames];

	return tree->by_total ? change->total : change->own;
}

enum difference_side
difference_side(const struct tree *tree, const struct tree_frame *frame)
{
	struct change_counts total = counts_of(tree, frame, false);

	if (total.of[0] > 0)
		return total.of[1] > 0 ? SIDE_BOTH : SIDE_BEFORE;
	return total.of[1] > 0 ? SIDE_AFTER : SIDE_BOTH;
}

bool
difference_is_noise(const struct difference *difference,
    const struct tree *tree, const struct tree_frame *frame)
{
	bool one_side = tree->widths != TREE_AFTER &&
	    difference_side(tree, frame) != SIDE_BOTH;
	struct change_counts counts = counts_of(tree, frame,
	    !tree->by_total && !one_side);

	return difference->noise > 0 && chance_sigmas(&difference->chance,
	    counts.of[0], counts.of[1]) < difference->noise;
}

/* Returns the ratio of two counts; NAN of none. */
static double
ratio_of(const double of[2])
{
	return of[1] > 0 ? of[0] / of[1] : of[0] > 0 ? INFINITY : NAN;
}

double
difference_lean(const struct difference *difference, const struct tree *tree,
    const struct tree_frame *frame)
{
	double lean = log2(ratio_of(counts_of(tree, frame, false).of) /
	    ratio_of(difference->whole));

	return isnan(lean) ? 0 : lean;
}

/* Adds a ratio to three digits, as the viewer does. */
static void
add_ratio(double ratio, struct text *text)
{
	char digits[32];

	if (!isfinite(ratio)) {
		text_add(text, isnan(ratio) ? STR("none") : STR("infinite"));
		return;
	}
	snprintf(digits, sizeof(digits), "%.3g", ratio);
	text_add_format(text, "%.15g", strtod(digits, NULL));
}

void
difference_add_ratio(const struct difference *difference, double factor,
    struct text *text)
{
	add_ratio(ratio_of(difference->whole) * factor, text);
}

void
difference_add_other(const struct difference *difference,
    const struct tree *tree, const struct tree_frame *frame, double factor,
    struct text *text)
{
	struct change_counts total = counts_of(tree, frame, false);
	int other = tree->widths == TREE_BEFORE;

	text_add_count(text, total.of[other] * factor);
	text_add_char(text, ' ');
	text_add(text, difference->names[other]);
	text_add(text, STR("; ratio "));
	add_ratio(ratio_of(total.of), text);
}

static void
tell_counts(const struct difference *difference, struct change_counts counts,
    double factor, struct text *text)
{
	double ratio = ratio_of(counts.of);
	int i;

	if (!difference->by_ratio) {
		chance_tell(text, counts.of, difference->whole, factor);
		if (difference->noise > 0)
			text_add_format(text, ", %.1f sigma", chance_sigmas(
			    &difference->chance, counts.of[0], counts.of[1]));
		return;
	}
	for (i = 0; i < 2; i++) {
		text_add(text, difference->names[i]);
		text_add_char(text, ' ');
		text_add_count(text, counts.of[i] * factor);
		text_add(text, STR(", "));
	}
	text_add(text, STR("ratio "));
	add_ratio(ratio, text);
	text_add(text, STR(", "));
	add_ratio(ratio / ratio_of(difference->whole), text);
	text_add(text, STR(" times the whole's"));
}

void
difference_tell(const struct difference *difference, const struct tree *tree,
    const struct tree_frame *frame, double factor, struct text *text)
{
	struct change_counts own = counts_of(tree, frame, true);
	struct change_counts total = counts_of(tree, frame, false);

	tell_counts(difference, total, factor, text);
	if (own.of[0] <= 0 && own.of[1] <= 0)
		return;
	text_add(text, STR("; self "));
	if (fabs(own.of[0] - total.of[0]) + fabs(own.of[1] - total.of[1]) > 0)
		tell_counts(difference, own, factor, text);
	else
		text_add(text, STR("the same"));
}
