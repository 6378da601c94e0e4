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
	struct module *module;	/* NULL: empty, or in no module */
	uint64_t start;
	uint32_t len;
	unsigned how : 2;		/* flags */
	unsigned is_unknown : 1;	/* there is no function */
	unsigned art : 3;		/* an art_frame */
	unsigned count : 26;
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
	uint64_t version;	/* the generation of maps; 0: not found yet */
	uint64_t start, len;
	struct module *module;	/* NULL: none */
	uint64_t shift;		/* to what they are in the module */
	uint64_t code;		/* to their codes, where these are not 0 */
	bool has_codes;		/* unless the module, or they, are too large */
};

#define SYMBOLIZER_RECENT_BITS	8
#define SYMBOLIZER_SPAN_BITS	20	/* of addresses with the same hash */

/* Begins as { 0 }, with symbolizer_init(). */
struct symbolizer {
	struct frames *frames;
	enum frame_lines lines;
	struct module *kernel_module;	/* to be set; NULL while not known */

	/* Spans that were found last, by their maps and address. */
	struct place_span recent[1 << SYMBOLIZER_RECENT_BITS];
	struct place *known;		/* by one of module and place */
	void *known_memory;
	struct place nowhere;		/* what was asked for last in no map */
	struct debug_functions functions;	/* at the last one of these */
};

/* How an address is looked up, beside its maps: flags. */
enum { PLACE_JAVA = 1, PLACE_INLINED = 2, PLACE_KERNEL = 4 };

/* An address that is looked up. */
struct place_sought {
	struct place *known;	/* where its place is, or will be; NULL: in no
				   module */
	uint64_t address;	/* in the module */
	struct module *module;
	unsigned how;
};

void symbolizer_init(struct symbolizer *symbolizer, struct frames *frames,
    enum frame_lines lines);
void symbolizer_free(struct symbolizer *symbolizer);

/*
 * Begins to look for some addresses, in words of 8 bytes, by maps; `how` has
 * flags.  symbolizer_find() waits for memory, so several are begun before it.
 */
void symbolizer_seek(struct symbolizer *symbolizer, const struct maps *maps,
    unsigned how, struct str words, struct place_sought *sought);

/* Does the work of symbolizer_span for a span that was not found lately. */
void symbolizer_find_span(struct place_span *span, const struct maps *maps,
    uint64_t address);

/* Returns the span around an address, valid until the next call. */
static inline const struct place_span *
symbolizer_span(struct symbolizer *symbolizer, const struct maps *maps,
    uint64_t version, uint64_t address)
{
	uint64_t hash = (address >> SYMBOLIZER_SPAN_BITS ^ version ^
	    version << 32) * UINT64_C(0x9E3779B97F4A7C15);
	struct place_span *span =
	    &symbolizer->recent[hash >> (64 - SYMBOLIZER_RECENT_BITS)];

	if (span->version != version || address - span->start >= span->len)
		symbolizer_find_span(span, maps, address);
	return span;
}

/* Does the work of symbolizer_find for an address whose place is not known. */
const struct place *symbolizer_learn(struct symbolizer *symbolizer,
    const struct place_sought *sought);

/* Finds the calls at an address; they are there until the next question. */
static inline const struct place *
symbolizer_find(struct symbolizer *symbolizer,
    const struct place_sought *sought)
{
	const struct place *known = sought->known;

	return known != NULL && known->module == sought->module &&
	    known->how == sought->how &&
	    sought->address - known->start < known->len ? known :
	    symbolizer_learn(symbolizer, sought);
}

#endif
