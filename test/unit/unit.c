#include <stdlib.h>

#include "lib/mem.h"
#include "lib/text.h"
#include "unit.h"

bool
unit_line(struct str *line)
{
	static struct text text;
	int c;

	text.len = 0;
	while ((c = getchar()) != EOF && c != '\n')
		text_add_char(&text, (char)c);
	*line = text_str(&text);
	return c != EOF || text.len > 0;
}

struct str
unit_bytes(struct str digits)
{
	char *text = mem_array(digits.len + 1, 1), *at = text, *end, *exact;
	size_t len = 0;
	int byte;

	if (digits.len > 0)
		memcpy(text, digits.data, digits.len);
	for (;; at = end) {
		byte = (int)strtoul(at, &end, 16);
		if (end == at)
			break;
		text[len++] = (char)byte;
	}
	exact = mem_array(len, 1);
	memcpy(exact, text, len);
	free(text);
	return (struct str){ exact, len };
}

struct str
unit_all(FILE *in)
{
	struct text text = { 0 };
	char *exact;
	int c;

	while ((c = getc(in)) != EOF)
		text_add_char(&text, (char)c);
	exact = mem_array(text.len, 1);
	if (text.len > 0)
		memcpy(exact, text.data, text.len);
	free(text.data);
	return (struct str){ exact, text.len };
}

uint64_t
unit_hex(struct str line)
{
	char digits[20] = "";

	memcpy(digits, line.data, line.len < 19 ? line.len : 19);
	return strtoull(digits, NULL, 16);
}

void
unit_print(struct str s, const char *after)
{
	fwrite(s.data, 1, s.len, stdout);
	fputs(after, stdout);
}
