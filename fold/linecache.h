/*
 * recent: lines of frames that came lately and their calls, so that a line need
 * not be parsed, nor its end be found, when it comes again soon.
 *
 * A line stands at a place, a number that the caller finds in its text or knows
 * otherwise; the next line with the same place takes it over.
 */
#ifndef LINECACHE_H
#define LINECACHE_H

#include <stdint.h>

#include "calls.h"
#include "../lib/str.h"

#define RECENT_LINE	112	/* bytes; longer lines are not noted */

struct recent_line {
	const uint32_t *frames;
	uint32_t count;
	char text[RECENT_LINE + 4];
};

struct recent {
	/* Apart from the lines, since they say where the next line begins. */
	unsigned char *lens;		/* by place; 0: no line */
	uint16_t *numbers;		/* of the line at each place */
	struct recent_line *lines;	/* grows as places are first taken */
	size_t count, room;
	unsigned shift;			/* from 64 bits to a place */
};

/* With 2^bits places, not more than 2^16. */
void recent_init(struct recent *recent, unsigned bits);

/*
 * A line's place by its address, which perf prints in 16 columns after a tab;
 * the last 8 digits tell most.  RECENT_LINE bytes must follow.
 */
static inline size_t
recent_address_place(const struct recent *recent, const char *line)
{
	uint64_t digits;

	memcpy(&digits, line + 9, sizeof(digits));
	return (size_t)(digits * UINT64_C(0x9E3779B97F4A7C15) >> recent->shift);
}

/* A line's place by all of its bytes. */
size_t recent_line_place(const struct recent *recent, struct str line);

/*
 * The length of the line that text begins with, and its calls, if it stands at
 * this place; else 0.
 */
static inline size_t
recent_find(const struct recent *recent, size_t place, struct str text,
    struct calls *calls)
{
	size_t len = recent->lens[place];
	const struct recent_line *line;

	if (len == 0 || text.len < len)
		return 0;
	line = &recent->lines[recent->numbers[place]];
	if (memcmp(line->text, text.data, len) != 0)
		return 0;
	calls->frames = line->frames;
	calls->count = line->count;
	return len;
}

/*
 * Notes the calls, which last, of a line, or of as much of it as tells them:
 * whatever text begins so will be taken for it.  One longer than RECENT_LINE is
 * not noted.
 */
void recent_note(struct recent *recent, size_t place, struct str line,
    struct calls calls);

#endif
