/*
 * json lines | SIZE [skip]
 *
 * Reads JSON, in pieces of SIZE bytes, and prints it without blanks, with
 * numbers as printf(3) has them, and with no more escapes than are needed; then
 * what is wrong, if something is, and where.  With `lines` it reads each line
 * by itself, in pieces of 1, 2, 3 and 4096 bytes, which must print the same.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/json.h"
#include "lib/mem.h"
#include "unit.h"

struct pieces {
	struct str left;
	size_t size;
	char *piece;
};

/* Gives a piece in memory of just its size. */
static bool
next_piece(void *context, struct str *piece)
{
	struct pieces *pieces = context;
	size_t left = pieces->left.len;
	struct str next = str_take(pieces->left,
	    left < pieces->size ? left : pieces->size);

	pieces->left = str_skip(pieces->left, next.len);
	free(pieces->piece);
	pieces->piece = mem_array(next.len, 1);
	if (next.len > 0)
		memcpy(pieces->piece, next.data, next.len);
	*piece = (struct str){ pieces->piece, next.len };
	return next.len > 0;
}

static void
add_text(struct text *out, struct str text)
{
	size_t i;

	text_add_char(out, '"');
	for (i = 0; i < text.len; i++)
		if ((unsigned char)text.data[i] < ' ')
			text_add_format(out, "\\u%04x", text.data[i]);
		else {
			if (strchr("\"\\", text.data[i]) != NULL)
				text_add_char(out, '\\');
			text_add_char(out, text.data[i]);
		}
	text_add_char(out, '"');
}

static void
add_value(struct text *out, struct json *json)
{
	static const char *const words[] = { "", "null", "false", "true" };
	enum json_type type = json_value(json);
	const char *before = "";
	struct str key;

	if (type == JSON_TEXT)
		add_text(out, json->text);
	else if (type == JSON_NUMBER)
		text_add_format(out, "%.17g", json->number);
	else if (type == JSON_ARRAY) {
		text_add_char(out, '[');
		for (; json_element(json); before = ",") {
			text_add(out, str_from(before));
			add_value(out, json);
		}
		text_add_char(out, ']');
	} else if (type == JSON_OBJECT) {
		text_add_char(out, '{');
		for (; json_member(json, &key); before = ",") {
			text_add(out, str_from(before));
			add_text(out, key);
			text_add_char(out, ':');
			add_value(out, json);
		}
		text_add_char(out, '}');
	} else
		text_add(out, str_from(words[type]));
}

static void
read_all(struct text *out, struct str input, size_t size, bool skips)
{
	struct pieces pieces = { input, size, NULL };
	struct json json;

	json_begin(&json, next_piece, &pieces);
	if (skips)
		json_skip(&json);
	else
		add_value(out, &json);
	json_end(&json);
	if (json.trouble != NULL)
		text_add_format(out, " (%s, at %llu)", json.trouble,
		    json_offset(&json));
	text_add_char(out, '\n');
	free(pieces.piece);
}

static void
read_lines(void)
{
	static const size_t sizes[] = { 1, 2, 3, 4096 };
	struct text first = { 0 }, other = { 0 };
	struct str line;
	size_t i;

	for (; unit_line(&line); first.len = 0) {
		read_all(&first, line, sizes[0], false);
		for (i = 1; i < sizeof(sizes) / sizeof(*sizes); i++) {
			other.len = 0;
			read_all(&other, line, sizes[i], false);
			if (!str_equal(text_str(&first), text_str(&other)))
				errx(1, "in pieces of %zu bytes: %.*s",
				    sizes[i], (int)other.len, other.data);
		}
		unit_print(text_str(&first), "");
	}
}

int
json_main(int argc, char **argv)
{
	struct text out = { 0 };

	if (strcmp(argv[1], "lines") == 0) {
		read_lines();
		return 0;
	}
	read_all(&out, unit_all(stdin), strtoul(argv[1], NULL, 10), argc > 2);
	unit_print(text_str(&out), "");
	return 0;
}
