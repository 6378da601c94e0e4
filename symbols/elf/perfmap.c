#include "elf.h"
#include "perfmap.h"

/* perf takes no names of one or two characters. */
#define SHORT_NAME	2

/*
 * Steps over a number in hexadecimal, as strtoull(3) reads it except signs,
 * and over the character after it; false if that is the line's end.
 */
static bool
take_number(struct str *line, uint64_t *number)
{
	size_t i;
	char c;

	*line = str_trim_start(*line);
	if (line->len > 2 && line->data[0] == '0' &&
	    lower(line->data[1]) == 'x' && is_hex(line->data[2]))
		*line = str_skip(*line, 2);
	*number = 0;
	for (i = 0; i < line->len && is_hex(c = line->data[i]); i++)
		*number = *number << 4 | (uint64_t)(is_digit(c) ? c - '0' :
		    lower(c) - 'a' + 10);
	if (i == line->len)
		return false;
	*line = str_skip(*line, i + 1);
	return line->len > SHORT_NAME;
}

void
perfmap_add(struct symtab *symtab, struct text *text)
{
	struct str rest, line;
	uint64_t start, size;
	size_t len;

	symtab->raw = true;
	text_add_char(text, '\n');
	for (rest = text_str(text); rest.len > 0 &&
	    symtab_has_room(symtab);
	    rest = str_skip(rest, len + 1)) {
		len = str_find(rest, '\n');
		text->data[text->len - rest.len + len] = '\0';
		line = str_take(rest, len);
		if (take_number(&line, &start) && take_number(&line, &size))
			symtab_add(symtab, start, size, line.data)->binding =
			    ELF_GLOBAL;
	}
	symtab_end_table(symtab, false);
}
