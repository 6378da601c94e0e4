#include <err.h>
#include <stdarg.h>

#include "mem.h"
#include "progress.h"
#include "text.h"
#include "utf8.h"

#define WORTH_A_WRITE	((size_t)32 * 1024)
#define LONGEST_SHOWN	4096	/* bytes: a path may have as many */

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
	size_t len;
	uint32_t code;

	if (s.len > LONGEST_SHOWN)
		s.len = LONGEST_SHOWN;
	for (; s.len > 0; s = str_skip(s, len)) {
		len = utf8_decode(s, &code);
		if (len == 0 || is_control(s.data[0]) ||
		    (code >= 0x80 && code < 0xa0)) {
			text_add_char(text, '?');
			len = len > 0 ? len : 1;
		} else
			text_add(text, str_take(s, len));
	}
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
