#include <stdio.h>

#include "unit.h"
#include "../../lib/text.h"

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

void
unit_print(struct str s, const char *behind)
{
	fwrite(s.data, 1, s.len, stdout);
	fputs(behind, stdout);
}
