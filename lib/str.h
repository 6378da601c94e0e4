/*
 * str: slices of text.  A slice does not own its bytes, has no NUL at its
 * end and may hold any byte; it lives as long as what it was cut from.
 */
#ifndef STR_H
#define STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
	const char *data;
	size_t len;
};

/* The slice of a string literal. */
#define STR(literal) ((struct str){ (literal), sizeof(literal) - 1 })

/* Returns the slice of a C string. */
struct str str_from(const char *s);

/* Compares in byte order, a prefix first: below 0, 0 or above 0. */
int str_compare(struct str a, struct str b);

/* Return the index of the first c, and of the last; s.len if there is none. */
static inline size_t
str_find(struct str s, char c)
{
	const char *at = s.len == 0 ? NULL :
	    (const char *)memchr(s.data, c, s.len);

	return at == NULL ? s.len : (size_t)(at - s.data);
}

size_t str_find_last(struct str s, char c);

/* Returns s without a byte order mark of UTF-8, as Windows begins text. */
struct str str_without_mark(struct str s);

/* Returns what follows the last '/' of a path; without one, the path. */
struct str str_base(struct str path);

/* Returns the index of the first part in s; s.len if there is none. */
size_t str_search(struct str s, struct str part);

/* True if part is in s. */
bool str_contains(struct str s, struct str part);

/* Returns how many bytes a and b have in common at their start. */
size_t str_common(struct str a, struct str b);

/* True if s begins with start in any letter case; start is in lower case. */
bool str_starts_any_case(struct str s, struct str start);

/*
 * Stores the number that the digits at the start of s make.  Returns false if s
 * begins with no digit, or if it is larger than UINT64_MAX; this is stored.
 */
bool str_number(struct str s, unsigned long long *number);

/*
 * Stores a decimal number, "-12.5" or "1.25e+3", as an integer in units of
 * 10^-places: with 3 places 12500 for 12.5.  Digits beyond are rounded, half
 * away from zero.  Returns false for another text, or a number too large.
 */
bool str_fixed(struct str s, int places, int64_t *fixed);

static inline bool
str_equal(struct str a, struct str b)
{
	return a.len == b.len &&
	    (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool
str_starts(struct str s, struct str start)
{
	return s.len >= start.len &&
	    (start.len == 0 || memcmp(s.data, start.data, start.len) == 0);
}

static inline bool
str_ends(struct str s, struct str end)
{
	return s.len >= end.len && (end.len == 0 ||
	    memcmp(s.data + s.len - end.len, end.data, end.len) == 0);
}

/* True if a is before b in byte order; their first bytes must differ. */
static inline bool
str_precedes(struct str a, struct str b)
{
	return b.len > 0 && (a.len == 0 ||
	    (unsigned char)a.data[0] < (unsigned char)b.data[0]);
}

/* Return the first n bytes, and all after them; n is at most s.len. */
static inline struct str
str_take(struct str s, size_t n)
{
	return (struct str){ s.data, n };
}

static inline struct str
str_skip(struct str s, size_t n)
{
	return (struct str){ s.data + n, s.len - n };
}

/* Returns the bytes of s from index `from` up to, not including, index `to`. */
static inline struct str
str_between(struct str s, size_t from, size_t to)
{
	return (struct str){ s.data + from, to - from };
}

/* Cuts what comes before the first c off s, with the c, and returns it. */
static inline struct str
str_cut(struct str *s, char c)
{
	struct str before = str_take(*s, str_find(*s, c));

	*s = str_skip(*s, before.len + (before.len < s->len));
	return before;
}

/* Cuts the first word off s, with the blanks before it, and returns it. */
struct str str_cut_word(struct str *s);

/* These are ctype.h's tests, for any char, and in C's locale alone. */
#define STR_HEX		1
#define STR_WORD	2
extern const unsigned char str_classes[256];	/* flags, by character */

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool
is_hex(char c)
{
	return (str_classes[(unsigned char)c] & STR_HEX) != 0;
}

/* Returns the value of a hexadecimal digit; '9' is 0x39, 'A' 0x41, 'a' 0x61. */
static inline unsigned
hex_value(char c)
{
	return ((unsigned)c & 15) + ((unsigned)c >> 6) * 9;
}

static inline bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* True if c must not reach terminals, as ESC and NUL; a tab may. */
static inline bool
is_control(char c)
{
	return ((unsigned char)c < ' ' && c != '\t') || c == '\x7f';
}

static inline bool
is_word(char c)
{
	return (str_classes[(unsigned char)c] & STR_WORD) != 0;
}

/* Steps over the hexadecimal digits that s begins with; returns the number. */
uint64_t str_hex(struct str *s);

/* Returns how many digits, and how many blanks, s begins with. */
size_t str_digits(struct str s);
size_t str_blanks(struct str s);

/* True if s is digits, one at least, and nothing else. */
bool str_is_number(struct str s);

/* Returns where the digits at the end of s begin; s.len if it has none. */
size_t str_digits_start(struct str s);

/* Return s without the blanks at its start, at its end, at both. */
static inline struct str
str_trim_start(struct str s)
{
	return str_skip(s, str_blanks(s));
}

static inline struct str
str_trim_end(struct str s)
{
	while (s.len > 0 && is_blank(s.data[s.len - 1]))
		s.len--;
	return s;
}

static inline struct str
str_trim(struct str s)
{
	return str_trim_start(str_trim_end(s));
}

/* True if test(s, word) is true for a word of a list that ends with NULL. */
static inline bool
str_any(bool (*test)(struct str, struct str), struct str s,
    const char *const *words)
{
	while (*words != NULL && !test(s, str_from(*words)))
		words++;
	return *words != NULL;
}

#endif
