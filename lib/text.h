/*
 * text: builds lines and keys, in a text that grows at its end.  It begins as
 * { 0 }; setting len to 0 starts it anew in the same memory.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdarg.h>

#include "str.h"

struct text {
	char *data;
	size_t len, room;
};

/* Makes room for more bytes. */
void text_grow(struct text *text, size_t more);

/* Adds bytes for the caller to fill in, and returns the first. */
static inline char *
text_extend(struct text *text, size_t more)
{
	if (more > text->room - text->len)
		text_grow(text, more);
	text->len += more;
	return text->data + text->len - more;
}

/* Adds s; in line, where a text of known length is a few moves. */
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

/* Adds a number in decimal digits. */
void text_add_number(struct text *text, unsigned long long number);

/* Adds a number as printf("%.0f", number) does, with commas: "1,234". */
void text_add_thousands(struct text *text, double number);

/*
 * Adds a count: with three significant digits if it is below 100 and has a
 * fraction ("14.5"), else as text_add_thousands does.
 */
void text_add_count(struct text *text, double count);

/* Add what printf(3) and vprintf(3) would print. */
void text_add_format(struct text *text, const char *format, ...);
void text_add_list(struct text *text, const char *format, va_list args);

/* Adds s as a shell has to be given it to see it as one word: 'my file'. */
void text_add_word(struct text *text, struct str s);

/* Returns what text holds now; the slice lives until text changes. */
static inline struct str
text_str(const struct text *text)
{
	return (struct str){ text->data != NULL ? text->data : "", text->len };
}

#endif
