#include <stdarg.h>
#include <stdio.h>

#include "columns.h"
#include "lib/output.h"
#include "lib/utf8.h"

#define GAP		2	/* blanks after a cell */
#define LEAST_NAME	16	/* columns of a name that is shortened */

void
columns_add(struct columns *columns, struct str cell)
{
	size_t *width = &columns->widths[columns->at++], i;

	if (!columns->is_printing) {
		if (cell.len > *width)
			*width = cell.len;
		return;
	}
	for (i = cell.len; i < *width; i++)
		text_add_char(&columns->line, ' ');
	text_add(&columns->line, cell);
	for (i = 0; i < GAP; i++)
		text_add_char(&columns->line, ' ');
}

/* True if a character takes two columns of a terminal, as most of Asia's do. */
static bool
is_wide(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} wide[] = {
		{ 0x1100, 0x115f }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf },
		{ 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },
		{ 0xff00, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f },
		{ 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd }
	};
	size_t i;

	for (i = 0; i < sizeof(wide) / sizeof(*wide); i++)
		if (code >= wide[i].first && code <= wide[i].last)
			return true;
	return false;
}

/* Returns how many columns a character takes. */
static size_t
width_of(uint32_t code)
{
	return is_wide(code) ? 2 : 1;
}

/* Stores a name as a terminal may show it; returns how many columns it has. */
static size_t
make_shown(struct text *shown, struct str name)
{
	size_t columns = 0;
	uint32_t code;

	shown->len = 0;
	while (name.len > 0) {
		code = utf8_next(&name);
		if (!utf8_is_shown(code))
			code = 0xFFFD;
		utf8_add(shown, code);
		columns += width_of(code);
	}
	return columns;
}

/* Adds a name that has too many columns, shortened in its middle. */
static void
add_short(struct text *line, struct str name, size_t columns, size_t room)
{
	size_t last = (room - 2) / 2, first = room - 2 - last, width;
	struct str rest = name;

	while (rest.len > 0 && (width = width_of(utf8_next(&rest))) <= first) {
		first -= width;
		columns -= width;
		text_add(line, str_take(name, name.len - rest.len));
		name = rest;
	}
	text_add(line, STR(".."));
	while (columns > last)
		columns -= width_of(utf8_next(&name));
	text_add(line, name);
}

void
columns_end(struct columns *columns, struct str name, size_t indent)
{
	size_t used = indent, room = LEAST_NAME, width, i;

	for (i = 0; i < columns->at; i++)
		used += columns->widths[i] + GAP;
	columns->at = 0;
	if (!columns->is_printing)
		return;
	for (i = 0; i < indent; i++)
		text_add_char(&columns->line, ' ');
	width = make_shown(&columns->name, name);
	name = text_str(&columns->name);
	if (columns->screen > used + LEAST_NAME)
		room = columns->screen - used;
	if (columns->screen > 0 && width > room)
		add_short(&columns->line, name, width, room);
	else
		text_add(&columns->line, name);
	text_add_char(&columns->line, '\n');
	output_drain(&columns->line, stdout);
}

void
columns_tell(struct columns *columns, const char *format, ...)
{
	va_list args;

	if (!columns->is_printing)
		return;
	va_start(args, format);
	text_add_list(&columns->line, format, args);
	va_end(args);
	text_add_char(&columns->line, '\n');
}

void
columns_flush(struct columns *columns)
{
	output_flush(&columns->line, stdout);
}
