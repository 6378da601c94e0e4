/*
 * places: finds the calls at an address of a process or the kernel.
 *
 * Most addresses are of a function that another address was of.  So functions
 * are known by ranges: those of addresses in maps, and those of places in a
 * module, which are the same in all processes:
 *
 *	process 10  7f2a00401000 to 7f2a00401080   \
 *	                                             malloc
 *	/usr/lib/libc.so.6     1000 to     1080    /
 */
#ifndef PLACES_H
#define PLACES_H

#include "frames.h"
#include "modules.h"

/* The calls at all addresses of a range. */
struct place {
	uint64_t of;		/* a number of maps or a module; 0: empty */
	uint64_t start;
	uint32_t len;
	uint32_t count;
	const uint32_t *frames;	/* outermost first */
	const struct module *unknown;	/* in which they have no function, or
					   NULL */
};

/* The calls of a function, known by the place of its name in memory. */
struct place_function {
	const char *name;		/* NULL: empty */
	const struct module *module;
	bool java;
	struct calls calls;
};

/* A thread has one of these. */
struct places {
	struct frames *frames;
	enum frame_lines lines;
	const struct maps *kernel;	/* to be set, with what may change... */
	struct module *kernel_module;	/* ...and NULL while it is not known */

	struct place *recent;		/* by a hash of address and maps */
	struct place *by_place;		/* by one of place and module */
	struct place_function *by_name;	/* by one of a name */
	struct place nowhere[2];	/* in no module; in java */
	struct text address, symbol, module;
	struct debug_functions functions;	/* at the last one of these */
};

/* How an address is looked up, beside its maps: flags. */
enum { PLACE_JAVA = 1, PLACE_INLINED = 2 };

/* Where addresses are looked up, and how. */
struct place_context {
	const struct maps *maps;	/* NULL: none */
	uint64_t of;
};

void places_init(struct places *places, struct frames *frames,
    enum frame_lines lines);
void places_free(struct places *places);

struct place_context places_context(const struct maps *maps, unsigned how);

/* Finds the calls at an address; they are there until the next question. */
const struct place *places_find(struct places *places,
    struct place_context context, uint64_t ip);

#endif
