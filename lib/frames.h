/*
 * frames: the names, in a folded stack, of the frames that an address stands
 * for.  What comes in is an address, its symbol and its module as a profiler
 * prints them; what comes out is names in a table.
 *
 * An address may be several frames: a chain of inlined Java calls "a->b", or
 * what addr2line knows about inlined functions.
 */
#ifndef FRAMES_H
#define FRAMES_H

#include "addr2line.h"
#include "place.h"
#include "stacks.h"
#include "table.h"
#include "text.h"

/* Calls, outermost first, as numbers of names. */
struct calls {
	const uint32_t *frames;
	size_t count;
	bool inlined;		/* they are addr2line's answer */
};

/* The calls found for each key so far. */
struct memo {
	struct table keys;
	struct calls *calls;		/* by a key's number */
	size_t room;
	struct arena arena;		/* for their frames */
};

struct frames {
	bool kernel;			/* mark kernel frames with _[k] */
	bool jit;			/* mark jitted frames with _[j] */
	bool addresses;			/* name unknown frames [module <address>] */
	struct addr2line *inliner;	/* NULL: inlined calls are not asked for */
	struct table names;
	struct memo places;
	uint32_t *list;			/* of the calls made last */
	size_t list_room;
	struct text key, name;
};

void memo_init(struct memo *memo);

/* The calls noted for a key, or NULL: then they are to be noted next. */
const struct calls *memo_find(struct memo *memo, struct str key);

/* Notes the calls for the key that was not found; a copy that lasts. */
struct calls memo_note(struct memo *memo, struct calls calls);

void frames_init(struct frames *frames);

/*
 * The calls at a place; none for what is no function ("(process name)").  They
 * live as long as frames.
 */
struct calls frames_at(struct frames *frames, const struct place *place);

/* The calls in text, parted by ';'; they live until the next call of frames. */
struct calls frames_in(struct frames *frames, struct str text);

/* Adds calls outside the frames that the stack has so far. */
static inline void
frames_push(struct stack *stack, struct calls calls)
{
	size_t i;

	for (i = calls.count; i > 0; i--)
		stack_push(stack, calls.frames[i - 1]);
}

#endif
