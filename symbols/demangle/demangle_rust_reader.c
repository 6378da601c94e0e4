#include "demangle_punycode.h"
#include "demangle_rust_v0.h"

char
rust_peek(const struct rust_reader *r)
{
	return r->at < r->name.len && !r->failed ? r->name.data[r->at] : '\0';
}

bool
rust_eat(struct rust_reader *r, char c)
{
	if (rust_peek(r) != c || c == '\0')
		return false;
	r->at++;
	return true;
}

char
rust_next(struct rust_reader *r)
{
	char c = rust_peek(r);

	if (c == '\0')
		r->failed = true;
	else
		r->at++;
	return c;
}

bool
rust_enter(struct rust_reader *r)
{
	if (r->depth++ >= RUST_DEEPEST || ++r->work > RUST_MOST_WORK)
		r->failed = true;
	return !r->failed;
}

void
rust_leave(struct rust_reader *r)
{
	r->depth--;
}

void
rust_print(struct rust_reader *r, struct str s)
{
	if (r->silent || r->failed)
		return;
	if (r->out->len - r->start + s.len > RUST_LONGEST)
		r->failed = true;
	else
		text_add(r->out, s);
}

void
rust_print_char(struct rust_reader *r, char c)
{
	rust_print(r, (struct str){ &c, 1 });
}

void
rust_print_number(struct rust_reader *r, uint64_t number)
{
	if (!r->silent && !r->failed)
		text_add_number(r->out, number);
}

uint64_t
rust_number(struct rust_reader *r)
{
	uint64_t number = 0, digit;
	char c;

	if (rust_eat(r, '_'))
		return 0;
	while (!r->failed && !rust_eat(r, '_')) {
		c = rust_next(r);
		if (is_digit(c))
			digit = (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'z')
			digit = (uint64_t)(c - 'a') + 10;
		else
			digit = (uint64_t)(c - 'A') + 36;
		number = number * 62 + digit;
	}
	return number + 1;	/* of 64 bits, as a hash is */
}

uint64_t
rust_optional_number(struct rust_reader *r, char letter)
{
	return rust_eat(r, letter) ? rust_number(r) + 1 : 0;
}

uint64_t
rust_disambiguator(struct rust_reader *r)
{
	return rust_optional_number(r, 's');
}

struct rust_identifier
rust_identifier(struct rust_reader *r)
{
	struct rust_identifier result = { { "", 0 }, { "", 0 } };
	bool is_punycode = rust_eat(r, 'u');
	size_t len = 0, split;
	char c;

	if (!is_digit(rust_peek(r)))
		r->failed = true;
	do {
		c = rust_next(r);
		len = len * 10 + (size_t)(c - '0');
		if (len > r->name.len)
			r->failed = true;
	} while (len > 0 && is_digit(rust_peek(r)));
	rust_eat(r, '_');
	if (r->failed || len > r->name.len - r->at) {
		r->failed = true;
		return result;
	}
	result.ascii = str_between(r->name, r->at, r->at + len);
	r->at += len;
	if (!is_punycode)
		return result;
	split = str_find_last(result.ascii, '_');
	result.punycode = result.ascii;
	if (split < result.ascii.len) {
		result.punycode = str_skip(result.ascii, split + 1);
		result.ascii.len = split;
	} else
		result.ascii.len = 0;
	if (result.punycode.len == 0)
		r->failed = true;
	return result;
}

void
rust_print_identifier(struct rust_reader *r, struct rust_identifier name)
{
	if (name.punycode.len == 0)
		rust_print(r, name.ascii);
	else if (!r->silent && !r->failed)
		r->failed = !punycode_add(r->out, name.ascii, name.punycode);
}

void
rust_print_lifetime(struct rust_reader *r, uint64_t lifetime)
{
	uint64_t depth = r->lifetimes - lifetime;

	rust_print_char(r, '\'');
	if (lifetime > r->lifetimes)
		r->failed = true;
	else if (lifetime == 0)
		rust_print_char(r, '_');
	else if (depth < 26)
		rust_print_char(r, (char)('a' + depth));
	else {
		rust_print_char(r, '_');
		rust_print_number(r, depth);
	}
}

bool
rust_go_back(struct rust_reader *r, size_t *back)
{
	size_t here = r->at;
	uint64_t to = rust_number(r);

	*back = r->at;
	if (r->silent || r->failed)
		return false;
	if (to >= here)
		r->failed = true;
	else
		r->at = (size_t)to;
	return !r->failed;
}
