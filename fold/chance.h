/*
 * chance: finds whether two counts, before and after, may differ by chance.
 *
 * Profiles are samples: of a function that has not changed, two recordings have
 * n and m samples that differ by a standard error, which is, as far as samples
 * are independent,
 *
 *	sqrt(n + m)			of counts of any size; or
 *	sqrt((n + m) (1 - p))		of totals made equal,
 *
 * where p is the function's part of all.  Where a sample counts s before and t
 * after, for instance as the first profile was scaled, what counts b before and
 * a after has its error, in counts, pooled from both:
 *
 *	sqrt(t b + s a)
 *
 * The counts of stacks are multiples of what a sample counts, and so show it.
 */
#ifndef CHANCE_H
#define CHANCE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/intmap.h"
#include "lib/text.h"

/* The counts of the stacks of one profile. */
struct chance_counts {
	struct intmap known;	/* the values that are listed */
	double *values;		/* different ones, above 0, in their order */
	size_t count, room;
	double least;
	size_t stacks;		/* that have counts */
	bool have_fractions;
};

/* It begins as { 0 }. */
struct chance {
	struct chance_counts counts[2];	/* before and after */
	double sample[2];	/* that a sample counts */
	double whole[2];	/* of all stacks */
};

/* Adds the counts of a stack. */
void chance_add(struct chance *chance, double before, double after);

/*
 * Finds what a sample counts, from all stacks, or from `factor`, the samples
 * that a count is, or 0.  Returns NULL, or the reason why chance is unknown.
 */
const char *chance_prepare(struct chance *chance, double factor,
    const double whole[2]);

/* Returns a count's share of both profiles; 0 if their totals are unlike. */
double chance_share(const struct chance *chance);

/* Returns the size of a change in standard errors, after chance_prepare. */
double chance_sigmas(const struct chance *chance, double before, double after);

/* Adds "before 10, after 44, +34, +1.20 points, +340.00%" about two counts. */
void chance_tell(struct text *text, const double of[2], const double whole[2],
    double factor);

#endif
