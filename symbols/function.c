/*
 * A name is walked through token by token: "->" is one, and so is an operator
 * with its sign, whose "<", ">" and "(" are no brackets then; so is a run of
 * bytes that mean nothing, and every other byte by itself.
 *
 * Angle brackets only count where they come in pairs: a name such as
 * "less<more" has none, and is read again without them.
 */
#include <limits.h>

#include "function.h"

/* Brackets, and what an arrow or an operator begins with. */
static const bool has_meaning[UCHAR_MAX + 1] = {
	['('] = true, [')'] = true, ['<'] = true, ['>'] = true,
	['{'] = true, ['}'] = true, ['-'] = true, ['o'] = true,
};

/* "operator" as a whole word at s[at]. */
static bool
is_operator(struct str s, size_t at)
{
	const struct str word = STR("operator");

	return s.data[at] == 'o' && str_starts(str_skip(s, at), word) &&
	    (at == 0 || !is_word(s.data[at - 1])) &&
	    at + word.len < s.len && !is_word(s.data[at + word.len]);
}

static bool
is_arrow(struct str s, size_t at)
{
	return s.data[at] == '-' && at + 1 < s.len && s.data[at + 1] == '>';
}

/* Most of a name; long ones take a third of the time with this in one step. */
static size_t
run_without_meaning(struct str s, size_t at)
{
	size_t end = at;

	while (end < s.len && !has_meaning[(unsigned char)s.data[end]])
		end++;
	return end - at;
}

/* The length of the token at s[at]: of an arrow, an operator, a run, or 1. */
static size_t
token(struct str s, size_t at)
{
	/* A sign stands before those that begin it. */
	static const char *const signs[] = {
		"()", "->*", "->", "<=>", "<<=", "<<", "<=", "<", ">>=", ">>",
		">=", ">",
	};
	const size_t word = sizeof("operator") - 1;
	struct str sign;
	size_t i;

	if (!has_meaning[(unsigned char)s.data[at]])
		return run_without_meaning(s, at);
	if (is_arrow(s, at))
		return 2;
	if (!is_operator(s, at))
		return 1;
	sign = str_skip(s, at + word);
	for (i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (str_starts(sign, str_from(signs[i])))
			return word + strlen(signs[i]);
	return word;
}

/* What a walk looks for outside brackets. */
enum target {
	ARROW,		/* "->", which also () hold together */
	ARGUMENTS,	/* "(" of an argument list */
	NOTHING
};

static bool
is_target(enum target target, struct str s, size_t at)
{
	switch (target) {
	case ARROW:
		return is_arrow(s, at);
	case ARGUMENTS:
		return s.data[at] == '(' &&
		    !str_starts(str_skip(s, at), STR("(anonymous namespace)"));
	case NOTHING:
		break;
	}
	return false;
}

/* How c changes the depth in brackets. */
static int
bracket(enum target target, char c, bool pairs)
{
	switch (c) {
	case '<':
	case '{':
		return pairs ? 1 : 0;
	case '>':
	case '}':
		return pairs ? -1 : 0;
	case '(':
		return target == ARROW ? 1 : 0;
	case ')':
		return target == ARROW ? -1 : 0;
	}
	return 0;
}

/*
 * Where the target is first, outside brackets; s.len if nowhere.  *depth is
 * then how many brackets are open at the end.
 */
static size_t
find(struct str s, enum target target, bool pairs, size_t *depth)
{
	size_t at;
	int change;

	*depth = 0;
	for (at = 0; at < s.len; at += token(s, at)) {
		if (*depth == 0 && is_target(target, s, at))
			break;
		change = bracket(target, s.data[at], pairs);
		if (change > 0)
			++*depth;
		else if (change < 0 && *depth > 0)
			--*depth;
	}
	return at;
}

static bool
has_pairs(struct str s)
{
	size_t depth;

	find(s, NOTHING, true, &depth);
	return depth == 0;
}

/* s without the arrows at its end, but for that of an operator. */
static struct str
trim_arrows(struct str s)
{
	const size_t arrow = 2, operator_arrow = sizeof("operator->") - 1;

	while (str_ends(s, STR("->")) && !(s.len >= operator_arrow &&
	    is_operator(s, s.len - operator_arrow)))
		s.len -= arrow;
	return s;
}

struct symbol_chain
symbol_chain(struct str symbol)
{
	return (struct symbol_chain){ trim_arrows(symbol), has_pairs(symbol) };
}

bool
symbol_next_call(struct symbol_chain *chain, struct str *call)
{
	size_t depth, len;

	if (chain->rest.len == 0)
		return false;
	len = find(chain->rest, ARROW, chain->pairs, &depth);
	*call = str_take(chain->rest, len);
	if (len < chain->rest.len)
		len += sizeof("->") - 1;
	chain->rest = str_skip(chain->rest, len);
	return true;
}

/* ".(*T)." in a name */
static bool
is_go_method(struct str name)
{
	size_t open = str_search(name, STR(".("));

	return str_contains(str_skip(name, open), STR(")."));
}

size_t
symbol_without_arguments(struct str name)
{
	size_t depth;

	if (is_go_method(name))
		return name.len;
	return find(name, ARGUMENTS, has_pairs(name), &depth);
}

struct str
symbol_without_offset(struct str name)
{
	size_t len = name.len;

	while (len > 0 && (is_digit(name.data[len - 1]) ||
	    (name.data[len - 1] >= 'a' && name.data[len - 1] <= 'f')))
		len--;
	return len < name.len && str_ends(str_take(name, len), STR("+0x")) ?
	    str_take(name, len - 3) : name;
}
