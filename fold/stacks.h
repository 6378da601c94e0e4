/*
 * stacks: how often each stack was seen, for printing as folded lines.
 *
 * A stack is a sequence of frames, leaf first, and a frame the number of its
 * name in a table.  No name holds a ';', so that two stacks are the same when,
 * and only when, their folded texts are.
 */
#ifndef STACKS_H
#define STACKS_H

#include <stdio.h>

#include "paths.h"

/* A stack that is built from its leaf to its root; it begins as { 0 }. */
struct stack {
	uint32_t *frames;	/* leaf first */
	size_t depth, room;
};

struct stacks {
	struct paths paths;		/* a stack's number is its path's */
	unsigned long long *counts;	/* by that */
	size_t counted, room;		/* of the counts */
	bool overflowed;		/* a count passed UINT64_MAX */
	struct stack batch;		/* stacks added last, end to end */
	size_t batch_ends[PATHS_BATCH];
	unsigned long long batch_counts[PATHS_BATCH];
	size_t batched;
};

void stacks_init(struct stacks *stacks);
void stacks_free(struct stacks *stacks);

/* Adds a frame outside those that the stack has so far. */
static inline void
stack_push(struct stack *stack, uint32_t frame)
{
	if (stack->depth == stack->room)
		stack->frames = mem_grow(stack->frames, &stack->room,
		    stack->depth + 1, sizeof(*stack->frames));
	stack->frames[stack->depth++] = frame;
}

/* Counts the stack `count` times; a sum stops at UINT64_MAX. */
void stacks_add(struct stacks *stacks, const struct stack *stack,
    unsigned long long count);

/*
 * Stores the numbers of up to PATHS_BATCH stacks, whose frames are end to end,
 * those of stack i up to ends[i].  New ones are added, and counted 0 times.
 */
void stacks_number(struct stacks *stacks, const uint32_t *frames,
    const size_t *ends, size_t count, uint32_t *numbers);

/* Counts the stack with this number, as stacks_add does. */
void stacks_count(struct stacks *stacks, uint32_t number,
    unsigned long long count);

/* Pushes the frames of the stack with this number onto another one. */
void stacks_get(const struct stacks *stacks, uint32_t number,
    struct stack *stack);

/*
 * Brings what was added last into the tree and the counts, as is done now and
 * then; until that is done overflowed may not be set.
 */
void stacks_settle(struct stacks *stacks);

/* Adds those of `from`, which are stacks of other names. */
void stacks_merge(struct stacks *stacks, struct table *names,
    struct stacks *from, const struct table *from_names);

/*
 * Prints "root;...;leaf count" for every stack, in the byte order of their
 * texts.
 */
void stacks_print(struct stacks *stacks, const struct table *names, FILE *out);

#endif
