#include "lib/utf8.h"
#include "xml.h"

size_t
xml_tag_end(struct str text)
{
	size_t end = str_find(text, '>'), at = 0, quote, other;

	for (; at < end; at++) {
		quote = at + str_find(str_between(text, at, end), '"');
		other = at + str_find(str_between(text, at, quote), '\'');
		if (other == end)
			return end;
		at = other + 1;
		at += str_find(str_skip(text, at), text.data[other]);
		if (at > end)
			end = at + str_find(str_skip(text, at), '>');
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

void
xml_add_text(struct text *text, struct str value)
{
	uint32_t code;
	size_t len;

	while (value.len > 0) {
		len = str_find(value, '&');
		text_add(text, str_take(value, len));
		value = str_skip(value, len);
		if (value.len == 0)
			return;
		/* "&lt;" or "&#955;" */
		len = str_find(value, ';');
		code = len == value.len ? 0 :
		    utf8_entity(str_between(value, 1, len));
		if (utf8_is_xml(code) && code < 0x110000 &&
		    (code < 0xd800 || code >= 0xe000)) {
			utf8_add(text, code);
			value = str_skip(value, len + 1);
		} else {
			text_add_char(text, '&');
			value = str_skip(value, 1);
		}
	}
}
