/*
 * The input is a mangled name.  The demangled one is added to the text that was
 * there, is the same a second time, is bounded, and has no control characters
 * unless the name has them; a name that no compiler makes is left alone.
 */
#include "fuzz.h"
#include "lib/utf8.h"
#include "symbols/demangle/demangle.h"

/* More than any name grows to. */
#define MOST	((size_t)80 * 1024)

/* True for ASCII without a tab or another control character. */
static bool
is_plain(struct str s)
{
	for (; s.len > 0; s = str_skip(s, 1))
		if (s.data[0] < ' ' || s.data[0] > '~')
			return false;
	return true;
}

static bool
is_text(struct str s)
{
	uint32_t code;
	size_t len;

	for (; s.len > 0; s = str_skip(s, len)) {
		len = utf8_decode(s, &code);
		if (len == 0 || code < ' ' || (code >= 0x7f && code < 0xa0))
			return false;
	}
	return true;
}

static bool
may_be_mangled(struct str s)
{
	return str_starts(s, STR("_Z")) || str_starts(s, STR("_R")) ||
	    str_starts(s, STR("_GLOBAL_")) || str_starts(s, STR("caml")) ||
	    str_find(s, ')') < s.len;
}

void
fuzz_demangle(struct str input)
{
	const struct str before = STR("before ");
	struct text first = { 0 }, second = { 0 };
	struct str name;
	bool done;

	text_add(&first, before);
	done = demangle(input, &first);
	name = text_str(&first);
	require(str_starts(name, before), "what was there stays");
	name = str_skip(name, before.len);
	require(done || name.len == 0, "nothing is added to what is not read");
	require(!done || may_be_mangled(input), "only mangled names are read");
	require(name.len <= MOST || name.len <= 3 * input.len,
	    "a name is bounded");
	/* The bytes of OCaml's names are any. */
	require(!is_plain(input) || str_starts(input, STR("caml")) ||
	    is_text(name), "a plain name becomes text");
	require(demangle(input, &second) == done &&
	    str_equal(text_str(&second), name), "the same comes out again");
}
