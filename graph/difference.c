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
total_counts(const struct tree *tree, const struct tree_frame *frame)
{
	const struct frame_change *change =
	    &tree->changes[frame - tree->frames];

	return (struct change_counts){ { change->before,
	    change->before + change->total } };
}

static struct change_counts
own_counts(const struct tree *tree, const struct tree_frame *frame)
{
	const struct frame_change *change =
	    &tree->changes[frame - tree->frames];

	return (struct change_counts){ { change->own_before,
	    change->own_before + change->own } };
}

const char *
difference_prepare(struct difference *difference, const struct tree *tree)
{
	struct change_counts all = total_counts(tree, &tree->frames[0]), own;
	uint32_t i;
	int side;

	for (side = 0; side < 2; side++)
		difference->whole[side] = all.of[side];
	if (difference->noise <= 0)
		return NULL;
	for (i = 0; i < tree->count; i++) {
		own = own_counts(tree, &tree->frames[i]);
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
	struct change_counts total = total_counts(tree, frame);

	if (total.of[0] > 0)
		return total.of[1] > 0 ? SIDE_BOTH : SIDE_BEFORE;
	return total.of[1] > 0 ? SIDE_AFTER : SIDE_BOTH;
}

/* Returns the change in standard errors. */
static double
find_sigmas(const struct difference *difference, struct change_counts counts)
{
	return chance_sigmas(&difference->chance, counts.of[0], counts.of[1]);
}

bool
difference_is_noise(const struct difference *difference,
    const struct tree *tree, const struct tree_frame *frame)
{
	bool one_side = tree->widths != TREE_AFTER &&
	    difference_side(tree, frame) != SIDE_BOTH;

	return difference->noise > 0 && find_sigmas(difference,
	    tree->by_total || one_side ? total_counts(tree, frame) :
	    own_counts(tree, frame)) < difference->noise;
}

void
difference_add_rule(const struct difference *difference, struct text *text)
{
	const struct chance *chance = &difference->chance;

	text_add_format(text, "%.17g %.17g %.17g %.17g", difference->noise,
	    chance->sample[0], chance->sample[1], chance_share(chance));
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
	double lean = log2(ratio_of(total_counts(tree, frame).of) /
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
	struct change_counts total = total_counts(tree, frame);
	int other = tree->widths == TREE_BEFORE;

	text_add_count(text, total.of[other] * factor);
	text_add_char(text, ' ');
	text_add(text, difference->names[other]);
	text_add(text, STR("; ratio "));
	add_ratio(ratio_of(total.of), text);
}

/*
 * Adds what chance_tell does, or of a ratio "cycles 1,200, instructions 800,
 * ratio 1.5, 2 times the whole's".
 */
static void
tell_counts(const struct difference *difference, struct change_counts counts,
    double factor, struct text *text)
{
	double ratio = ratio_of(counts.of);
	int i;

	if (!difference->by_ratio) {
		chance_tell(text, counts.of, difference->whole, factor);
		if (difference->noise > 0)
			text_add_format(text, ", %.1f sigma",
			    find_sigmas(difference, counts));
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
	struct change_counts own = own_counts(tree, frame);
	struct change_counts total = total_counts(tree, frame);

	tell_counts(difference, total, factor, text);
	if (own.of[0] <= 0 && own.of[1] <= 0)
		return;
	text_add(text, STR("; self "));
	if (fabs(own.of[0] - total.of[0]) + fabs(own.of[1] - total.of[1]) > 0)
		tell_counts(difference, own, factor, text);
	else
		text_add(text, STR("the same"));
}
