#include "demangle_ocaml.h"

static int
hex_value(char c)
{
	return is_digit(c) ? c - '0' : lower(c) - 'a' + 10;
}

/* Returns the character of "$2b"; 0 if s begins with none or it is control. */
static char
unescape(struct str s)
{
	char c;

	if (s.len < 3 || s.data[0] != '$' || !is_hex(s.data[1]) ||
	    !is_hex(s.data[2]))
		return '\0';
	c = (char)(hex_value(s.data[1]) << 4 | hex_value(s.data[2]));
	return is_control(c) ? '\0' : c;
}

/*
 * "caml", a module's name, which begins with a capital, "__" for each dot, and
 * "$2b" for a character that is no letter.
 */
bool
demangle_ocaml(struct str mangled, struct text *out)
{
	struct str rest;
	size_t len;
	char c;

	if (!str_starts(mangled, STR("caml")) || mangled.len < 5 ||
	    mangled.data[4] < 'A' || mangled.data[4] > 'Z')
		return false;
	for (rest = str_skip(mangled, 4); rest.len > 0;
	    rest = str_skip(rest, len)) {
		len = 1;
		c = rest.data[0];
		if (str_starts(rest, STR("__"))) {
			len = 2;
			c = '.';
		} else if (unescape(rest) != '\0') {
			len = 3;
			c = unescape(rest);
		}
		text_add_char(out, c);
	}
	return true;
}
