#include <stdlib.h>

#include "attributes.h"
#include "lib/input.h"
#include "lib/message.h"
#include "lib/utf8.h"
#include "svg.h"

#define LONGEST_ENTITY	12	/* bytes of "&#x10FFFF;", and some zeros */

struct attribute_reader {
	struct attribute_file *file;
	struct input input;
	/* what the line has given so far */
	struct table given;	/* names of attributes */
	struct attributes attributes;
	struct text extra, link_extra;
};

static bool
fail(const struct attribute_reader *reader, const char *what, struct str detail)
{
	message_warn("%s: line %zu: %s: %s", reader->input.name,
	    reader->input.line, what, message_shown(detail));
	return false;
}

/* Replaces entities; the text lives as long as the file. */
static struct str
decode(struct attribute_file *file, struct str s)
{
	struct text text = { 0 };
	struct str clean, window;
	uint32_t code;
	size_t end;

	for (; s.len > 0; s = str_skip(s, 1)) {
		window = str_take(s, s.len < LONGEST_ENTITY ? s.len :
		    LONGEST_ENTITY);
		end = s.data[0] == '&' ? str_find(window, ';') : window.len;
		code = end < window.len ?
		    utf8_entity(str_between(s, 1, end)) : 0;
		if (code != 0) {
			utf8_add(&text, code <= 0x10FFFF ? code : 0xFFFD);
			s = str_skip(s, end);
		} else
			text_add_char(&text, s.data[0]);
	}
	clean = utf8_clean(text_str(&text), &file->arena);
	if (clean.data == text.data)
		clean = arena_copy(&file->arena, clean);
	free(text.data);
	return clean;
}

/* True if a link runs a script; browsers skip blanks in "java script:". */
static bool
is_script(struct str href)
{
	static const char *const schemes[] = {
		"javascript:", "vbscript:", "data:"
	};
	size_t i, at, matched;

	for (i = 0; i < sizeof(schemes) / sizeof(*schemes); i++) {
		matched = 0;
		for (at = 0; at < href.len; at++) {
			if ((unsigned char)href.data[at] <= ' ')
				continue;
			if ((href.data[at] | 0x20) !=
			    (schemes[i][matched] | 0x20))
				break;
			if (schemes[i][++matched] == '\0')
				return true;
		}
	}
	return false;
}

/* True if browsers read the attribute's value as text, not as CSS. */
static bool
is_text_attribute(struct str name)
{
	static const char *const names[] = {
		"id", "class", "title", "href", "xlink:href", "xlink:title",
		"target", "rel", "role"
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (str_equal(name, str_from(names[i])))
			return true;
	return str_starts(name, STR("data-")) || str_starts(name, STR("aria-"));
}

/* True if CSS of a frame makes browsers load something; "\75rl(" is url(. */
static bool
is_loading(struct str css)
{
	static const char *const signs[] = {
		"\\", "@", "src(", "image(", "image-set("
	};
	struct str url;
	size_t i;

	for (; css.len > 0; css = str_skip(css, 1)) {
		for (i = 0; i < sizeof(signs) / sizeof(*signs); i++)
			if (str_starts_any_case(css, str_from(signs[i])))
				return true;
		if (!str_starts_any_case(css, STR("url(")))
			continue;
		/* "#id" is a part of the picture, with or without quotes */
		url = str_trim_start(str_skip(css, 4));
		if (str_starts(url, STR("\"")) || str_starts(url, STR("'")))
			url = str_skip(url, 1);
		if (!str_starts(url, STR("#")))
			return true;
	}
	return false;
}

/*
 * True if an attribute needs no declaration, does not run its value as a script
 * and reports no click to another server, as ping does.
 */
static bool
is_attribute_name(struct str name)
{
	size_t i;

	if (str_starts(name, STR("xlink:")))
		name = str_skip(name, 6);
	if (name.len == 0 || !is_word(name.data[0]) ||
	    is_digit(name.data[0]) || str_starts_any_case(name, STR("xml")))
		return false;
	for (i = 0; i < name.len; i++)
		if (!is_word(name.data[i]) && name.data[i] != '-' &&
		    name.data[i] != '.')
			return false;
	return !(name.len > 2 && str_starts_any_case(name, STR("on"))) &&
	    !str_starts_any_case(name, STR("ping")) &&
	    !str_starts_any_case(name, STR("attributionsrc"));
}

/* Returns false, after a message, if the line gave the name already. */
static bool
is_new(struct attribute_reader *reader, struct str name)
{
	uint32_t before = reader->given.count;

	table_add(&reader->given, name);
	return reader->given.count > before ||
	    fail(reader, "given twice", name);
}

static bool
add_attribute(struct attribute_reader *reader, struct text *svg,
    struct str name, struct str value)
{
	if (!is_attribute_name(name))
		return fail(reader, "not an attribute for a frame", name);
	if (is_script(value))
		return fail(reader, "a link to a script", value);
	if (!is_text_attribute(name) && is_loading(value))
		return fail(reader, "would load what it names", value);
	if (!is_new(reader, name))
		return false;
	text_add_char(svg, ' ');
	text_add(svg, name);
	text_add(svg, STR("=\""));
	svg_value(svg, value, reader->file->ascii);
	text_add_char(svg, '"');
	return true;
}

/* NAME="VALUE" NAME='VALUE' ... */
static bool
add_markup(struct attribute_reader *reader, struct text *svg, struct str markup)
{
	struct str name, value, rest;
	char quote;

	for (rest = str_trim(markup); rest.len > 0; rest = str_trim(rest)) {
		name = str_trim(str_cut(&rest, '='));
		rest = str_trim_start(rest);
		quote = rest.len > 0 ? rest.data[0] : '\0';
		if (quote != '"' && quote != '\'')
			return fail(reader, "not NAME=\"VALUE\"", markup);
		rest = str_skip(rest, 1);
		value = str_cut(&rest, quote);
		if (!add_attribute(reader, svg, name,
		    decode(reader->file, value)))
			return false;
	}
	return true;
}

static bool
read_attribute(struct attribute_reader *reader, struct str word)
{
	struct str value = word, name = str_cut(&value, '='), text;

	if (name.len == word.len)
		return fail(reader, "not NAME=VALUE", word);
	if (str_equal(name, STR("g_extra")))
		return add_markup(reader, &reader->extra, value);
	if (str_equal(name, STR("a_extra")))
		return add_markup(reader, &reader->link_extra, value);
	text = decode(reader->file, value);
	if (str_equal(name, STR("id")) || str_equal(name, STR("class")))
		return add_attribute(reader, &reader->extra, name, text);
	if (str_equal(name, STR("href"))) {
		if (is_script(text))
			return fail(reader, "a link to a script", value);
		/* A link is printed with both. */
		if (!is_new(reader, STR("xlink:href")) ||
		    !is_new(reader, STR("target")))
			return false;
		reader->attributes.href = text;
	} else if (str_equal(name, STR("target")))
		reader->attributes.target = text;
	else if (str_equal(name, STR("title")))
		reader->attributes.title = text;
	else
		fail(reader, "left out, an unknown attribute", name);
	return true;
}

/* NAME, tab, ATTRIBUTE, tab, ATTRIBUTE ... */
static bool
read_line(struct attribute_reader *reader, struct str line)
{
	struct attribute_file *file = reader->file;
	struct str rest = line = utf8_clean(line, &file->arena);
	struct str name = str_cut(&rest, '\t');
	struct attributes *attributes = &reader->attributes;
	uint32_t number;

	if (name.len == line.len)
		return fail(reader, "no tab after the name", name);
	*attributes = (struct attributes){ 0 };
	reader->extra.len = reader->link_extra.len = 0;
	table_free(&reader->given);
	while (rest.len > 0)
		if (!read_attribute(reader, str_cut(&rest, '\t')))
			return false;
	attributes->extra = arena_copy(&file->arena, text_str(&reader->extra));
	attributes->link_extra =
	    arena_copy(&file->arena, text_str(&reader->link_extra));
	number = table_add(&file->names, name);
	*LIST_AT(file->attributes, number, file->room) = *attributes;
	return true;
}

bool
attributes_read(struct attribute_file *file, const char *path, bool ascii)
{
	const char *operands[] = { path, NULL };
	struct attribute_reader reader = { .file = file };
	struct str line;
	bool good = true;

	*file = (struct attribute_file){ .ascii = ascii };
	input_init(&reader.input, operands);
	while (good && input_line(&reader.input, &line))
		good = read_line(&reader, line);
	if (!good)
		input_stop(&reader.input);
	table_free(&reader.given);
	free(reader.extra.data);
	free(reader.link_extra.data);
	return good && !reader.input.failed;
}

const struct attributes *
attributes_find(const struct attribute_file *file, struct str name)
{
	uint32_t number = table_find(&file->names, name);

	return number == TABLE_NONE ? NULL : &file->attributes[number];
}
