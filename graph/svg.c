#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../lib/utf8.h"
#include "svg.h"

/* What stands for c in a file, or NULL for c itself. */
static const char *
entity(char c, bool in_value)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '\r':
		return "&#13;";
	}
	if (!in_value)
		return NULL;
	switch (c) {
	case '"':
		return "&quot;";
	case '\t':
		return "&#9;";
	case '\n':
		return "&#10;";
	}
	return NULL;
}

static void
escape(struct text *svg, struct str s, bool in_value, bool ascii)
{
	const char *replacement;
	size_t plain = 0;

	while (plain < s.len) {
		replacement = entity(s.data[plain], in_value);
		if (replacement == NULL &&
		    (!ascii || (s.data[plain] & 0x80) == 0)) {
			plain++;
			continue;
		}
		text_add(svg, str_take(s, plain));
		s = str_skip(s, plain);
		plain = 0;
		if (replacement != NULL) {
			text_add(svg, str_from(replacement));
			s = str_skip(s, 1);
		} else
			text_add_format(svg, "&#x%lX;",
			    (unsigned long)utf8_next(&s));
	}
	text_add(svg, s);
}

void
svg_text(struct text *svg, struct str s, bool ascii)
{
	escape(svg, s, false, ascii);
}

void
svg_value(struct text *svg, struct str s, bool ascii)
{
	escape(svg, s, true, ascii);
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
 * number times scale, rounded as printf rounds: on the exact binary value.
 * Multiplying is exact enough unless the result is close to a half, and four
 * times as fast as printf.
 */
static long long
to_scale(double number, int decimals)
{
	double scale = decimals == 1 ? 10 : 100;
	double scaled = number * scale, below = floor(scaled);
	char digits[400], *point;

	if (fabs(scaled) < 1e9 && fabs(scaled - below - 0.5) > 1e-6)
		return (long long)(scaled - below > 0.5 ? below + 1 : below);
	if (fabs(scaled) >= 9e18)
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

/* A number of 1/100, without zeros at the end. */
static void
add_hundredths(struct text *svg, long long hundredths)
{
	unsigned long long size;

	if (hundredths < 0)
		text_add_char(svg, '-');
	size = hundredths < 0 ? 0 - (unsigned long long)hundredths :
	    (unsigned long long)hundredths;
	text_add_number(svg, size / 100);
	if (size % 100 == 0)
		return;
	text_add_char(svg, '.');
	text_add_char(svg, (char)('0' + size / 10 % 10));
	if (size % 10 != 0)
		text_add_char(svg, (char)('0' + size % 10));
}

void
svg_number(struct text *svg, double number)
{
	add_hundredths(svg, to_scale(number, 2));
}

void
svg_tenths(struct text *svg, long long tenths)
{
	add_hundredths(svg, tenths * 10);
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
