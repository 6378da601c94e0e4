#include <stdlib.h>

#include "lib/utf8.h"
#include "xml.h"

/* Returns the index of the first c at `from` or later. */
static size_t
find_from(struct str s, size_t from, char c)
{
	return from + str_find(str_skip(s, from), c);
}

size_t
xml_tag_end(struct str text)
{
	size_t end = str_find(text, '>'), at = 0, quote, other;

	for (; at < end; at++) {
		quote = at + str_find(str_between(text, at, end), '"');
		other = at + str_find(str_between(text, at, quote), '\'');
		if (other == end)
			return end;
		at = find_from(text, other + 1, text.data[other]);
		if (at == text.len)
			return at;
		if (at > end)
			end = find_from(text, at, '>');
	}
	return end;
}

struct str
xml_cut_name(struct str *tag)
{
	struct str name = *tag;
	size_t len = str_starts(name, STR("/"));

	while (len < name.len && (unsigned char)name.data[len] > ' ' &&
	    name.data[len] != '>' && name.data[len] != '/')
		len++;
	*tag = str_skip(name, len);
	return str_take(name, len);
}

bool
xml_attribute(struct str tag, struct str name, struct str *value)
{
	size_t equals, end;
	struct str found;
	char quote;

	while ((equals = str_find(tag, '=')) + 1 < tag.len) {
		found = str_trim(str_take(tag, equals));
		quote = tag.data[equals + 1];
		tag = str_skip(tag, equals + 2);
		end = str_find(tag, quote);
		if ((quote != '"' && quote != '\'') || end == tag.len)
			return false;
		if (str_equal(found, name)) {
			*value = str_take(tag, end);
			return true;
		}
		tag = str_skip(tag, end + 1);
	}
	return false;
}

/* Returns the code point of "#955" or "#x3bb"; 0 if XML has none. */
static uint32_t
number_of(struct str reference)
{
	char digits[12];
	unsigned long code;
	int base = 10;
	char *end;

	if (!str_starts(reference, STR("#")) || reference.len > 9)
		return 0;
	reference = str_skip(reference, 1);
	if (str_starts(reference, STR("x"))) {
		reference = str_skip(reference, 1);
		base = 16;
	}
	if (reference.len == 0 || !is_hex(reference.data[0]))
		return 0;
	memcpy(digits, reference.data, reference.len);
	digits[reference.len] = '\0';
	code = strtoul(digits, &end, base);
	if (*end != '\0' || code >= 0x110000 ||
	    (code >= 0xd800 && code < 0xe000) || !utf8_is_xml((uint32_t)code))
		return 0;
	return (uint32_t)code;
}

/* Adds the character of a reference, "lt" or "#955"; false for other text. */
static bool
add_reference(struct text *text, struct str reference)
{
	static const struct { struct str name; char is; } known[] = {
		{ { "lt", 2 }, '<' }, { { "gt", 2 }, '>' },
		{ { "amp", 3 }, '&' }, { { "quot", 4 }, '"' },
		{ { "apos", 4 }, '\'' },
	};
	uint32_t code = number_of(reference);
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (str_equal(reference, known[i].name))
			code = (unsigned char)known[i].is;
	if (code != 0)
		utf8_add(text, code);
	return code != 0;
}

void
xml_add_text(struct text *text, struct str value)
{
	size_t len;

	while (value.len > 0) {
		len = str_find(value, '&');
		text_add(text, str_take(value, len));
		value = str_skip(value, len);
		if (value.len == 0)
			return;
		len = str_find(value, ';');
		if (len < value.len && add_reference(text,
		    str_between(value, 1, len)))
			value = str_skip(value, len + 1);
		else {
			text_add_char(text, '&');
			value = str_skip(value, 1);
		}
	}
}
