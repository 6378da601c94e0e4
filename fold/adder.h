/*
 * adder: adds lines of folded text, "main;parse;read 12", to stacks, as a
 * collapser does with its samples.
 *
 * Lines that are left out make the input fail: those with two counts, with a
 * count that is not whole, with no count, of which the first one of each file
 * is told; and one that its file ends in, of which digits may be missing.
 */
#ifndef ADDER_H
#define ADDER_H

#include "calls.h"
#include "lib/input.h"
#include "lib/text.h"
#include "timeline.h"

/* All threads share this; it begins as { 0 }. */
struct adder_notes {
	const char *told;	/* the last file of which a line was told */
};

/* A frame of the stack that was added last. */
struct adder_step {
	uint32_t name;
	size_t end;		/* of it in that stack */
};

/* A thread has one of these, which begins with the first five set. */
struct adder {
	struct input *input;
	struct adder_notes *notes;
	struct namer *namer;
	struct stacks *stacks;
	struct timeline *const *timeline;	/* to NULL: no order is kept */
	struct text last;		/* the stack that was added last */
	struct adder_step *path;	/* its frames, from its root */
	size_t depth, room;
	struct stack stack;
	const char *told;	/* a file of which this thread told a line */
	size_t left_out;	/* lines */
};

/* Adds the line that was read last; true if it was a stack, not a comment. */
bool adder_line(struct adder *adder, struct str line);

#endif
