#include "demangle.h"

/* OCaml's native code: camlStdlib__List__map_123. */

/*
 * A name is "caml" and a module's name with a capital.  "__" is a dot, and
 * "$2b" a character that is no letter.
 */
static bool
demangle_ocaml(struct str mangled, struct text *out)
{
	struct str rest;
	size_t len;
	char c, escaped;

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
		} else if (c == '$' && rest.len > 2 && is_hex(rest.data[1]) &&
		    is_hex(rest.data[2])) {
			escaped = (char)(hex_value(rest.data[1]) << 4 |
			    hex_value(rest.data[2]));
			len = is_control(escaped) ? 1 : 3;
			c = is_control(escaped) ? c : escaped;
		}
		text_add_char(out, c);
	}
	return true;
}

/* Java's methods by perf inject --jit: Ljava/lang/Object;wait(J)V. */

/* The parts of "Lorg/Class;method([IJLorg/Other;)". */
enum java_part { START, CLASS, METHOD, PARAMETERS, PARAMETER_CLASS };

struct java {
	enum java_part part;
	int parameters;		/* printed since the last ')' */
	int arrays;		/* '[' that wait for a primitive type */
	struct text *out;
};

static const char *const java_types['Z' - 'A' + 1] = {
	['B' - 'A'] = "byte", ['C' - 'A'] = "char", ['D' - 'A'] = "double",
	['F' - 'A'] = "float", ['I' - 'A'] = "int", ['J' - 'A'] = "long",
	['L' - 'A'] = "", ['S' - 'A'] = "short", ['V' - 'A'] = "void",
	['Z' - 'A'] = "boolean"
};

/* Adds a character; false if it may not be where it is. */
static bool
add(struct java *java, char c, char next)
{
	enum java_part part = java->part;
	const char *type = part == PARAMETERS && c >= 'A' && c <= 'Z' ?
	    java_types[c - 'A'] : NULL;

	if (type != NULL) {
		if (c != 'V' && java->parameters++ > 0)	/* as perf counts */
			text_add(java->out, STR(", "));
		text_add(java->out, str_from(type));
		for (; c != 'L' && java->arrays > 0; java->arrays--)
			text_add(java->out, STR("[]"));
		if (c == 'L')
			java->part = PARAMETER_CLASS;
		return true;
	}
	if (c == 'L' && part == START) {
		java->part = CLASS;
		return true;
	}
	switch (c) {
	case '[':
		java->arrays++;
		return part == PARAMETERS;
	case ';':
		if (part == CLASS && is_lower(lower(next)))
			text_add_char(java->out, '.');
		java->part = part == CLASS ? METHOD : PARAMETERS;
		return part == CLASS || part == PARAMETER_CLASS;
	case '(':
		java->part = PARAMETERS;
		text_add_char(java->out, c);
		return part == METHOD;
	case ')':
		java->parameters = 0;
		text_add_char(java->out, c);
		return part == PARAMETERS;
	case '/':
		text_add_char(java->out, '.');
		return part == CLASS || part == PARAMETER_CLASS;
	default:
		text_add_char(java->out, c);
		return true;
	}
}

/*
 * As perf does, the brackets of an array of objects go to the next primitive
 * type, and no name is more than three times as long as before.
 */
static bool
demangle_java(struct str mangled, struct text *out)
{
	struct java java = { START, 0, 0, out };
	size_t start = out->len, most = mangled.len * 3, i;
	size_t end = str_find_last(mangled, ')');

	if (end == mangled.len)
		return false;
	mangled = str_take(mangled, end + 1);
	for (i = 0; i < mangled.len && out->len - start < most; i++)
		if (!add(&java, mangled.data[i],
		    i + 1 < mangled.len ? mangled.data[i + 1] : '\0')) {
			out->len = start;
			return false;
		}
	if (out->len - start > most)
		out->len = start + most;
	return true;
}

bool
demangle(struct str mangled, struct text *out)
{
	return rust_demangle(mangled, out) ||
	    cxx_demangle(mangled, WITHOUT_PARAMETERS, out) ||
	    demangle_ocaml(mangled, out) || demangle_java(mangled, out);
}

/* Cuts ".cold", ".warm" or ".llvm.123" off the end; false without. */
static bool
cut_suffix(struct str *name)
{
	struct str rest = *name;

	rest.len = str_digits_start(rest);
	if (rest.len < name->len && str_ends(rest, STR(".")))
		rest.len--;
	else
		rest = *name;
	if (!str_ends(rest, STR(".cold")) && !str_ends(rest, STR(".warm")) &&
	    !str_ends(rest, STR(".llvm")))
		return false;
	*name = str_take(rest, rest.len - (sizeof(".cold") - 1));
	return true;
}

bool
demangle_printed(struct str name, struct text *out)
{
	if (rust_demangle(name, out))
		return true;
	if (!str_contains(name, STR("::")) || !cut_suffix(&name))
		return false;
	while (cut_suffix(&name))
		continue;
	text_add(out, name);
	return true;
}
