#include <stdio.h>
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

void
unit_print(struct str s, const char *after)
{
	fwrite(s.data, 1, s.len, stdout);
	fputs(after, stdout);
}
