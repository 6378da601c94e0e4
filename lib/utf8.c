#include "utf8.h"

size_t
utf8_decode(struct str s, uint32_t *code)
{
	/* The least code point that needs a sequence of this length. */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first, next;
	size_t len, i;

	if (s.len == 0)
		return 0;
	first = (unsigned char)s.data[0];
	len = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 :
	    first < 0xF0 ? 3 : first < 0xF8 ? 4 : 0;
	if (len == 0 || len > s.len)
		return 0;
	*code = len == 1 ? first : first & (0x7FU >> len);
	for (i = 1; i < len; i++) {
		next = (unsigned char)s.data[i];
		if ((next & 0xC0) != 0x80)
			return 0;
		*code = *code << 6 | (next & 0x3F);
	}
	if (*code < least[len] || *code > 0x10FFFF ||
	    (*code >= 0xD800 && *code <= 0xDFFF))
		return 0;
	return len;
}

bool
utf8_is_xml(uint32_t code)
{
	return code >= 0x20 ? code != 0xFFFE && code != 0xFFFF :
	    code == '\t' || code == '\n' || code == '\r';
}

bool
utf8_is_shown(uint32_t code)
{
	return code >= 0x20 && (code < 0x7f || code >= 0xa0) &&
	    !(code >= 0x2028 && code <= 0x202e) &&
	    !(code >= 0x2066 && code <= 0x2069);
}

/* Returns how much of s is printable ASCII, looking at eight bytes a step. */
static size_t
plain_length(struct str s)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word;
	size_t at = 0;

	for (; at + sizeof(word) <= s.len; at += sizeof(word)) {
		memcpy(&word, s.data + at, sizeof(word));
		/* A byte below 0x20 borrows into its high bit. */
		if (((word | (word - ones * 0x20)) & ones * 0x80) != 0)
			break;
	}
	while (at < s.len && s.data[at] >= 0x20 && (s.data[at] & 0x80) == 0)
		at++;
	return at;
}

/* Returns how many bytes of s are clean. */
static size_t
clean_length(struct str s)
{
	uint32_t code;
	size_t at = 0, len;

	while ((at += plain_length(str_skip(s, at))) < s.len) {
		len = utf8_decode(str_skip(s, at), &code);
		if (len == 0 || !utf8_is_xml(code))
			break;
		at += len;
	}
	return at;
}

struct str
utf8_clean(struct str s, struct arena *arena)
{
	const struct str replacement = STR("\xEF\xBF\xBD");
	size_t at = clean_length(s), len;
	uint32_t code;
	struct str clean;
	char *copy;

	if (at == s.len)
		return s;
	copy = arena_take(arena, at + (s.len - at) * replacement.len);
	clean = (struct str){ copy, 0 };
	for (;;) {
		memcpy(copy + clean.len, s.data, at);
		clean.len += at;
		s = str_skip(s, at);
		if (s.len == 0)
			return clean;
		memcpy(copy + clean.len, replacement.data, replacement.len);
		clean.len += replacement.len;
		len = utf8_decode(s, &code);
		s = str_skip(s, len > 0 ? len : 1);
		at = clean_length(s);
	}
}

uint32_t
utf8_entity(struct str name)
{
	static const struct {
		const char *name;
		uint32_t code;
	} known[] = {
		{ "amp", '&' }, { "lt", '<' }, { "gt", '>' },
		{ "quot", '"' }, { "apos", '\'' },
	};
	uint32_t code = 0, base;
	size_t i;
	char c;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (str_equal(name, str_from(known[i].name)))
			return known[i].code;
	if (!str_starts(name, STR("#")) || name.len > 9)
		return 0;
	base = str_starts(name, STR("#x")) ? 16 : 10;
	for (i = base == 16 ? 2 : 1; i < name.len; i++) {
		c = name.data[i];
		if (base == 10 ? !is_digit(c) : !is_hex(c))
			return 0;
		code = code * base + hex_value(c);
	}
	return code;
}

uint32_t
utf8_next(struct str *s)
{
	uint32_t code = 0xFFFD;
	size_t len = utf8_decode(*s, &code);

	*s = str_skip(*s, len > 0 ? len : 1);
	return code;
}

void
utf8_add(struct text *text, uint32_t code)
{
	static const unsigned char first[] = { 0, 0xc0, 0xe0, 0xf0 };
	unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 :
	    code < 0x10000 ? 2 : 3;

	text_add_char(text, (char)(first[more] | code >> 6 * more));
	while (more-- > 0)
		text_add_char(text, (char)(0x80 | (code >> 6 * more & 0x3f)));
}

static bool
starts_code(char c)
{
	return ((unsigned char)c & 0xC0) != 0x80;
}

size_t
utf8_length(struct str s)
{
	size_t count = 0, i;

	for (i = 0; i < s.len; i++)
		count += starts_code(s.data[i]);
	return count;
}

struct str
utf8_take(struct str s, size_t count)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		if (starts_code(s.data[i]) && count-- == 0)
			return str_take(s, i);
	return s;
}
