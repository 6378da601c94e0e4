/*
 * symbolizer: finds the calls at an address of a process or the kernel.
 *
 * Most addresses are of a function that another address was of.  So functions
 * are known by ranges of places in a module, the same in all processes:
 *
 *	process 10  7f2a00401000 to 7f2a00401080   \
 *	                                             /usr/lib/libc.so.6  malloc
 *	process 11  7efc80051000 to 7efc80051080   /       1000 to 1080
 */
#ifndef SYMBOLIZER_H
#define SYMBOLIZER_H

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
	uint64_t version;	/* of the maps; 0: empty */
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
struct symbolizer {
	struct frames *frames;
	enum frame_lines lines;
	struct module *kernel_module;	/* to be set; NULL while not known */

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

void symbolizer_init(struct symbolizer *symbolizer, struct frames *frames,
    enum frame_lines lines);
void symbolizer_free(struct symbolizer *symbolizer);

/* Where addresses are looked up, and how. */
struct place_context {
	struct maps_view maps;
	bool in_kernel;
	unsigned how;
};

/*
 * To find the calls at an address waits for memory.  So this begins to look for
 * some, in words of 8 bytes, and before symbolizer_find goes on others are begun.
 */
void symbolizer_seek(struct symbolizer *symbolizer, struct place_context context,
    struct str words, struct place_sought *sought);

/* Spans that were found last, by their maps and this much of an address. */
#define SYMBOLIZER_RECENT_BITS	8
#define SYMBOLIZER_SPAN_BITS	20

/* Does the work of symbolizer_span for a span that was not found lately. */
void symbolizer_find_span(struct place_recent *recent, struct maps_view maps,
    uint64_t address);

/*
 * Returns the span of an address in maps of a version, which is there until the
 * next question.
 */
static inline const struct place_span *
symbolizer_span(struct symbolizer *symbolizer, struct maps_view maps,
    uint64_t version, uint64_t address)
{
	uint64_t hash = (address >> SYMBOLIZER_SPAN_BITS ^ version ^
	    version << 32) * UINT64_C(0x9E3779B97F4A7C15);
	struct place_recent *recent =
	    &symbolizer->recent[hash >> (64 - SYMBOLIZER_RECENT_BITS)];

	if (recent->version != version ||
	    address - recent->span.start >= recent->span.len) {
		recent->version = version;
		symbolizer_find_span(recent, maps, address);
	}
	return &recent->span;
}

/* Does the work of symbolizer_find for an address whose place is not known. */
const struct place *symbolizer_learn(struct symbolizer *symbolizer,
    const struct place_sought *sought);

/* Finds the calls at an address; they are there until the next question. */
static inline const struct place *
symbolizer_find(struct symbolizer *symbolizer, const struct place_sought *sought)
{
	const struct place *known = sought->known;

	return known != NULL && known->of == sought->of &&
	    sought->address - known->start < known->len ? known :
	    symbolizer_learn(symbolizer, sought);
}

/* Returns the module in which a place has no function, or NULL. */
static inline const struct module *
place_unknown(const struct place *place)
{
	return place->is_unknown ? (const struct module *)(uintptr_t)
	    (place->of & ~(uint64_t)PLACE_HOW) : NULL;
}

#endif
