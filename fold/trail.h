/*
 * trail: the frames of the stack that came last, each with a number of the
 * caller's.  Neighbouring lines share most of their frames: only what differs
 * from the last stack has to be looked up.
 *
 *	names = trail_follow(&trail, stack);
 *	(undo what was done for frames from trail.depth on)
 *	while (names.len > 0) {
 *		name = str_cut(&names, ';');
 *		trail_push(&trail, find(name), name);
 *	}
 */
#ifndef TRAIL_H
#define TRAIL_H

#include <stdint.h>

#include "lib/mem.h"
#include "lib/text.h"

struct trail_step {
	uint32_t number;
	size_t end;		/* of the frame's name in the stack */
};

/* It begins as { 0 }. */
struct trail {
	struct trail_step *steps;	/* from the root to the leaf */
	size_t depth, room;
	struct text last;		/* the stack */
	bool is_raw;			/* set by the caller: names stay as
					   they are; else utf8_clean() is
					   applied to them */
	struct arena scratch;		/* for names that were made clean */
};

/*
 * Makes this stack the last one, and cuts the steps to the frames that both
 * begin with.  Returns the names of the others, valid as long as the stack and
 * until the next call.  An empty name at the end of the stack is left out.
 */
struct str trail_follow(struct trail *trail, struct str stack);

/* Adds the step of the next name. */
static inline void
trail_push(struct trail *trail, uint32_t number, struct str name)
{
	size_t start = trail->depth == 0 ? 0 :
	    trail->steps[trail->depth - 1].end + 1;

	*LIST_ADD(trail->steps, trail->depth, trail->room) =
	    (struct trail_step){ number, start + name.len };
}

/* Adds a step with its name, already clean, to the last stack. */
static inline void
trail_extend(struct trail *trail, uint32_t number, struct str name)
{
	if (trail->depth > 0)
		text_add_char(&trail->last, ';');
	text_add(&trail->last, name);
	trail_push(trail, number, name);
}

#endif
