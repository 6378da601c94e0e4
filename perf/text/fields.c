#include "fields.h"

/* Returns the value of a digit in any base up to 16; 16 for another byte. */
static unsigned
digit_of(char c)
{
	return is_digit(c) ? (unsigned)(c - '0') : !is_hex(c) ? 16 :
	    10 + ((unsigned)c | 32) - 'a';
}

/* Parses "-12" or "0x1f" at the start of s, which no word goes on. */
static bool
parse_number(struct str s, int64_t *number)
{
	bool is_negative = str_starts(s, STR("-"));
	unsigned base, digit;
	uint64_t value = 0;
	size_t i = 0;

	s = str_skip(s, is_negative);
	base = str_starts(s, STR("0x")) ? 16 : 10;
	s = str_skip(s, base == 16 ? 2 : 0);
	for (; i < s.len && (digit = digit_of(s.data[i])) < base; i++) {
		if (value > (UINT64_MAX - digit) / base)
			return false;
		value = value * base + digit;
	}
	*number = (int64_t)(is_negative ? 0 - value : value);
	return i > 0 && (i == s.len || !is_word(s.data[i])) &&
	    !(is_negative && value > INT64_MAX);
}

/* True if a name ends here that begins a word. */
static bool
begins_word(struct str rest, size_t at)
{
	return at == 0 || !is_word(rest.data[at - 1]);
}

/* Returns what follows "field=" or "field: "; empty if it is not there. */
static struct str
find_value(struct str rest, struct str field)
{
	size_t at = str_search(rest, field);
	struct str after;

	while (at < rest.len) {
		after = str_skip(rest, at + field.len);
		if (begins_word(rest, at) && str_starts(after, STR("=")))
			return str_skip(after, 1);
		if (begins_word(rest, at) && str_starts(after, STR(": ")))
			return str_skip(after, 2);
		at += 1 + str_search(str_skip(rest, at + 1), field);
	}
	return str_skip(rest, rest.len);
}

/* Returns the value that a system call has returned, or what is no number. */
static struct str
find_returned(const struct event *event)
{
	const struct str equals = STR(" = ");
	struct str rest = event->rest;
	size_t at = str_search(rest, equals);

	if (str_starts(event->name, STR("syscalls:sys_exit_")))
		return rest;
	return at == rest.len ||
	    !str_equal(event->name, STR("raw_syscalls:sys_exit")) ?
	    STR("") : str_skip(rest, at + equals.len);
}

bool
fields_number(const struct event *event, struct str field, int64_t *number)
{
	return parse_number(find_value(event->rest, field), number) ||
	    (str_equal(field, STR("ret")) &&
	    parse_number(find_returned(event), number));
}
