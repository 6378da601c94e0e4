#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/utf8.h"
#include "svg.h"

/* The references for characters. */
static const char *const entities[128] = {
	['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;",
	['\t'] = "&#9;", ['\n'] = "&#10;", ['\r'] = "&#13;",
};

/* The places in which a character is written as a reference. */
enum { IN_VALUE = 1, ANYWHERE = 2, NOT_ASCII = 4 };

static const unsigned char classes[128] = {
	['&'] = ANYWHERE, ['<'] = ANYWHERE, ['>'] = ANYWHERE,
	['\r'] = ANYWHERE, ['"'] = IN_VALUE, ['\t'] = IN_VALUE,
	['\n'] = IN_VALUE,
};

/* True if one of 8 bytes is below 0x20, '"', '&', '<', '>' or not ASCII. */
static bool
has_special(const char *bytes)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word, quote, angle;

	memcpy(&word, bytes, sizeof(word));
	quote = (word | ones * 0x04) ^ ones * '&';	/* and '"' */
	angle = (word | ones * 0x02) ^ ones * '>';	/* and '<' */
	/* A byte that becomes zero borrows into its high bit. */
	return ((word | (word - ones * 0x20) | (quote - ones) |
	    (angle - ones)) & ones * 0x80) != 0;
}

/* Returns how many bytes need no escape; eight at a time, to be faster. */
static size_t
plain_length(struct str s, unsigned char escaped)
{
	size_t at = 0;
	unsigned char c;

	while (at + 8 <= s.len && !has_special(s.data + at))
		at += 8;
	if (at > 0 && s.len - at < 8 && !has_special(s.data + s.len - 8))
		return s.len;
	for (; at < s.len; at++) {
		c = (unsigned char)s.data[at];
		if (((c < 128 ? classes[c] : NOT_ASCII) & escaped) != 0)
			break;
	}
	return at;
}

static void
escape(struct text *svg, struct str s, unsigned char escaped)
{
	size_t plain;

	while ((plain = plain_length(s, escaped)) < s.len) {
		text_add(svg, str_take(s, plain));
		s = str_skip(s, plain);
		if ((s.data[0] & 0x80) != 0)
			text_add_format(svg, "&#x%lX;",
			    (unsigned long)utf8_next(&s));
		else {
			text_add(svg, str_from(
			    entities[(unsigned char)s.data[0]]));
			s = str_skip(s, 1);
		}
	}
	text_add(svg, s);
}

void
svg_text(struct text *svg, struct str s, bool ascii)
{
	escape(svg, s, ANYWHERE | (ascii ? NOT_ASCII : 0));
}

void
svg_value(struct text *svg, struct str s, bool ascii)
{
	escape(svg, s, ANYWHERE | IN_VALUE | (ascii ? NOT_ASCII : 0));
}

void
svg_attribute(struct text *svg, const char *name, struct str value, bool ascii)
{
	text_add_char(svg, ' ');
	text_add(svg, str_from(name));
	text_add(svg, STR("=\""));
	svg_value(svg, value, ascii);
	text_add_char(svg, '"');
}

const char *const svg_cuts[] = {
	[LABEL_END] = "end", [LABEL_MIDDLE] = "middle", [LABEL_FRONT] = "front",
	NULL
};

void
svg_label(struct text *svg, struct str name, size_t room, enum label_cut cut,
    bool ascii)
{
	size_t length, left = room - 2;		/* of the front */

	if (name.len <= room || (length = utf8_length(name)) <= room) {
		svg_text(svg, name, ascii);
		return;
	}
	if (cut == LABEL_FRONT)
		left = 0;
	else if (cut == LABEL_MIDDLE)
		left = (left + 1) / 2;
	svg_text(svg, utf8_take(name, left), ascii);
	text_add(svg, STR(".."));
	svg_text(svg, str_skip(name, utf8_take(name, length -
	    (room - 2 - left)).len), ascii);
}

/*
 * Multiplying is exact enough unless the result is close to a half; printf for
 * counts alone took 40 % of the instructions of a large picture.
 */
long long
svg_scale(double number, int decimals)
{
	double scaled = number * (decimals == 1 ? 10 : 100), part;
	char digits[400], *point;
	long long below;

	if (fabs(scaled) < 1e12) {
		below = (long long)scaled;
		below -= (double)below > scaled;
		part = scaled - (double)below;
		if (fabs(part - 0.5) > 1e-3)
			return below + (part > 0.5);
	}
	if (fabs(scaled) >= 9e18)
		return 0;
	snprintf(digits, sizeof(digits), "%.*f", decimals, number);
	point = strchr(digits, '.');
	memmove(point, point + 1, strlen(point));
	return strtoll(digits, NULL, 10);
}

/* Adds "-1.50" for -150. */
static void
add_hundredths(struct text *svg, long long hundredths)
{
	unsigned long long size = (unsigned long long)hundredths;
	char *at;

	if (hundredths < 0) {
		text_add_char(svg, '-');
		size = 0 - size;
	}
	text_add_number(svg, size / 100);
	at = text_extend(svg, 3);
	at[0] = '.';
	at[1] = (char)('0' + size / 10 % 10);
	at[2] = (char)('0' + size % 10);
}

void
svg_hundredths(struct text *svg, long long hundredths)
{
	add_hundredths(svg, hundredths);
	while (svg->data[svg->len - 1] == '0')
		svg->len--;
	if (svg->data[svg->len - 1] == '.')
		svg->len--;
}

void
svg_percent(struct text *svg, double number)
{
	add_hundredths(svg, svg_scale(number, 2));
}

void
svg_number(struct text *svg, double number)
{
	svg_hundredths(svg, svg_scale(number, 2));
}

void
svg_number_attribute(struct text *svg, const char *name, double number)
{
	text_add_format(svg, " %s=\"", name);
	svg_number(svg, number);
	text_add_char(svg, '"');
}

void
svg_colour(struct text *svg, struct colour colour)
{
	static const char digits[] = "0123456789abcdef";
	const int channels[] = { colour.red, colour.green, colour.blue };
	char *at = text_extend(svg, 7);
	int i;

	at[0] = '#';
	for (i = 0; i < 3; i++) {
		at[1 + 2 * i] = digits[channels[i] >> 4 & 15];
		at[2 + 2 * i] = digits[channels[i] & 15];
	}
	if (at[1] != at[2] || at[3] != at[4] || at[5] != at[6])
		return;
	at[2] = at[3];
	at[3] = at[5];
	svg->len -= 3;
}

/* True if the name means the encoding, in any letter case. */
static bool
is_name_of(struct str name, const char *encoding)
{
	struct str whole = str_from(encoding);

	return name.len == whole.len && str_starts_any_case(name, whole);
}

bool
svg_encoding(const char **encoding, bool *ascii)
{
	static const char *const known[] = {
		"ascii", "us-ascii", "iso-8859-", "latin", "windows-", "koi8-",
		"gb2312", "gbk", "gb18030", "big5", "euc-", "shift_jis",
		"cp125",
	};
	struct str name = str_from(*encoding);
	size_t i, len;

	if (is_name_of(name, "utf8"))
		name = str_from(*encoding = "UTF-8");
	*ascii = name.len > 0 && !is_name_of(name, "utf-8");
	if (!*ascii)
		return true;
	for (len = 0; len < name.len; len++)
		if (!is_word(name.data[len]) && name.data[len] != '-')
			break;
	for (i = 0; len == name.len &&
	    i < sizeof(known) / sizeof(*known); i++)
		if (str_starts_any_case(name, str_from(known[i])))
			return true;
	return false;
}
