#include <math.h>
#include <stdint.h>
#include <string.h>

#include "chance.h"
#include "lib/mem.h"

#define TOLERANCE	1e-6	/* of the least count: scaling rounds */
#define MOST_SAMPLES	50	/* of the least stack in a profile of samples */
#define FEW		8	/* stacks, of which all may be even */
#define ENOUGH		65536	/* values; 2^31 samples may have as many */
#define WHOLE		9007199254740992.0	/* 2^53: no fractions */
#define SAME		1e-6	/* totals that differ by less are equal */

/* Lists a count unless it is listed, or enough are. */
static void
add_count(struct chance_counts *counts, double value)
{
	uint32_t *number;
	uint64_t key;

	if (value <= 0)
		return;
	if (counts->stacks++ == 0 || value < counts->least)
		counts->least = value;
	counts->have_fractions |= value < WHOLE && value != floor(value);
	if (counts->count == ENOUGH)
		return;
	memcpy(&key, &value, sizeof(key));
	number = intmap_at(&counts->known, key);
	if (*number != 0)
		return;
	*LIST_ADD(counts->values, counts->count, counts->room) = value;
	*number = (uint32_t)counts->count;
}

void
chance_add(struct chance *chance, double before, double after)
{
	add_count(&chance->counts[0], before);
	add_count(&chance->counts[1], after);
}

/* True if the least count may be as many samples as the step suggests. */
static bool
is_sample(double step, double least)
{
	return step * MOST_SAMPLES >= least;
}

/* Returns the largest number that divides the step and all values. */
static double
find_step(const struct chance_counts *counts, double step, double least)
{
	const double tolerance = least * TOLERANCE;
	double value, rest;
	size_t i;

	for (i = 0; i < counts->count && is_sample(step, least); i++) {
		/* the greatest common divisor; no value is below the step */
		value = counts->values[i];
		while (step > tolerance) {
			rest = fmod(value, step);
			if (step - rest < tolerance)
				rest = 0;
			value = step;
			step = rest;
		}
		step = value;
	}
	return step;
}

/*
 * Scaled counts have another step than the unscaled ones, but few of them may
 * be its multiples by chance.
 */
const char *
chance_prepare(struct chance *chance, double factor, const double whole[2])
{
	const struct chance_counts *counts = chance->counts;
	bool have_fractions = counts[0].have_fractions ||
	    counts[1].have_fractions;
	double least = counts[0].stacks == 0 ? counts[1].least :
	    counts[1].stacks == 0 ? counts[0].least :
	    fmin(counts[0].least, counts[1].least), both, *sample;
	int side;

	/* what a sample counts if that is the same in both profiles, or 0 */
	both = find_step(&counts[1], find_step(&counts[0], least, least),
	    least);
	if (!is_sample(both, least))
		both = 0;
	for (side = 0; side < 2; side++) {
		chance->whole[side] = whole[side];
		sample = &chance->sample[side];
		*sample = find_step(&counts[side], counts[side].least,
		    counts[side].least);
		if (!is_sample(*sample, counts[side].least))
			*sample = 0;
		if (counts[side].stacks < FEW && !have_fractions && both > 0)
			*sample = both;
		if (*sample <= 0 && factor > 0)
			*sample = 1 / factor;
	}
	for (side = 0; side < 2; side++)
		if (whole[side] > 0 && chance->sample[side] <= 0)
			return "the counts are periods, or were scaled, so "
			    "the number of samples is unknown; --factor gives "
			    "the samples per count";
	return NULL;
}

double
chance_share(const struct chance *chance)
{
	const double *whole = chance->whole;

	return fabs(whole[1] - whole[0]) < SAME * whole[1] ?
	    1 / (whole[0] + whole[1]) : 0;
}

double
chance_sigmas(const struct chance *chance, double before, double after)
{
	const double *sample = chance->sample;
	double variance = (sample[1] * before + sample[0] * after) *
	    (1 - (before + after) * chance_share(chance));

	return variance > 0 ? fabs(after - before) / sqrt(variance) : 0;
}

static double
part(double count, double whole)
{
	return whole > 0 ? count / whole : 0;
}

void
chance_tell(struct text *text, const double of[2], const double whole[2],
    double factor)
{
	double before = of[0] * factor, after = of[1] * factor;

	text_add(text, STR("before "));
	text_add_count(text, before);
	text_add(text, STR(", after "));
	text_add_count(text, after);
	text_add(text, STR(", "));
	text_add_char(text, after < before ? '-' : '+');
	text_add_count(text, fabs(after - before));
	text_add_format(text, ", %+.2f points, ", 100 *
	    (part(of[1], whole[1]) - part(of[0], whole[0])));
	if (of[0] > 0 && of[1] > 0)
		text_add_format(text, "%+.2f%%", 100 * (of[1] / of[0] - 1));
	else
		text_add(text, of[1] > 0 ? STR("new") : of[0] > 0 ?
		    STR("gone") : STR("none"));
}
