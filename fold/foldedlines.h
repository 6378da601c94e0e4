/*
 * foldedlines: reads the stacks of a program's operands, which are folded text
 * with one count a line, or two; see folded(5).
 *
 *	folded_lines_init(&lines, operands);
 *	while (folded_lines_next(&lines, &line))
 *		add(line.stack, line.count);
 *
 * Comments with a unit are noted.  A file's trouble is reported when it is met,
 * and at the end.  A first Ctrl-C is outlived until a pipe's first
 * line comes: a recorder at its other end prints its stacks then.
 */
#ifndef FOLDEDLINES_H
#define FOLDEDLINES_H

#include "folded.h"
#include "perfile.h"

struct folded_lines {
	struct input input;
	struct file_counts counts;	/* "samples" are stacks */
	struct per_file files;
	const char *const *operands;
	size_t cut;		/* lines that files end in */
	struct folded_unit unit;
	bool has_begun;
};

/* A line; its texts live until the next one is read. */
struct folded_line {
	struct str stack;	/* without counts */
	struct str tail;	/* the counts, and the blank before them */
	double before;		/* the first of two counts, or the only one */
	double count;		/* the last */
	bool has_two;
};

/* Begins before the first of the operands, a list that ends with NULL. */
void folded_lines_init(struct folded_lines *lines, const char *const *operands);

/*
 * Stores the next line that is a stack and a count; false at the end, where
 * lines->input.failed is set if something is lost.  Other lines are counted as
 * odd.  A line that its file ends in counts if it has a count, as in
 * flamegraph.pl, and is reported if there are several files.
 */
bool folded_lines_next(struct folded_lines *lines, struct folded_line *line);

/* Reports a line that its file ends in; it counts, or is left out. */
void folded_tell_cut(const struct input *input, bool counts);

/* Reports how many lines were left out, if any, in flamegraph.pl's words. */
void folded_lines_report_odd(const struct folded_lines *lines);

/* Reports why no line was a stack, if none was, unless that was reported. */
void folded_lines_report_none(const struct folded_lines *lines);

#endif
