#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "lib/input.h"
#include "lib/message.h"
#include "lib/output.h"
#include "lib/text.h"
#include "lib/utf8.h"
#include "palettemap.h"

static void
set_colour(struct palette_map *map, struct str name, struct str colour)
{
	uint32_t number = table_add(&map->names, name);

	*LIST_AT(map->colours, number, map->room) = arena_copy(&map->arena,
	    colour);
}

/*
 * True for "rgb(1,2,3)", "#abc", "hsl(120 50% 50%)" and "red"; not for
 * url(...), since browsers would load it with the picture, nor for the
 * "rgb(250," of a file that was cut off.
 */
static bool
is_colour(struct str text)
{
	size_t i;

	for (i = 0; i < text.len; i++)
		if (str_starts_any_case(str_skip(text, i), STR("url")) ||
		    (!is_word(text.data[i]) && (text.data[i] == '\0' ||
		    strchr("#(),.% /-", text.data[i]) == NULL)))
			return false;
	return text.len > 0 &&
	    (str_find(text, '(') == text.len || str_ends(text, STR(")")));
}

/*
 * Reads NAME->COLOUR; a name like "operator->" has arrows of its own.  Returns
 * false for any other line that is not empty.
 */
static bool
read_entry(struct palette_map *map, struct str line)
{
	size_t end;
	struct str colour;

	line = utf8_clean(line, &map->arena);
	for (end = line.len; end > 1; end--)
		if (str_ends(str_take(line, end), STR("->")))
			break;
	colour = str_skip(line, end);
	if (end < 2 || !is_colour(colour))
		return line.len == 0;
	set_colour(map, str_take(line, end - 2), colour);
	return true;
}

bool
palette_map_read(struct palette_map *map, const char *path)
{
	const char *operands[] = { path, NULL };
	struct input input;
	struct stat status = { .st_mode = S_IFREG };
	struct str line;
	size_t odd = 0, first = 0;

	*map = (struct palette_map){ .room = 0 };
	if (stat(path, &status) != 0 && errno == ENOENT)
		return true;
	/* To read a pipe would wait, and it cannot be replaced. */
	if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
		message_warn("%s: not a regular file, which --cp keeps", path);
		return false;
	}
	input_init(&input, operands);
	while (input_line(&input, &line))
		if (!read_entry(map, line) && odd++ == 0)
			first = input.line;
	if (odd > 0)
		message_warn("%s: lines without a name and a color, left out: "
		    "%zu, the first is line %zu", path, odd, first);
	return !input.failed;
}

struct str
palette_map_colour(struct palette_map *map, struct palette *palette,
    struct str name)
{
	uint32_t number = table_find(&map->names, name);
	struct text text = { 0 };
	struct colour colour;

	if (number == TABLE_NONE) {
		colour = palette_colour(palette, name);
		text_add_format(&text, "rgb(%d,%d,%d)", colour.red,
		    colour.green, colour.blue);
		set_colour(map, name, text_str(&text));
		free(text.data);
		number = map->names.count - 1;
	}
	return map->colours[number];
}

bool
palette_map_write(const struct palette_map *map, const char *path)
{
	uint32_t *order = table_order(&map->names), i;
	struct text text = { 0 };
	bool written;

	for (i = 0; i < map->names.count; i++) {
		text_add(&text, map->names.keys[order[i]]);
		text_add(&text, STR("->"));
		text_add(&text, map->colours[order[i]]);
		text_add_char(&text, '\n');
	}
	free(order);
	written = output_replace(path, text_str(&text));
	free(text.data);
	return written;
}
