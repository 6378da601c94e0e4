/*
 * difference: shows a frame's two counts and their change, and whether they may
 * differ by chance; or, for counts of two events, their ratio:
 *
 *	before 10, after 44, +34, +1.20 points, +340.00%; self before ...
 *	cycles 1,200, instructions 800, ratio 1.5, 2 times the whole's; self ...
 */
#ifndef DIFFERENCE_H
#define DIFFERENCE_H

#include "fold/chance.h"
#include "tree.h"

/* It begins as { 0 }; the caller sets those in front of `whole`. */
struct difference {
	bool by_ratio;		/* of the counts, not by their change */
	struct str names[2];	/* of the counts, if by ratio */
	double noise;		/* standard errors that are chance; 0: none */
	double factor;		/* samples that a count is; 0: unknown */
	double whole[2];	/* all counts */
	struct chance chance;	/* if noise is above 0 */
};

enum difference_side {
	SIDE_BOTH,
	SIDE_AFTER,		/* the frame is new */
	SIDE_BEFORE		/* it is gone */
};

/* By enum tree_widths, and NULL. */
extern const char *const difference_widths_names[];

/*
 * Takes the numbers from a tree that is laid out and has changes.  Returns
 * NULL, or the reason why chance cannot be computed.
 */
const char *difference_prepare(struct difference *difference,
    const struct tree *tree);

/* Returns the change that colours a frame. */
double difference_change(const struct tree *tree,
    const struct tree_frame *frame);

enum difference_side difference_side(const struct tree *tree,
    const struct tree_frame *frame);

/*
 * Returns the binary logarithm of a frame's ratio to that of all counts: 1 if
 * it is twice as large; 0 if the frame has neither count.
 */
double difference_lean(const struct difference *difference,
    const struct tree *tree, const struct tree_frame *frame);

/*
 * Adds "1.5", the ratio of all counts times `factor`, to three digits;
 * "infinite" if there is no second count, and "none" if there is neither.
 */
void difference_add_ratio(const struct difference *difference, double factor,
    struct text *text);

/*
 * Adds "800 instructions; ratio 1.5": the count that does not make the frame's
 * width, times `factor`, and the ratio.
 */
void difference_add_other(const struct difference *difference,
    const struct tree *tree, const struct tree_frame *frame, double factor,
    struct text *text);

/* True if the change that colours a frame may be chance. */
bool difference_is_noise(const struct difference *difference,
    const struct tree *tree, const struct tree_frame *frame);

/* Adds the counts and their change, times `factor`. */
void difference_tell(const struct difference *difference,
    const struct tree *tree, const struct tree_frame *frame, double factor,
    struct text *text);

#endif
