#include <limits.h>
#include <stdint.h>

#include "str.h"

#define SAFE_DIGITS	19	/* fit 64 bits, whatever they are */

/* The table has STR_HEX and STR_WORD for each character of ASCII. */
const unsigned char str_classes[256] = {
	[0x30] = 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0,
	[0x40] = 0, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2,
	[0x50] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 2,
	[0x60] = 0, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2,
	[0x70] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0,
};

struct str
str_from(const char *s)
{
	return (struct str){ s, strlen(s) };
}

int
str_compare(struct str a, struct str b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	int order = len == 0 ? 0 : memcmp(a.data, b.data, len);

	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

size_t
str_find_last(struct str s, char c)
{
	size_t i;

	for (i = s.len; i > 0; i--)
		if (s.data[i - 1] == c)
			return i - 1;
	return s.len;
}

struct str
str_base(struct str path)
{
	size_t slash = str_find_last(path, '/');

	return slash == path.len ? path : str_skip(path, slash + 1);
}

struct str
str_without_mark(struct str s)
{
	const struct str mark = STR("\xef\xbb\xbf");

	return str_starts(s, mark) ? str_skip(s, mark.len) : s;
}

/* A part that begins with a blank is found by its end: blanks are common. */
size_t
str_search(struct str s, struct str part)
{
	size_t at, key;

	if (part.len == 0)
		return 0;
	key = part.data[0] == ' ' ? part.len - 1 : 0;
	for (at = key; at < s.len; at++) {
		at += str_find(str_skip(s, at), part.data[key]);
		if (str_starts(str_skip(s, at - key), part))
			return at - key;
	}
	return s.len;
}

bool
str_contains(struct str s, struct str part)
{
	return part.len == 0 || str_search(s, part) < s.len;
}

uint64_t
str_hex(struct str *s)
{
	uint64_t number = 0;
	size_t i;

	for (i = 0; i < s->len && is_hex(s->data[i]); i++)
		number = number << 4 | hex_value(s->data[i]);
	*s = str_skip(*s, i);
	return number;
}

/* Returns the bits in which eight bytes of a and of b differ. */
static uint64_t
difference(const char *a, const char *b)
{
	uint64_t first, second;

	memcpy(&first, a, sizeof(first));
	memcpy(&second, b, sizeof(second));
	return first ^ second;
}

/* Neighbouring lines share hundreds of bytes, so that 32 make a step. */
size_t
str_common(struct str a, struct str b)
{
	size_t len = a.len < b.len ? a.len : b.len, at = 0;
	const char *p, *q;

	for (; at + 32 <= len; at += 32) {
		p = a.data + at;
		q = b.data + at;
		if ((difference(p, q) | difference(p + 8, q + 8) |
		    difference(p + 16, q + 16) | difference(p + 24, q + 24)))
			break;
	}
	while (at + 8 <= len && difference(a.data + at, b.data + at) == 0)
		at += 8;
	while (at < len && a.data[at] == b.data[at])
		at++;
	return at;
}

bool
str_starts_any_case(struct str s, struct str start)
{
	size_t i;

	for (i = 0; i < s.len && i < start.len; i++)
		if (lower(s.data[i]) != start.data[i])
			return false;
	return i == start.len;
}

bool
str_number(struct str s, unsigned long long *number)
{
	unsigned long long value = 0, digit;
	size_t i;

	for (i = 0; i < s.len && is_digit(s.data[i]); i++) {
		digit = (unsigned long long)(s.data[i] - '0');
		if (i >= SAFE_DIGITS && value > (ULLONG_MAX - digit) / 10) {
			*number = ULLONG_MAX;
			return false;
		}
		value = value * 10 + digit;
	}
	*number = value;
	return i > 0;
}

/* Reads "e+3" to the end of s; a huge exponent becomes 10^9. */
static bool
read_exponent(struct str s, long long *exponent)
{
	const unsigned long long most = 1000000000;
	unsigned long long number;
	bool negative;

	*exponent = 0;
	if (s.len == 0)
		return true;
	if (lower(s.data[0]) != 'e')
		return false;
	s = str_skip(s, 1);
	negative = str_starts(s, STR("-"));
	s = str_skip(s, negative || str_starts(s, STR("+")));
	if (!str_is_number(s))
		return false;
	str_number(s, &number);
	*exponent = (long long)(number < most ? number : most);
	if (negative)
		*exponent = -*exponent;
	return true;
}

bool
str_fixed(struct str s, int places, int64_t *fixed)
{
	bool negative = str_starts(s, STR("-"));
	struct str whole, part = STR("");
	long long exponent, keep, i;
	int64_t value = 0;
	char digit = '0';

	s = str_skip(s, negative);
	whole = str_take(s, str_digits(s));
	s = str_skip(s, whole.len);
	if (str_starts(s, STR("."))) {
		part = str_skip(s, 1);
		part.len = str_digits(part);
		s = str_skip(s, 1 + part.len);
	}
	if (whole.len + part.len == 0 || !read_exponent(s, &exponent))
		return false;
	/* of these digits, the last one only rounds */
	keep = (long long)whole.len + exponent + places;
	for (i = 0; i <= keep; i++) {
		if ((size_t)i < whole.len)
			digit = whole.data[i];
		else if ((size_t)i - whole.len < part.len)
			digit = part.data[(size_t)i - whole.len];
		else if (value == 0)
			break;
		else
			digit = '0';
		if (i == keep)
			value += digit >= '5';
		else if (value > INT64_MAX / 10 - 1)
			return false;
		else
			value = value * 10 + (digit - '0');
	}
	*fixed = negative ? -value : value;
	return true;
}

size_t
str_digits(struct str s)
{
	size_t count = 0;

	while (count < s.len && is_digit(s.data[count]))
		count++;
	return count;
}

size_t
str_blanks(struct str s)
{
	const struct str eight = STR("        ");
	size_t count = 0;

	while (str_starts(str_skip(s, count), eight))
		count += eight.len;
	while (count < s.len && is_blank(s.data[count]))
		count++;
	return count;
}

bool
str_is_number(struct str s)
{
	return s.len > 0 && str_digits(s) == s.len;
}

size_t
str_digits_start(struct str s)
{
	while (s.len > 0 && is_digit(s.data[s.len - 1]))
		s.len--;
	return s.len;
}

struct str
str_cut_word(struct str *s)
{
	struct str text = str_trim_start(*s);
	size_t len = 0;

	while (len < text.len && !is_blank(text.data[len]))
		len++;
	*s = str_skip(text, len);
	return str_take(text, len);
}
