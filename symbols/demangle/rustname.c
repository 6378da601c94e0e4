#include "rustname.h"

#define HASH	((size_t)19)	/* "::h" and 16 digits */

bool
rustname_is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f');
}

/* Returns the character of an escape that s begins with, $LT$, $u20$; or 0. */
static char
unescape(struct str s, size_t *len)
{
	static const struct { struct str escape; char is; } escapes[] = {
		{ { "$C$", 3 }, ',' }, { { "$SP$", 4 }, '@' },
		{ { "$BP$", 4 }, '*' }, { { "$RF$", 4 }, '&' },
		{ { "$LT$", 4 }, '<' }, { { "$GT$", 4 }, '>' },
		{ { "$LP$", 4 }, '(' }, { { "$RP$", 4 }, ')' },
	};
	size_t i;
	int code;

	for (i = 0; i < sizeof(escapes) / sizeof(*escapes); i++)
		if (str_starts(s, escapes[i].escape)) {
			*len = escapes[i].escape.len;
			return escapes[i].is;
		}
	/* $u7e$, of which the first digit is 2 to 7. */
	if (s.len < 5 || s.data[1] != 'u' || s.data[4] != '$' ||
	    s.data[2] < '2' || s.data[2] > '7' || !rustname_is_hex(s.data[3]))
		return '\0';
	*len = 5;
	code = (s.data[2] - '0') * 16 + (is_digit(s.data[3]) ?
	    s.data[3] - '0' : s.data[3] - 'a' + 10);
	return code == 0x7f ? '\0' : (char)code;
}

void
rustname_add(struct text *out, struct str name)
{
	size_t len;
	char c;

	if (str_starts(name, STR("_$")))
		name = str_skip(name, 1);
	for (; name.len > 0; name = str_skip(name, len)) {
		len = 1;
		c = name.data[0];
		if (str_starts(name, STR(".."))) {
			text_add(out, STR("::"));
			len = 2;
		} else if (c != '$')
			text_add_char(out, c);
		else if ((c = unescape(name, &len)) != '\0')
			text_add_char(out, c);
		else {
			text_add(out, name);
			return;
		}
	}
}

/* Cuts "::h05af221e174051e9" off the end; false if it is not there. */
static bool
cut_hash(struct str *name)
{
	size_t i;

	if (name->len <= HASH ||
	    !str_starts(str_skip(*name, name->len - HASH), STR("::h")))
		return false;
	for (i = name->len - HASH + 3; i < name->len; i++)
		if (!rustname_is_hex(name->data[i]))
			return false;
	name->len -= HASH;
	return true;
}

bool
rustname_add_path(struct text *out, struct str path)
{
	size_t len;

	if (!cut_hash(&path))
		return false;
	for (; path.len > 0; path = str_skip(path, len)) {
		len = str_search(path, STR("::"));
		rustname_add(out, str_take(path, len));
		if (len == path.len)
			break;
		text_add(out, STR("::"));
		len += 2;
	}
	return true;
}
