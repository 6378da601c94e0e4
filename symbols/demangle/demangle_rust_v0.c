#include "demangle_rust_v0.h"

static bool
is_empty(struct rust_identifier name)
{
	return name.ascii.len == 0 && name.punycode.len == 0;
}

void
rust_arguments(struct rust_reader *r)
{
	bool first = true;

	for (; !r->failed && !rust_eat(r, 'E'); first = false) {
		if (!first)
			rust_print(r, STR(", "));
		if (rust_eat(r, 'L'))
			rust_print_lifetime(r, rust_number(r));
		else if (rust_eat(r, 'K'))
			rust_constant(r);
		else
			rust_type(r);
	}
}

/* Reads <namespace> <path> <identifier>: path::name, path::{closure#0}. */
static void
nested_path(struct rust_reader *r, bool in_value)
{
	char namespace = rust_next(r);
	struct rust_identifier name;
	uint64_t number;

	rust_path(r, in_value);
	number = rust_disambiguator(r);
	name = rust_identifier(r);
	if (namespace >= 'a' && namespace <= 'z') {
		if (!is_empty(name))
			rust_print(r, STR("::"));
		rust_print_identifier(r, name);
		return;
	}
	if (namespace < 'A' || namespace > 'Z')
		r->failed = true;
	rust_print(r, STR("::{"));
	if (namespace == 'C')
		rust_print(r, STR("closure"));
	else if (namespace == 'S')
		rust_print(r, STR("shim"));
	else
		rust_print_char(r, namespace);
	if (!is_empty(name))
		rust_print_char(r, ':');
	rust_print_identifier(r, name);
	rust_print_char(r, '#');
	rust_print_number(r, number);
	rust_print_char(r, '}');
}

/* Reads the path of an impl, which is not printed. */
static void
impl_path(struct rust_reader *r, bool in_value)
{
	bool silent = r->silent;

	rust_disambiguator(r);
	r->silent = true;
	rust_path(r, in_value);
	r->silent = silent;
}

/* Reads <type> [<path>]: <T as Trait>. */
static void
qualified_type(struct rust_reader *r, bool as)
{
	rust_print_char(r, '<');
	rust_type(r);
	if (as) {
		rust_print(r, STR(" as "));
		rust_path(r, false);
	}
	rust_print_char(r, '>');
}

static void
path_behind(struct rust_reader *r, char tag, bool in_value)
{
	size_t back;

	switch (tag) {
	case 'C':			/* a crate */
		rust_disambiguator(r);
		rust_print_identifier(r, rust_identifier(r));
		break;
	case 'N':
		nested_path(r, in_value);
		break;
	case 'M':			/* <T>::name */
	case 'X':			/* <T as Trait>::name, of an impl */
		impl_path(r, in_value);
		qualified_type(r, tag == 'X');
		break;
	case 'Y':			/* the same, of the trait */
		qualified_type(r, true);
		break;
	case 'I':			/* path<T> */
		rust_path(r, in_value);
		rust_print(r, in_value ? STR("::<") : STR("<"));
		rust_arguments(r);
		rust_print_char(r, '>');
		break;
	case 'B':
		if (rust_go_back(r, &back))
			rust_path(r, in_value);
		r->at = back;
		break;
	default:
		r->failed = true;
		break;
	}
}

void
rust_path(struct rust_reader *r, bool in_value)
{
	if (rust_enter(r))
		path_behind(r, rust_next(r), in_value);
	rust_leave(r);
}

/* Returns the name up to a suffix, ".llvm.123"; empty if it is not mangled. */
static struct str
without_suffix(struct str name)
{
	size_t len = 0;

	while (len < name.len && is_word(name.data[len]))
		len++;
	if (len == 0 || name.data[0] < 'A' || name.data[0] > 'Z' ||
	    (len < name.len && name.data[len] != '.'))
		return STR("");
	return str_take(name, len);
}

bool
demangle_rust_v0(struct str name, struct text *out)
{
	struct rust_reader r = { .name = without_suffix(name), .out = out,
	    .start = out->len };

	rust_path(&r, true);
	r.silent = true;
	if (r.at < r.name.len)		/* the crate that instantiated it */
		rust_path(&r, false);
	if (r.at < r.name.len)
		r.failed = true;
	if (r.failed)
		out->len = r.start;
	return !r.failed;
}
