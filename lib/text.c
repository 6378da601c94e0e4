#include <err.h>
#include <stdarg.h>

#include "mem.h"
#include "progress.h"
#include "text.h"

#define WORTH_A_WRITE	((size_t)32 * 1024)

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
text_add_format(struct text *text, const char *format, ...)
{
	char small[512], *end;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(small, sizeof(small), format, args);
	va_end(args);
	if (len < 0)
		return;
	if ((size_t)len < sizeof(small)) {
		text_add(text, (struct str){ small, (size_t)len });
		return;
	}
	end = text_extend(text, (size_t)len + 1);
	va_start(args, format);
	vsnprintf(end, (size_t)len + 1, format, args);
	va_end(args);
	text->len--;
}

void
text_add_shown(struct text *text, struct str s)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		if (s.data[i] == '\xc2' && i + 1 < s.len &&
		    (s.data[i + 1] & 0xe0) == 0x80) {
			text_add_char(text, '?');
			i++;
		} else
			text_add_char(text,
			    is_control(s.data[i]) ? '?' : s.data[i]);
}

void
text_flush(struct text *text, FILE *out)
{
	if (text->len > 0 && !ferror(out) &&
	    fwrite(text->data, 1, text->len, out) < text->len) {
		progress_clear();
		warn("output");
	}
	text->len = 0;
}

void
text_drain(struct text *text, FILE *out)
{
	if (text->len >= WORTH_A_WRITE)
		text_flush(text, out);
}
