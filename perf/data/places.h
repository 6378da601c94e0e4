/*
 * places: finds the calls at an address of a process or the kernel.
 *
 * Most addresses are of a function that another address was of.  So functions
 * are known by ranges of places in a module, the same in all processes:
 *
 *	process 10  7f2a00401000 to 7f2a00401080   \
 *	                                             /usr/lib/libc.so.6  malloc
 *	process 11  7efc80051000 to 7efc80051080   /       1000 to 1080
 */
#ifndef PLACES_H
#define PLACES_H

#include "modules.h"
#include "perf/frames.h"

/* The calls at all places of a range in a module. */
struct place {
	uint64_t of;		/* the module, and how; 0: empty */
	uint64_t start;
	uint32_t len;
	unsigned is_unknown : 1;	/* there is no function */
	unsigned count : 31;
	const uint32_t *frames;	/* outermost first */
};

/*
 * Addresses that are in one map, or in none.  Their codes are the same wherever
 * the module is mapped:
 *
 *	7f2a00401010, in a map of module 4	5 << 47 | 1010
 *	12ab, in no map				0
 */
struct place_span {
	uint64_t start, len;
	const struct module *module;	/* NULL: none */
	uint64_t shift;		/* to what they are in the module */
	uint64_t code;		/* to their codes, where these are not 0 */
	bool has_codes;		/* unless the module, or they, are too large */
};

/* One that was asked for. */
struct place_recent {
	unsigned long long version;	/* of the maps; 0: empty */
	struct place_span span;
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

	struct place_recent *recent;	/* by a hash of version and address */
	struct place *known;		/* by one of module and place */
	void *known_memory;
	struct place_function *by_name;	/* by one of a name */
	struct place nowhere[2];	/* in no module; in java */
	struct debug_functions functions;	/* at the last one of these */
};

/* How an address is looked up, beside its maps: flags. */
enum { PLACE_JAVA = 1, PLACE_INLINED = 2, PLACE_HOW = 3 };

/* An address that is looked up. */
struct place_sought {
	struct place *known;	/* where its place is, or will be; NULL: in no
				   module */
	uint64_t address;	/* in the module */
	uint64_t of;		/* as in a place */
};

void places_init(struct places *places, struct frames *frames,
    enum frame_lines lines);
void places_free(struct places *places);

/* Where addresses are looked up: in maps, which may be NULL, and how. */
struct place_context {
	const struct maps *maps;
	unsigned how;
};

/*
 * To find the calls at an address waits for memory.  So this begins to look for
 * some, in words of 8 bytes, and before places_find goes on others are begun.
 */
void places_seek(struct places *places, struct place_context context,
    struct str words, struct place_sought *sought);

/* Spans that were found last, by their maps and this much of an address. */
#define PLACES_RECENT_BITS	8
#define PLACES_SPAN_BITS	20

/* Does the work of places_span for a span that was not found lately. */
void places_find_span(struct place_recent *recent, const struct maps *maps,
    uint64_t address);

/* Returns the span of an address, which is there until the next question. */
static inline const struct place_span *
places_span(struct places *places, const struct maps *maps, uint64_t address)
{
	uint64_t hash = (address >> PLACES_SPAN_BITS ^ maps->version << 32) *
	    UINT64_C(0x9E3779B97F4A7C15);
	struct place_recent *recent =
	    &places->recent[hash >> (64 - PLACES_RECENT_BITS)];

	if (recent->version != maps->version ||
	    address - recent->span.start >= recent->span.len)
		places_find_span(recent, maps, address);
	return &recent->span;
}

/* Does the work of places_find for an address whose place is not known. */
const struct place *places_learn(struct places *places,
    const struct place_sought *sought);

/* Finds the calls at an address; they are there until the next question. */
static inline const struct place *
places_find(struct places *places, const struct place_sought *sought)
{
	const struct place *known = sought->known;

	return known != NULL && known->of == sought->of &&
	    sought->address - known->start < known->len ? known :
	    places_learn(places, sought);
}

/* Returns the module in which a place has no function, or NULL. */
static inline const struct module *
place_unknown(const struct place *place)
{
	return place->is_unknown ? (const struct module *)(uintptr_t)
	    (place->of & ~(uint64_t)PLACE_HOW) : NULL;
}

#endif
