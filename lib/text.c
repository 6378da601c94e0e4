#include <err.h>
#include <stdarg.h>

#include "mem.h"
#include "text.h"

#define WORTH_A_WRITE	((size_t)32 * 1024)

static char *
extend(struct text *text, size_t more)
{
	char *end;

	if (more > text->room - text->len)
		text->data = mem_grow(text->data, &text->room,
		    text->len + more, 1);
	end = text->data + text->len;
	text->len += more;
	return end;
}

void
text_add(struct text *text, struct str s)
{
	if (s.len > 0)
		memcpy(extend(text, s.len), s.data, s.len);
}

void
text_add_char(struct text *text, char c)
{
	*extend(text, 1) = c;
}

void
text_add_number(struct text *text, unsigned long long number)
{
	char digits[3 * sizeof(number)], *first = digits + sizeof(digits);

	do {
		*--first = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	text_add(text, (struct str){ first,
	    (size_t)(digits + sizeof(digits) - first) });
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
	end = extend(text, (size_t)len + 1);
	va_start(args, format);
	vsnprintf(end, (size_t)len + 1, format, args);
	va_end(args);
	text->len--;
}

struct str
text_str(const struct text *text)
{
	return (struct str){ text->data != NULL ? text->data : "", text->len };
}

void
text_flush(struct text *text, FILE *out)
{
	if (text->len > 0 && !ferror(out) &&
	    fwrite(text->data, 1, text->len, out) < text->len)
		warn("output");
	text->len = 0;
}

void
text_drain(struct text *text, FILE *out)
{
	if (text->len >= WORTH_A_WRITE)
		text_flush(text, out);
}
