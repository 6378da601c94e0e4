#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "colourfile.h"
#include "lib/input.h"
#include "lib/message.h"
#include "lib/output.h"
#include "lib/utf8.h"

/* Returns a text as regcomp and regexec take it, until the next one. */
static const char *
terminate(struct rules *rules, struct str s)
{
	rules->text.len = 0;
	text_add(&rules->text, s);
	text_add_char(&rules->text, '\0');
	return rules->text.data;
}

/* Reads PATTERN COLOR, and returns what is wrong with it, or NULL. */
static const char *
read_rule(struct rules *rules, struct str line)
{
	static char reason[200];
	size_t at = str_find_last(line, ' ');
	struct rule rule = { .used = false };
	int error;

	if (at == line.len)
		return "no color after a pattern";
	if (!colour_parse(str_skip(line, at + 1), &rule.colour))
		return "the color is not #rrggbb, #rgb or rgb(r,g,b)";
	rule.pattern = str_take(line, at);
	while (str_ends(rule.pattern, STR(" ")))
		rule.pattern.len--;
	error = regcomp(&rule.regex, terminate(rules, rule.pattern),
	    REG_EXTENDED | REG_NOSUB);
	if (error != 0) {
		regerror(error, &rule.regex, reason, sizeof(reason));
		return reason;
	}
	*LIST_ADD(rules->list, rules->count, rules->room) = rule;
	return NULL;
}

bool
rules_read(struct rules *rules, const char *path)
{
	const char *operands[] = { path, NULL }, *reason = NULL;
	struct input input;
	struct str line;

	input_init(&input, operands);
	while (reason == NULL && input_line(&input, &line)) {
		line = utf8_clean(line, &rules->arena);
		if (line.len > 0 && !str_starts(line, STR("# ")))
			reason = read_rule(rules,
			    arena_copy(&rules->arena, line));
	}
	if (reason != NULL)
		message_warn("%s: line %zu: %s", path, input.line, reason);
	return reason == NULL && !input.failed;
}

/* Names are matched once, since a function has many frames. */
struct rule *
rules_find(struct rules *rules, struct str name)
{
	uint32_t known = rules->names.count;
	uint32_t number = table_add(&rules->names, name), i = 0;
	const char *text;

	if (number == known) {
		text = terminate(rules, name);
		while (i < rules->count &&
		    regexec(&rules->list[i].regex, text, 0, NULL, 0) != 0)
			i++;
		*LIST_AT(rules->found, number, rules->found_room) =
		    i < rules->count ? &rules->list[i] : NULL;
	}
	return rules->found[number];
}

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
