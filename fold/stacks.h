/*
 * stacks: how often each stack was seen, for printing as folded lines.
 *
 * A stack is a sequence of frames, leaf first, and a frame the number of its
 * name in a table.  No name holds a ';', so that two stacks are the same when,
 * and only when, their folded texts are.
 *
 * They are kept as the paths of a tree, and share their beginnings:
 *
 *	main;parse;file;read	main 2 --- parse;file;read 1
 *	main;draw		       \-- draw 3
 *
 * Frames are one node as long as no path branches off among them; then the node
 * is parted: here node 1 was all of the first path until the second one came.
 * A stack's number is that of the node in which its path ends, 1 and 3, and
 * stays the same.  A million stacks that begin alike need 60 MB or so; their
 * frames one after another would need several times as much.
 */
#ifndef STACKS_H
#define STACKS_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/table.h"
#include "lib/text.h"

/* A stack that is built from its leaf to its root; it begins as { 0 }. */
struct stack {
	uint32_t *frames;	/* leaf first */
	size_t depth, room;
};

/* Frames, each the caller of the next one. */
struct path_node {
	uint32_t parent;	/* the node that called the first one, or 0 */
	uint32_t frame;		/* number of the first name, and PATH_END */
	uint32_t rest;		/* where the other frames begin */
	uint32_t more;		/* how many others there are */
};

#define PATH_END	UINT32_C(0x80000000)	/* a path ends here */

struct paths {
	struct path_node *nodes;	/* by number; 0 has no frame */
	uint32_t count;		/* of nodes */
	uint32_t ends;		/* of nodes in which a path ends */
	size_t room;
	uint32_t *frames;	/* of nodes, except the first of each */
	size_t frames_count, frames_room;
	uint32_t *children;	/* nodes by parent and frame; 0: none */
	unsigned children_bits;		/* of a child's hash */
	uint64_t multiplier;		/* for the hash */
	/* ends by all frames of their paths: most stacks are not new */
	struct table_slot *slots;
	size_t slots_mask, slots_used;
};

#define PATHS_BATCH	16

struct stacks {
	struct paths paths;		/* a stack's number is its path's */
	unsigned long long *counts;	/* by a stack's number */
	size_t counted, room;		/* of the counts */
	bool overflowed;		/* a count passed UINT64_MAX */
	struct stack batch;		/* stacks added last, end to end */
	size_t batch_ends[PATHS_BATCH];
	unsigned long long batch_counts[PATHS_BATCH];
	size_t batched;
};

void stacks_init(struct stacks *stacks);
void stacks_free(struct stacks *stacks);

/* Adds a frame outside the stack. */
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

/* Returns a count, rounded; one that is too large becomes UINT64_MAX. */
unsigned long long stacks_round(struct stacks *stacks, double count);

/* Pushes the frames of the stack with this number onto another one. */
void stacks_get(const struct stacks *stacks, uint32_t number,
    struct stack *stack);

/* Brings the stacks added last into the tree, the counts and `overflowed`. */
void stacks_settle(struct stacks *stacks);

/* Adds the counts of the stack with this number, to its line. */
typedef void listing_counter(void *context, uint32_t number, struct text *line);

/*
 * Prints all stacks, after settling them, as folded text in byte order,
 * "root;...;leaf count".  The counts are those of the stacks if add_counts is
 * NULL.
 */
void listing_print(struct stacks *stacks, const struct table *names,
    listing_counter *add_counts, void *context, FILE *out);

static inline bool
path_ends(const struct paths *paths, uint32_t node)
{
	return (paths->nodes[node].frame & PATH_END) != 0;
}

/* Returns the first frame of a node. */
static inline uint32_t
path_frame(const struct paths *paths, uint32_t node)
{
	return paths->nodes[node].frame & ~PATH_END;
}

/* Returns a frame of a node, counted from 0. */
static inline uint32_t
path_frame_at(const struct paths *paths, uint32_t node, uint32_t i)
{
	return i == 0 ? path_frame(paths, node) :
	    paths->frames[paths->nodes[node].rest + i - 1];
}

#endif
