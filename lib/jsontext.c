#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "jsontext.h"
#include "utf8.h"

#define WHOLE	9007199254740992.0	/* 2^53: doubles below have ones */

/* Returns how much of s may stay as it is. */
static size_t
plain_length(struct str s)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		if (s.data[i] < ' ' || s.data[i] == '"' ||
		    s.data[i] == '\\' || s.data[i] == '\x7f' ||
		    (s.data[i] & 0x80) != 0)
			break;
	return i;
}

static void
add_code(struct text *json, uint32_t code)
{
	if (code == '"' || code == '\\') {
		text_add_char(json, '\\');
		text_add_char(json, (char)code);
	} else if (utf8_is_shown(code))
		utf8_add(json, code);
	else
		text_add_format(json, "\\u%04x", (unsigned)code);
}

void
json_add_string(struct text *json, struct str s)
{
	size_t plain;

	text_add_char(json, '"');
	for (;;) {
		plain = plain_length(s);
		text_add(json, str_take(s, plain));
		s = str_skip(s, plain);
		if (s.len == 0)
			break;
		add_code(json, utf8_next(&s));
	}
	text_add_char(json, '"');
}

void
json_add_number(struct text *json, double number)
{
	size_t start = json->len;

	if (!isfinite(number))
		text_add(json, STR("null"));
	else if (number >= 0 && number < WHOLE && floor(number) == number)
		text_add_number(json, (unsigned long long)number);
	else {
		text_add_format(json, "%.15g", number);
		text_add_char(json, '\0');
		json->len--;
		if (strtod(json->data + start, NULL) == number)
			return;
		json->len = start;
		text_add_format(json, "%.17g", number);
	}
}
