/*
 * text: a text that grows at its end, for building lines and keys.  It begins
 * as { 0 }; setting len to 0 starts it anew in the same memory.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdio.h>

#include "str.h"

struct text {
	char *data;
	size_t len, room;
};

/* Makes room for more bytes. */
void text_grow(struct text *text, size_t more);

/* Adds so many bytes for the caller to fill. */
static inline char *
text_extend(struct text *text, size_t more)
{
	if (more > text->room - text->len)
		text_grow(text, more);
	text->len += more;
	return text->data + text->len - more;
}

/* In line, since a text of known length is then a few moves. */
static inline void
text_add(struct text *text, struct str s)
{
	if (s.len > 0)
		memcpy(text_extend(text, s.len), s.data, s.len);
}

static inline void
text_add_char(struct text *text, char c)
{
	*text_extend(text, 1) = c;
}

void text_add_number(struct text *text, unsigned long long number);

/*
 * Adds s as a terminal may show it: '?' stands for a control character, also of
 * U+0080 to U+009F, and for what is not UTF-8.  At most 4,096 bytes.
 */
void text_add_shown(struct text *text, struct str s);

/* As printf(3). */
void text_add_format(struct text *text, const char *format, ...);

/* What text holds now; the slice lives until text changes. */
static inline struct str
text_str(const struct text *text)
{
	return (struct str){ text->data != NULL ? text->data : "", text->len };
}

/*
 * Writes text to `out` and empties it.  The first failure is reported, and
 * output_close sees it.
 */
void text_flush(struct text *text, FILE *out);

/* The same once text is long enough to be worth a write. */
void text_drain(struct text *text, FILE *out);

#endif
