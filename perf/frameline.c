#include "frameline.h"

/* Whether the bracket at line[open] begins a file's module, or the kernel's. */
static bool
is_path(struct str line, size_t open)
{
	return line.data[open + 1] == '/' || line.data[open + 1] == '[';
}

/*
 * "(/usr/bin/my app (x86)/run (deleted))" at the end of a line: where its
 * bracket opens, given where it closes.  0 when it is not a module's, as in
 * "std::function<void (int)>::operator()".
 */
static size_t
find_module(struct str line, size_t close)
{
	struct str rest = str_take(line, close);
	size_t open = str_find(rest, '('), depth = 0;

	/* Nearly always there is one alone, which memchr(3) finds sooner. */
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

/* What stands for the symbol where perf prints only "ADDRESS (MODULE)". */
static void
name_lone_word(struct place *place)
{
	size_t i;

	for (i = 0; i < place->address.len; i++)
		if (!is_hex(place->address.data[i])) {
			place->symbol = place->address;
			return;
		}
	place->symbol = STR("[unknown]");
}

bool
place_parse(struct str line, struct place *place)
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
	place->address = str_between(line, start, end);
	place->module = str_between(line, open + 1, close);
	place->symbol = str_trim_start(str_between(line, end, open - 1));
	if (end == open - 1)
		name_lone_word(place);
	else if (place->symbol.len == 0)
		place->symbol = STR(" ");
	return true;
}

bool
place_parse_bare(struct str line, struct place *place)
{
	size_t start = 1;

	if (line.len < PLACE_ADDRESS_END + 2 || !is_blank(line.data[0]) ||
	    line.data[PLACE_ADDRESS_END] != ' ')
		return false;
	while (start < PLACE_ADDRESS_END && line.data[start] == ' ')
		start++;
	place->address = str_between(line, start, PLACE_ADDRESS_END);
	place->symbol = str_skip(line, PLACE_ADDRESS_END + 1);
	place->module = str_take(line, 0);
	for (; start < PLACE_ADDRESS_END && is_hex(line.data[start]); start++)
		continue;
	return start == PLACE_ADDRESS_END && place->address.len > 0 &&
	    !str_contains(place->symbol, STR(" (/")) &&
	    !str_contains(place->symbol, STR(" (["));
}
