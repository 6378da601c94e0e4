/*
 * recent: lines of frames that came lately and their calls, so that a line need
 * not be parsed, nor its end be found, when it comes again soon.
 *
 * A line stands at the place that the digits of its address tell; the next line
 * with the same place takes it over.
 */
#ifndef RECENT_H
#define RECENT_H

#include <stdint.h>

#include "frames.h"
#include "str.h"

#define RECENT_BITS	13	/* 1 MB of lines; half or twice as many are slower */
#define RECENT_LINE	112	/* bytes; longer lines are not noted */

struct recent_line {
	const uint32_t *frames;
	uint32_t count;
	char text[RECENT_LINE + 4];
};

struct recent {
	/* Apart from the lines, since they say where the next line begins. */
	unsigned char lens[1 << RECENT_BITS];
	struct recent_line *lines;
};

void recent_init(struct recent *recent);

/*
 * perf prints an address in 16 columns after a tab; its last 8 digits tell
 * most.  At least RECENT_LINE bytes must follow `line`.
 */
static inline size_t
recent_place(const char *line)
{
	uint64_t digits;

	memcpy(&digits, line + 9, sizeof(digits));
	return (size_t)(digits * UINT64_C(0x9E3779B97F4A7C15) >>
	    (64 - RECENT_BITS));
}

/*
 * The length, with its line end, of the line that text begins with, and its
 * calls; 0 when it is not known.
 */
static inline size_t
recent_find(const struct recent *recent, struct str text, struct calls *calls)
{
	const struct recent_line *line;
	size_t place, len;

	if (text.len <= RECENT_LINE)
		return 0;
	place = recent_place(text.data);
	len = recent->lens[place];
	line = &recent->lines[place];
	if (len == 0 || memcmp(line->text, text.data, len) != 0)
		return 0;
	calls->frames = line->frames;
	calls->count = line->count;
	return len;
}

/* Notes the calls, which last, of a line with its line end. */
void recent_note(struct recent *recent, struct str line, struct calls calls);

#endif
