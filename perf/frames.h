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

#include "../symbols/addr2line.h"
#include "frameline.h"
#include "../fold/calls.h"
#include "../lib/text.h"

struct frames {
	bool kernel;			/* mark kernel frames with _[k] */
	bool jit;			/* mark jitted frames with _[j] */
	bool addresses;			/* name unknown frames [module <address>] */
	struct addr2line *inliner;	/* NULL: inlined calls are not asked for */
	struct namer namer;
	struct memo places;
	struct text key, name;
};

void frames_init(struct frames *frames);

/*
 * The calls at a place; none for what is no function ("(process name)").  They
 * live as long as frames.
 */
struct calls frames_at(struct frames *frames, const struct place *place);

#endif
