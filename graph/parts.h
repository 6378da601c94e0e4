/*
 * parts: what is wrong with each file of a picture's stacks, so that none is
 * missing without a word.
 *
 * A file is refused if it is binary.  One that has no stacks is told by its
 * name, and so is one that ends inside a line; what that line has is counted,
 * as flamegraph.pl does, if it is a stack and a count.
 */
#ifndef PARTS_H
#define PARTS_H

#include "lib/input.h"

struct parts {
	struct input *input;
	const size_t *read, *ignored;	/* lines so far, of all files */
	bool are_named;			/* they are operands... */
	bool several;			/* ...and more than one */
	size_t read_before, ignored_before;	/* this file */
	const char *name;		/* of this file; NULL: there is none */
	const char *looks;		/* what it looks like */
};

/* Begins before the input's first line; all pointers live until the end. */
void parts_init(struct parts *parts, struct input *input,
    const char *const *operands, const size_t *read, const size_t *ignored);

/* Tells that the file ends inside the line given out last, which is counted. */
void parts_cut(const struct parts *parts, bool is_counted);

/* Ends the last file. */
void parts_end(struct parts *parts);

/* True if the file ends inside the line given out last. */
static inline bool
parts_is_cut(const struct parts *parts)
{
	return parts->input->data[parts->input->start - 1] != '\n';
}

#endif
