/*
 * calls: the frames that a line of a profile tells, which may be several: a
 * function and those that were inlined into it.
 */
#ifndef CALLS_H
#define CALLS_H

#include "stacks.h"

/* Frames, outermost first, as numbers of names. */
struct calls {
	const uint32_t *frames;
	size_t count;
	bool inlined;		/* debug information tells them */
};

/* The calls found for each key so far. */
struct memo {
	struct table keys;
	struct calls *calls;	/* by a key's number */
	size_t room;
	struct arena arena;	/* for their frames */
};

/* Makes calls of texts; their names are numbers of its table. */
struct namer {
	struct table names;
	uint32_t *list;		/* of the calls made last */
	size_t room;
};

void memo_init(struct memo *memo);

/* Returns the calls noted for a key, or NULL: they are to be noted next. */
const struct calls *memo_find(struct memo *memo, struct str key);

/* Notes the calls for the key that was not found; returns a lasting copy. */
struct calls memo_note(struct memo *memo, struct calls calls);

void memo_free(struct memo *memo);

void namer_init(struct namer *namer);
void namer_free(struct namer *namer);

/*
 * Returns the calls in text, parted by ';'; they live until the next call with
 * this namer.
 */
struct calls namer_calls(struct namer *namer, struct str text);

/* Adds calls outside the frames that the stack has so far. */
static inline void
calls_push(struct stack *stack, struct calls calls)
{
	size_t i;

	for (i = calls.count; i > 0; i--)
		stack_push(stack, calls.frames[i - 1]);
}

#endif
