#include <math.h>
#include <stdio.h>

#include "mem.h"
#include "text.h"

void
text_grow(struct text *text, size_t more)
{
	text->data = mem_grow(text->data, &text->room, text->len + more, 1);
}

void
text_add_number(struct text *text, unsigned long long number)
{
	unsigned long long power = 10;
	size_t len = 1;
	char *at;

	if (number < 10) {	/* nearly half of a picture's numbers */
		text_add_char(text, (char)('0' + number));
		return;
	}
	while (number >= power && len < 20) {
		power *= 10;
		len++;
	}
	at = text_extend(text, len) + len;
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
}

void
text_add_thousands(struct text *text, double number)
{
	size_t start = text->len, end;

	if (number >= 0 && number < 1e18)
		text_add_number(text, (unsigned long long)rint(number));
	else
		text_add_format(text, "%.0f", number);
	for (end = text->len; end > start + 3;) {
		end -= 3;
		text_extend(text, 1);
		memmove(text->data + end + 1, text->data + end,
		    text->len - 1 - end);
		text->data[end] = ',';
	}
}

void
text_add_count(struct text *text, double count)
{
	if (fabs(count) < 100 && rint(count) != count)
		text_add_format(text, "%.3g", count);
	else
		text_add_thousands(text, count);
}

void
text_add_list(struct text *text, const char *format, va_list args)
{
	va_list again;
	size_t room;
	int len;

	text_grow(text, 64);
	room = text->room - text->len;
	va_copy(again, args);
	len = vsnprintf(text->data + text->len, room, format, args);
	if (len > 0 && (size_t)len >= room) {
		text_grow(text, (size_t)len + 1);
		vsnprintf(text->data + text->len, (size_t)len + 1, format,
		    again);
	}
	text->len += len > 0 ? (size_t)len : 0;
	va_end(again);
}

void
text_add_format(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_add_list(text, format, args);
	va_end(args);
}

void
text_add_word(struct text *text, struct str s)
{
	size_t i;
	char c;

	/* zsh looks for a program with the name after a first '='. */
	for (i = 0; i < s.len && s.data[0] != '='; i++) {
		c = s.data[i];
		if (!is_word(c) && (unsigned char)c < 0x80 && (c == '\0' ||
		    strchr("%+,-./:@=", c) == NULL))
			break;
	}
	if (i == s.len && s.len > 0) {
		text_add(text, s);
		return;
	}
	text_add_char(text, '\'');
	for (i = 0; i < s.len; i++)
		if (s.data[i] == '\'')
			text_add(text, STR("'\\''"));
		else
			text_add_char(text, s.data[i]);
	text_add_char(text, '\'');
}
