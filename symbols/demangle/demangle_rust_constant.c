#include "demangle_rust_v0.h"

/* Reads <const-data>, hexadecimal digits and _; sets *value to their value. */
static struct str
hex_digits(struct rust_reader *r, uint64_t *value)
{
	size_t start = r->at;
	char c;

	for (*value = 0; !r->failed && !rust_eat(r, '_');) {
		c = rust_next(r);
		if (is_digit(c))
			*value = *value << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			*value = *value << 4 | (uint64_t)(c - 'a' + 10);
		else
			r->failed = true;
	}
	if (r->failed || r->at - start < 2) {
		r->failed = true;
		return STR("");
	}
	return str_between(r->name, start, r->at - 1);
}

static void
constant_integer(struct rust_reader *r)
{
	uint64_t value;
	struct str digits = hex_digits(r, &value);

	if (digits.len > 16) {
		rust_print(r, STR("0x"));
		rust_print(r, digits);
	} else
		rust_print_number(r, value);
}

static void
constant_bool(struct rust_reader *r)
{
	uint64_t value;
	struct str digits = hex_digits(r, &value);

	if (digits.len != 1 || value > 1)
		r->failed = true;
	rust_print(r, value == 1 ? STR("true") : STR("false"));
}

/* Prints 'a', '\n', '\u{e9}'. */
static void
constant_char(struct rust_reader *r)
{
	uint64_t value;
	struct str digits = hex_digits(r, &value);

	if (digits.len > 8)
		r->failed = true;
	while (digits.len > 1 && digits.data[0] == '0')
		digits = str_skip(digits, 1);
	rust_print_char(r, '\'');
	if (value == '\t')
		rust_print(r, STR("\\t"));
	else if (value == '\r')
		rust_print(r, STR("\\r"));
	else if (value == '\n')
		rust_print(r, STR("\\n"));
	else if (value > ' ' && value < '~')
		rust_print_char(r, (char)value);
	else {
		rust_print(r, STR("\\u{"));
		rust_print(r, digits);
		rust_print_char(r, '}');
	}
	rust_print_char(r, '\'');
}

static void
constant_behind(struct rust_reader *r, char tag)
{
	size_t back;

	if (tag == 'B') {
		if (rust_go_back(r, &back))
			rust_constant(r);
		r->at = back;
	} else if (tag == 'p')
		rust_print_char(r, '_');
	else if (tag == 'b')
		constant_bool(r);
	else if (tag == 'c')
		constant_char(r);
	else if (tag != '\0' && strchr("htmyoj", tag) != NULL)
		constant_integer(r);
	else if (tag != '\0' && strchr("aslxni", tag) != NULL) {
		if (rust_eat(r, 'n'))
			rust_print_char(r, '-');
		constant_integer(r);
	} else
		r->failed = true;
}

void
rust_constant(struct rust_reader *r)
{
	if (rust_enter(r))
		constant_behind(r, rust_next(r));
	rust_leave(r);
}
