#include <math.h>

#include "difference.h"
#include "svg.h"

#define TOLERANCE	1e-6	/* of the least count: scaling rounds */
#define MOST_SAMPLES	50	/* of the least stack in a profile of samples */
#define FEW		8	/* so few stacks may all be even by chance */
#define WHOLE		9007199254740992.0	/* 2^53: no fractions */
#define SAME		1e-6	/* totals that differ by less are equal */

/* The counts of a frame, or of its own samples, before and after. */
struct change_counts {
	double of[2];
};

static const char *const widths_names[] = {
	[TREE_AFTER] = "after", [TREE_BEFORE] = "before", [TREE_SUM] = "sum",
	[TREE_CHANGE] = "change",
};

bool
difference_widths(const char *name, enum tree_widths *widths)
{
	size_t i, count = sizeof(widths_names) / sizeof(*widths_names);

	for (i = 0; i < count && strcmp(name, widths_names[i]) != 0; i++)
		continue;
	if (i < count)
		*widths = (enum tree_widths)i;
	return i < count;
}

const char *
difference_widths_name(enum tree_widths widths)
{
	return widths_names[widths];
}

static struct change_counts
total_counts(const struct tree *tree, const struct tree_frame *frame)
{
	const struct frame_change *change = &tree->changes[frame - tree->frames];

	return (struct change_counts){ { change->before,
	    change->before + change->total } };
}

static struct change_counts
own_counts(const struct tree *tree, const struct tree_frame *frame)
{
	const struct frame_change *change = &tree->changes[frame - tree->frames];

	return (struct change_counts){ { change->own_before,
	    change->own_before + change->own } };
}

/* Returns the largest number that divides a and b; a is not less than b. */
static double
common_step(double a, double b, double tolerance)
{
	double rest;

	while (b > tolerance) {
		rest = fmod(a, b);
		if (b - rest < tolerance)
			rest = 0;
		a = b;
		b = rest;
	}
	return a;
}

/* The counts of all stacks of one profile, or of both. */
struct counted {
	double least;		/* above 0 */
	double step;		/* the largest number that divides all */
	size_t stacks;
	bool whole;		/* no count has a fraction */
};

static void
find_least(struct counted *counted, const struct tree *tree, int side)
{
	double own;
	uint32_t i;

	for (i = 0; i < tree->count; i++) {
		own = own_counts(tree, &tree->frames[i]).of[side];
		if (own <= 0)
			continue;
		counted->stacks++;
		counted->whole &= own >= WHOLE || own == floor(own);
		if (counted->least <= 0 || own < counted->least)
			counted->least = own;
	}
}

/* True if the least count may be as many samples as the step makes of it. */
static bool
has_step(const struct counted *counted)
{
	return counted->step * MOST_SAMPLES >= counted->least;
}

static void
find_step(struct counted *counted, const struct tree *tree, int side)
{
	double own;
	uint32_t i;

	for (i = 0; i < tree->count && has_step(counted); i++) {
		own = own_counts(tree, &tree->frames[i]).of[side];
		if (own > 0)
			counted->step = common_step(own, counted->step,
			    counted->least * TOLERANCE);
	}
}

/* Returns what a sample counts in profiles from one side to another, or 0. */
static double
find_sample(struct counted *counted, const struct tree *tree, int from, int to)
{
	int side;

	*counted = (struct counted){ .whole = true };
	for (side = from; side <= to; side++)
		find_least(counted, tree, side);
	counted->step = counted->least;
	for (side = from; side <= to; side++)
		find_step(counted, tree, side);
	return has_step(counted) ? counted->step : 0;
}

/*
 * Finds what a sample counts.  Scaled counts have another step than the counts
 * that they are compared with; but the step of a few counts may be a multiple
 * of the true one by chance.
 */
static void
find_steps(struct difference *difference, const struct tree *tree)
{
	struct counted counted[3];
	double both = find_sample(&counted[2], tree, 0, 1);
	int side;

	for (side = 0; side < 2; side++) {
		difference->step[side] = find_sample(&counted[side], tree,
		    side, side);
		if (counted[side].stacks < FEW && counted[2].whole && both > 0)
			difference->step[side] = both;
		if (difference->step[side] <= 0 && difference->factor > 0)
			difference->step[side] = 1 / difference->factor;
	}
}

const char *
difference_prepare(struct difference *difference, const struct tree *tree)
{
	struct change_counts all = total_counts(tree, &tree->frames[0]);
	int side;

	if (difference->noise > 0)
		find_steps(difference, tree);
	for (side = 0; side < 2; side++) {
		difference->whole[side] = all.of[side];
		if (difference->noise > 0 && all.of[side] > 0 &&
		    difference->step[side] <= 0)
			return "counts are not a number of samples each, but "
			    "periods that vary, or scaled and cut ones; "
			    "--factor tells how many samples a count is";
	}
	return NULL;
}

double
difference_change(const struct tree *tree, const struct tree_frame *frame)
{
	const struct frame_change *change = &tree->changes[frame - tree->frames];

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

/* Returns the share of all that a count is, or 0 if the totals are unlike. */
static double
share_of(const struct difference *difference)
{
	const double *whole = difference->whole;

	return fabs(whole[1] - whole[0]) < SAME * whole[1] ?
	    1 / (whole[0] + whole[1]) : 0;
}

/* Returns the change in standard errors. */
static double
find_sigmas(const struct difference *difference, struct change_counts counts)
{
	const double *step = difference->step, *of = counts.of;
	double variance = (step[1] * of[0] + step[0] * of[1]) *
	    (1 - (of[0] + of[1]) * share_of(difference));

	return variance > 0 ? fabs(of[1] - of[0]) / sqrt(variance) : 0;
}

/* Returns the counts whose change colours a frame. */
static struct change_counts
coloured_counts(const struct tree *tree, const struct tree_frame *frame)
{
	bool one_side = tree->widths != TREE_AFTER &&
	    difference_side(tree, frame) != SIDE_BOTH;

	return tree->by_total || one_side ? total_counts(tree, frame) :
	    own_counts(tree, frame);
}

bool
difference_is_noise(const struct difference *difference,
    const struct tree *tree, const struct tree_frame *frame)
{
	return difference->noise > 0 && find_sigmas(difference,
	    coloured_counts(tree, frame)) < difference->noise;
}

void
difference_add_rule(const struct difference *difference, struct text *text)
{
	text_add_format(text, "%.17g %.17g %.17g %.17g", difference->noise,
	    difference->step[0], difference->step[1], share_of(difference));
}

static void
add_signed(struct text *text, double number)
{
	text_add_char(text, number < 0 ? '-' : '+');
	svg_thousands(text, fabs(number));
}

static double
part(double count, double whole)
{
	return whole > 0 ? count / whole : 0;
}

static void
tell_counts(const struct difference *difference, struct change_counts counts,
    double factor, struct text *text)
{
	const double *of = counts.of, *whole = difference->whole;
	double before = rint(of[0] * factor), after = rint(of[1] * factor);

	text_add(text, STR("before "));
	svg_thousands(text, before);
	text_add(text, STR(", after "));
	svg_thousands(text, after);
	text_add(text, STR(", "));
	add_signed(text, after - before);
	text_add_format(text, ", %+.2f points, ", 100 *
	    (part(of[1], whole[1]) - part(of[0], whole[0])));
	if (of[0] > 0 && of[1] > 0)
		text_add_format(text, "%+.2f%%", 100 * (of[1] / of[0] - 1));
	else
		text_add(text, of[1] > 0 ? STR("new") : of[0] > 0 ?
		    STR("gone") : STR("none"));
	if (difference->noise > 0)
		text_add_format(text, ", %.1f sigma",
		    find_sigmas(difference, counts));
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
