#include "demangle_rust.h"
#include "demangle_rust_v0.h"
#include "rustname.h"

/* "17h" and 16 hexadecimal digits end the names of the old kind. */
#define HASH	((size_t)19)

/* True for 17h05af221e174051e9 with at least five different digits. */
static bool
is_hash(struct str s)
{
	unsigned seen = 0, count = 0;
	size_t i;

	if (!str_starts(s, STR("17h")))
		return false;
	for (i = 3; i < s.len; i++) {
		if (!rustname_is_hex(s.data[i]))
			return false;
		seen |= 1u << (is_digit(s.data[i]) ? s.data[i] - '0' :
		    s.data[i] - 'a' + 10);
	}
	for (; seen > 0; seen >>= 1)
		count += seen & 1;
	return count >= 5;
}

/* Cuts a name, "3foo", off the start of the names; false if it cannot. */
static bool
cut_name(struct str *names, struct str *name)
{
	unsigned long long len;

	struct str rest = *names;

	if (str_starts(rest, STR("0")) || !str_number(rest, &len))
		return false;
	while (rest.len > 0 && is_digit(rest.data[0]))
		rest = str_skip(rest, 1);
	if (len > rest.len)
		return false;
	*name = str_take(rest, (size_t)len);
	*names = str_skip(rest, (size_t)len);
	return true;
}

/* True if the old kind of names may have all these characters. */
static bool
has_legacy_characters(struct str s)
{
	for (; s.len > 0; s = str_skip(s, 1))
		if (!is_word(s.data[0]) && strchr("$.:@", s.data[0]) == NULL)
			return false;
	return true;
}

/* Cuts "E" or "E.llvm.123" off the end; false if it is not there. */
static bool
cut_end(struct str *names)
{
	size_t at;

	if (!str_ends(*names, STR("E")) && str_find(*names, '.') == names->len)
		return false;		/* the most C++ names */
	while (!str_ends(*names, STR("E"))) {
		at = str_find_last(*names, '.');
		if (at == names->len)
			return false;
		names->len = at;
	}
	names->len--;
	return true;
}

/* _ZN4core3fmt5Write9write_fmt17h05af221e174051e9E */
static bool
demangle_legacy(struct str mangled, struct text *out)
{
	size_t start = out->len;
	struct str names = mangled, name;

	if (!cut_end(&names) || names.len <= HASH ||
	    !is_hash(str_skip(names, names.len - HASH)) ||
	    !has_legacy_characters(mangled))
		return false;
	names.len -= HASH;
	while (names.len > 0 && cut_name(&names, &name)) {
		if (out->len > start)
			text_add(out, STR("::"));
		rustname_add(out, name);
	}
	if (names.len > 0)
		out->len = start;
	return names.len == 0;
}

bool
demangle_rust(struct str mangled, struct text *out)
{
	if (str_starts(mangled, STR("_ZN")))
		return demangle_legacy(str_skip(mangled, 3), out);
	if (str_starts(mangled, STR("_R")))
		return demangle_rust_v0(str_skip(mangled, 2), out);
	return false;
}
