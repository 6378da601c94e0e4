#include "frameline.h"

/* True if the bracket at line[open] begins a file's module, or the kernel's. */
static bool
is_path(struct str line, size_t open)
{
	return line.data[open + 1] == '/' || line.data[open + 1] == '[';
}

bool
frame_line_names_module(struct str text)
{
	return str_contains(text, STR(" (/")) || str_contains(text, STR(" (["));
}

/*
 * Returns where "(/usr/bin/my app (x86)/run (deleted))" at the end of a line
 * opens, given where it closes; 0 if it is not a module, as in
 * "std::function<void (int)>::operator()".
 */
static size_t
find_module(struct str line, size_t close)
{
	struct str rest = str_take(line, close);
	size_t open = str_find(rest, '('), depth = 0;

	/* Nearly always there is only one, and memchr(3) is faster. */
	if (open == close)
		return 0;
	rest = str_skip(rest, open + 1);
	if (str_find(rest, '(') == rest.len)
		return open > 0 && line.data[open - 1] == ' ' ? open : 0;
	for (open = close; open > 0; open--) {
		if (line.data[open] == ')')
			depth++;
		else if (line.data[open] == '(' && --depth == 0)
			break;
	}
	if (open > 0 && line.data[open - 1] == ' ')
		return open;
	for (open = close; open > 0; open--)
		if (line.data[open] == '(' && line.data[open - 1] == ' ')
			break;
	return is_path(line, open) ? open : 0;
}

/* True if all of text is hexadecimal digits. */
static bool
is_hex_number(struct str text)
{
	str_hex(&text);
	return text.len == 0;
}

bool
frame_line_parse(struct str line, struct frame_line *frame)
{
	size_t start = 0, end, open, close = str_find_last(line, ')');

	while (start < line.len && is_blank(line.data[start]))
		start++;
	for (end = start; end < line.len && is_word(line.data[end]);)
		end++;
	if (close == line.len || end == start)
		return false;
	open = find_module(line, close);
	if (open <= end || (close + 1 < line.len &&
	    !is_blank(line.data[close + 1]) && !is_path(line, open)))
		return false;
	frame->address = str_between(line, start, end);
	frame->module = str_between(line, open + 1, close);
	frame->symbol = str_trim_start(str_between(line, end, open - 1));
	if (end == open - 1)	/* "ADDRESS (MODULE)" or "SYMBOL (MODULE)" */
		frame->symbol = is_hex_number(frame->address) ?
		    STR("[unknown]") : frame->address;
	else if (frame->symbol.len == 0)
		frame->symbol = STR(" ");
	return true;
}

bool
frame_line_parse_bare(struct str line, struct frame_line *frame)
{
	size_t start = 1;

	line = str_trim_end(line);
	if (line.len < FRAME_ADDRESS_END || !is_blank(line.data[0]) ||
	    (line.len > FRAME_ADDRESS_END &&
	    line.data[FRAME_ADDRESS_END] != ' '))
		return false;
	while (start < FRAME_ADDRESS_END && line.data[start] == ' ')
		start++;
	frame->address = str_between(line, start, FRAME_ADDRESS_END);
	frame->symbol = line.len == FRAME_ADDRESS_END ? STR("[unknown]") :
	    str_skip(line, FRAME_ADDRESS_END + 1);
	frame->module = str_take(line, 0);
	return frame->address.len > 0 && is_hex_number(frame->address) &&
	    !frame_line_names_module(frame->symbol);
}
