/*
 * calls: the frames of a line of a profile: a function, and perhaps others that
 * were inlined into it.  They are made of text once, and kept by a key.
 */
#ifndef CALLS_H
#define CALLS_H

#include <stdint.h>

#include "stacks.h"

/* Frames, outermost first, as numbers of names. */
struct calls {
	const uint32_t *frames;
	size_t count;
	bool inlined;		/* debug information has them */
};

/* The calls found for each key so far; it begins as { 0 }. */
struct memo {
	struct table keys;
	struct calls *calls;	/* by a key's number */
	size_t room;
	struct arena arena;	/* for their frames */
};

/* Makes calls of text; `names` numbers their names.  It begins as { 0 }. */
struct namer {
	struct table names;
	uint32_t *list;		/* of the calls made last */
	size_t room;
};

/* Returns the calls of a key; NULL if the caller is to note them next. */
const struct calls *memo_find(struct memo *memo, struct str key);

/* Notes the calls for the key that was not found; returns a lasting copy. */
struct calls memo_note(struct memo *memo, struct calls calls);

/* Returns the calls in text, separated by ';'; valid until the next call. */
struct calls namer_calls(struct namer *namer, struct str text);

/* Returns the calls with their frames in an arena. */
struct calls calls_keep(struct calls calls, struct arena *arena);

/* Adds calls outside the frames that the stack has so far. */
static inline void
calls_push(struct stack *stack, struct calls calls)
{
	size_t i;

	for (i = calls.count; i > 0; i--)
		stack_push(stack, calls.frames[i - 1]);
}

/*
 * A line cache keeps recent lines of frames with their calls, so that a line
 * need not be parsed, nor its end be found, when it comes again soon.  A line
 * takes over the slot of an earlier one.
 */

#define LINE_CACHE_LINE	112	/* bytes; longer lines are not noted */

struct cached_line {
	const uint32_t *frames;
	uint32_t count;
	char text[LINE_CACHE_LINE + 4];
};

struct line_cache {
	/* They are apart from the lines: often nothing else is looked at. */
	unsigned char *lens;		/* by slot; 0: no line */
	uint16_t *numbers;		/* of the line in each slot */
	struct cached_line *lines;	/* grows as slots are first taken */
	size_t count, room;
	unsigned shift;			/* from 64 bits to a slot */
};

/* Makes 2^bits empty slots, not more than 2^16. */
void line_cache_init(struct line_cache *cache, unsigned bits);

/* Returns the slot of a word by which lines differ most. */
static inline size_t
line_cache_slot(const struct line_cache *cache, uint64_t word)
{
	return (size_t)(word * UINT64_C(0x9E3779B97F4A7C15) >> cache->shift);
}

/* Returns a line's slot by all of its bytes. */
size_t line_cache_line_slot(const struct line_cache *cache, struct str line);

/* Finds the first line of text in a slot; returns its length, or 0. */
static inline size_t
line_cache_find(const struct line_cache *cache, size_t slot, struct str text,
    struct calls *calls)
{
	size_t len = cache->lens[slot];
	const struct cached_line *line;

	if (len == 0 || text.len < len)
		return 0;
	line = &cache->lines[cache->numbers[slot]];
	if (memcmp(line->text, text.data, len) != 0)
		return 0;
	calls->frames = line->frames;
	calls->count = line->count;
	return len;
}

/*
 * Notes the calls of a line; their frames last.  The line may be cut after what
 * has the calls: any text that begins so will be taken for it.
 */
void line_cache_note(struct line_cache *cache, size_t slot, struct str line,
    const struct calls *calls);

#endif
