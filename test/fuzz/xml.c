#include <stdlib.h>

#include "lib/utf8.h"
#include "xml.h"

#define NONE	UINT32_MAX

/* "lt", "#60" or "#x3c" */
static void
check_reference(struct str name)
{
	const char *const known[] = { "lt", "gt", "amp", "quot", "apos" };
	char digits[9] = "", *end;
	unsigned long code;
	bool is_hexadecimal;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (str_equal(name, str_from(known[i])))
			return;
	is_hexadecimal = str_starts(name, STR("#x"));
	require(str_starts(name, STR("#")), "a known entity");
	name = str_skip(name, is_hexadecimal ? 2 : 1);
	require(name.len > 0 && name.len < sizeof(digits) &&
	    is_hex(name.data[0]) && str_find(name, 'x') == name.len,
	    "digits in a reference");
	memcpy(digits, name.data, name.len);
	code = strtoul(digits, &end, is_hexadecimal ? 16 : 10);
	require(end == digits + name.len, "a digit in a reference");
	require(code >= ' ' || code == '\t' || code == '\n' || code == '\r',
	    "a reference to a character");
	require((code < 0xD800 || code > 0xDFFF) && code != 0xFFFE &&
	    code != 0xFFFF && code <= 0x10FFFF, "a reference to text");
}

/* Text without tags, in an element or between the quotes of an attribute. */
static void
check_text(struct str text)
{
	size_t at;

	require(str_find(text, '<') == text.len, "no < in text");
	require(!str_contains(text, STR("]]>")), "no ]]> in text");
	while ((at = str_find(text, '&')) < text.len) {
		text = str_skip(text, at + 1);
		at = str_find(text, ';');
		require(at < text.len, "a reference ends");
		check_reference(str_take(text, at));
	}
}

/* Cuts off a name, with its prefix. */
static struct str
cut_name(struct str *s)
{
	struct str name;
	size_t len = 0;

	while (len < s->len && (is_word(s->data[len]) ||
	    strchr("-.:", s->data[len]) != NULL))
		len++;
	require(len > 0 && !is_digit(s->data[0]) && is_word(s->data[0]),
	    "a name");
	name = str_take(*s, len);
	*s = str_skip(*s, len);
	return name;
}

/* Returns the index of the mark, which must be in s. */
static size_t
find(struct str s, struct str mark)
{
	size_t at = str_search(s, mark);

	require(at < s.len, "what was begun ends");
	return at;
}

static void
add_attribute(struct xml *xml, struct xml_node *node, struct str name,
    struct str value)
{
	struct str local = name, prefix = fuzz_cut(&local, STR(":"));

	require(xml_value(xml, node, name).data == NULL, "each attribute once");
	require(local.len == 0 || str_equal(prefix, STR("xmlns")) ||
	    (str_equal(prefix, STR("xlink")) && xml->has_xlink),
	    "a prefix that was declared");
	require(str_find(local, ':') == local.len, "one prefix");
	check_text(value);
	xml->attributes = mem_grow(xml->attributes, &xml->attribute_room,
	    xml->attribute_count + 1, sizeof(*xml->attributes));
	xml->attributes[xml->attribute_count++] =
	    (struct xml_attribute){ name, value };
	node->count++;
	if (str_equal(name, STR("xmlns:xlink")))
		xml->has_xlink = true;
}

/* ' NAME="VALUE"' up to the tag's end; true if that is "/>" */
static bool
read_attributes(struct xml *xml, struct xml_node *node, struct str *rest)
{
	struct str name;
	char quote;
	size_t len;

	while (str_starts(*rest, STR(" "))) {
		*rest = str_skip(*rest, 1);
		name = cut_name(rest);
		require(rest->len > 2 && rest->data[0] == '=', "a value");
		quote = rest->data[1];
		require(quote == '"' || quote == '\'', "a value in quotes");
		*rest = str_skip(*rest, 2);
		len = str_find(*rest, quote);
		require(len < rest->len, "a quote at its end");
		add_attribute(xml, node, name, str_take(*rest, len));
		*rest = str_skip(*rest, len + 1);
	}
	if (str_starts(*rest, STR("/>"))) {
		*rest = str_skip(*rest, 2);
		return true;
	}
	require(str_starts(*rest, STR(">")), "a tag ends");
	*rest = str_skip(*rest, 1);
	return false;
}

/* Reads a start tag, after its '<'; what is the innermost element then. */
static uint32_t
open_element(struct xml *xml, uint32_t parent, struct str *rest)
{
	uint32_t number = (uint32_t)xml->count;
	struct xml_node *node;

	require(number == 0 || parent != NONE, "one root");
	xml->nodes = mem_grow(xml->nodes, &xml->room, xml->count + 1,
	    sizeof(*xml->nodes));
	node = &xml->nodes[xml->count++];
	*node = (struct xml_node){ .parent = parent == NONE ? 0 : parent,
	    .first = xml->attribute_count };
	node->name = cut_name(rest);
	require(str_find(node->name, ':') == node->name.len, "no prefix");
	if (read_attributes(xml, node, rest))
		return parent;
	node->text = str_take(*rest, str_find(*rest, '<'));
	return number;
}

/* The same for an end tag, after its "</". */
static uint32_t
close_element(const struct xml *xml, uint32_t element, struct str *rest)
{
	require(element != NONE, "something is open");
	require(str_equal(cut_name(rest), xml->nodes[element].name),
	    "an end tag of the innermost element");
	require(str_starts(*rest, STR(">")), "an end tag ends");
	*rest = str_skip(*rest, 1);
	return element == 0 ? NONE : xml->nodes[element].parent;
}

static void
skip_comment(struct str *rest)
{
	size_t end = find(*rest, STR("--"));

	require(str_starts(str_skip(*rest, end), STR("-->")),
	    "no -- in a comment");
	*rest = str_skip(*rest, end + 3);
}

/* <?xml version="1.0" encoding="NAME"?> */
static void
skip_declaration(struct str *rest)
{
	struct str line;

	require(str_starts(*rest, STR("<?xml version=\"1.0\"")),
	    "an XML declaration");
	line = fuzz_line(rest);
	require(str_ends(line, STR("?>")), "a declaration ends");
	require(str_find(str_skip(line, 19), '<') == line.len - 19 &&
	    str_find(str_take(line, line.len - 2), '>') == line.len - 2,
	    "only a declaration");
}

void
xml_read(struct xml *xml, struct str document)
{
	struct arena arena = { 0 };
	struct str rest = document, text;
	uint32_t element = NONE;

	*xml = (struct xml){ .count = 0 };
	require(utf8_clean(document, &arena).data == document.data,
	    "characters of XML");
	skip_declaration(&rest);
	for (;;) {
		text = str_take(rest, str_find(rest, '<'));
		check_text(text);
		require(element != NONE || str_trim(text).len == 0,
		    "no text outside the root");
		rest = str_skip(rest, text.len);
		if (rest.len == 0)
			break;
		rest = str_skip(rest, 1);
		if (str_starts(rest, STR("!--"))) {
			rest = str_skip(rest, 3);
			skip_comment(&rest);
		} else if (str_starts(rest, STR("![CDATA["))) {
			require(element != NONE, "no CDATA outside the root");
			rest = str_skip(rest, find(rest, STR("]]>")) + 3);
		} else if (str_starts(rest, STR("/"))) {
			rest = str_skip(rest, 1);
			element = close_element(xml, element, &rest);
		} else
			element = open_element(xml, element, &rest);
	}
	require(xml->count > 0 && element == NONE, "all is closed");
}

struct str
xml_value(const struct xml *xml, const struct xml_node *node,
    struct str name)
{
	size_t i;

	for (i = node->first; i < node->first + node->count; i++)
		if (str_equal(xml->attributes[i].name, name))
			return xml->attributes[i].value;
	return (struct str){ NULL, 0 };
}
