#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../lib/utf8.h"
#include "svg.h"

/* What stands for c in a file. */
static const char *
entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\t':
		return "&#9;";
	case '\n':
		return "&#10;";
	default:
		return "&#13;";
	}
}

/* The characters that cannot stand for themselves: in a value, or anywhere. */
enum { IN_VALUE = 1, ANYWHERE = 2, NOT_ASCII = 4 };

static unsigned char
class_of(unsigned char c)
{
	static const unsigned char classes[128] = {
		['&'] = ANYWHERE, ['<'] = ANYWHERE, ['>'] = ANYWHERE,
		['\r'] = ANYWHERE, ['"'] = IN_VALUE, ['\t'] = IN_VALUE,
		['\n'] = IN_VALUE,
	};

	return c < 128 ? classes[c] : NOT_ASCII;
}

static void
escape(struct text *svg, struct str s, unsigned char escaped)
{
	unsigned char class;
	size_t plain = 0;

	while (plain < s.len) {
		class = class_of((unsigned char)s.data[plain]) & escaped;
		if (class == 0) {
			plain++;
			continue;
		}
		text_add(svg, str_take(s, plain));
		s = str_skip(s, plain);
		plain = 0;
		if (class == NOT_ASCII)
			text_add_format(svg, "&#x%lX;",
			    (unsigned long)utf8_next(&s));
		else {
			text_add(svg, str_from(entity(s.data[0])));
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

/*
 * number times 10 or 100, rounded as printf rounds: on the exact binary value.
 * Multiplying is exact enough unless the result is close to a half; printf for
 * counts alone took 40 % of the instructions of a large picture.
 */
static long long
to_scale(double number, int decimals)
{
	double scale = decimals == 1 ? 10 : 100;
	double scaled = number * scale, below = floor(scaled);
	char digits[400], *point;

	if (fabs(scaled) < 1e9 && fabs(scaled - below - 0.5) > 1e-6)
		return (long long)(scaled - below > 0.5 ? below + 1 : below);
	if (!(fabs(scaled) < 9e18))
		return 0;
	snprintf(digits, sizeof(digits), "%.*f", decimals, number);
	point = strchr(digits, '.');
	memmove(point, point + 1, strlen(point));
	return strtoll(digits, NULL, 10);
}

long long
svg_to_tenths(double number)
{
	return to_scale(number, 1);
}

static unsigned long long
add_sign(struct text *svg, long long number)
{
	if (number >= 0)
		return (unsigned long long)number;
	text_add_char(svg, '-');
	return 0 - (unsigned long long)number;
}

void
svg_hundredths(struct text *svg, long long hundredths)
{
	unsigned long long size = add_sign(svg, hundredths);

	text_add_number(svg, size / 100);
	if (size % 100 == 0)
		return;
	text_add_char(svg, '.');
	text_add_char(svg, (char)('0' + size / 10 % 10));
	if (size % 10 != 0)
		text_add_char(svg, (char)('0' + size % 10));
}

void
svg_percent(struct text *svg, double number)
{
	unsigned long long size = add_sign(svg, to_scale(number, 2));

	text_add_number(svg, size / 100);
	text_add_char(svg, '.');
	text_add_char(svg, (char)('0' + size / 10 % 10));
	text_add_char(svg, (char)('0' + size % 10));
}

static void
add_groups(struct text *svg, unsigned long long number)
{
	if (number < 1000) {
		text_add_number(svg, number);
		return;
	}
	add_groups(svg, number / 1000);
	text_add_char(svg, ',');
	text_add_char(svg, (char)('0' + number / 100 % 10));
	text_add_char(svg, (char)('0' + number / 10 % 10));
	text_add_char(svg, (char)('0' + number % 10));
}

void
svg_thousands(struct text *svg, double number)
{
	char digits[400];
	int len, i;

	if (number >= 0 && number < 1e18) {
		add_groups(svg, (unsigned long long)rint(number));
		return;
	}
	len = snprintf(digits, sizeof(digits), "%.0f", number);
	for (i = 0; i < len; i++) {
		text_add_char(svg, digits[i]);
		if (i + 1 < len && (len - 1 - i) % 3 == 0)
			text_add_char(svg, ',');
	}
}

void
svg_number(struct text *svg, double number)
{
	svg_hundredths(svg, to_scale(number, 2));
}

void
svg_tenths(struct text *svg, long long tenths)
{
	svg_hundredths(svg, tenths * 10);
}

void
svg_colour(struct text *svg, struct colour colour)
{
	static const char digits[] = "0123456789abcdef";
	int channels[] = { colour.red, colour.green, colour.blue };
	bool brief = true;
	int i;

	for (i = 0; i < 3; i++)
		brief = brief && channels[i] % 17 == 0;
	text_add_char(svg, '#');
	for (i = 0; i < 3; i++) {
		text_add_char(svg, digits[channels[i] >> 4 & 15]);
		if (!brief)
			text_add_char(svg, digits[channels[i] & 15]);
	}
}
