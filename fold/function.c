/*
 * A name is read token by token.  A token is "->", an operator with its sign,
 * whose "<", "(" and "[" are not brackets, a run of bytes without a meaning, or
 * any other byte by itself.
 *
 * A bracket that closes takes with it what was opened inside and never closed:
 * "f([B)" as Java describes an array.  ">" is also an operator, in C++
 * "f<((a)>(b))>", and closes only what "<" opened last.  Where brackets other
 * than () are left open at the end, as in "less<more(int)", the name is read
 * again without them.
 */
#include <limits.h>
#include <stdlib.h>

#include "function.h"
#include "lib/text.h"

/* Brackets, and the first characters of an arrow and of an operator. */
static const bool has_meaning[UCHAR_MAX + 1] = {
	['('] = true, [')'] = true, ['<'] = true, ['>'] = true,
	['{'] = true, ['}'] = true, ['['] = true, [']'] = true,
	['-'] = true, ['o'] = true,
};

/* True if "operator" is a whole word at s[at]. */
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

/* Long names take a third of the time when most of a name is one step. */
static size_t
run_without_meaning(struct str s, size_t at)
{
	size_t end = at;

	while (end < s.len && !has_meaning[(unsigned char)s.data[end]])
		end++;
	return end - at;
}

/* Returns the length of an operator's sign at the start of s; 0 without one. */
static size_t
sign(struct str s)
{
	/* A sign comes before the shorter ones that it begins with. */
	static const struct { char text[4]; size_t len; } signs[] = {
		{ "()", 2 }, { "[]", 2 }, { "->*", 3 }, { "->", 2 },
		{ "<=>", 3 }, { "<<=", 3 }, { "<<", 2 }, { "<=", 2 },
		{ "<", 1 }, { ">>=", 3 }, { ">>", 2 }, { ">=", 2 },
		{ ">", 1 },
	};
	size_t i;

	if (s.len == 0 || !has_meaning[(unsigned char)s.data[0]])
		return 0;
	for (i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (str_starts(s, (struct str){ signs[i].text, signs[i].len }))
			return signs[i].len;
	return 0;
}

/* Returns the length of the token at s[at]. */
static size_t
token(struct str s, size_t at)
{
	const size_t word = sizeof("operator") - 1;

	if (!has_meaning[(unsigned char)s.data[at]])
		return run_without_meaning(s, at);
	if (is_arrow(s, at))
		return 2;
	return is_operator(s, at) ? word + sign(str_skip(s, at + word)) : 1;
}

/* The brackets that are open at a place in a name. */
struct nesting {
	bool pairs;		/* <>, {} and [] are brackets, too */
	struct text open;	/* the opening ones, outermost first */
	size_t kinds[3];	/* how many of these are ( [ { */
};

static size_t *
count_of_kind(struct nesting *nesting, char opening)
{
	return &nesting->kinds[str_find(STR("([{"), opening)];
}

static void
open_bracket(struct nesting *nesting, char opening)
{
	text_add_char(&nesting->open, opening);
	if (opening != '<')
		++*count_of_kind(nesting, opening);
}

static char
close_last(struct nesting *nesting)
{
	char opening = nesting->open.data[--nesting->open.len];

	if (opening != '<')
		--*count_of_kind(nesting, opening);
	return opening;
}

/* Closes the last bracket of a kind, and what was opened in it. */
static void
close_bracket(struct nesting *nesting, char opening)
{
	if (*count_of_kind(nesting, opening) > 0)
		while (close_last(nesting) != opening)
			continue;
}

/* Takes note of a token that begins with c. */
static void
nest(struct nesting *nesting, char c)
{
	switch (c) {
	case '<':
	case '{':
	case '[':
		if (nesting->pairs)
			open_bracket(nesting, c);
		break;
	case '(':
		open_bracket(nesting, c);
		break;
	case '>':
		if (str_ends(text_str(&nesting->open), STR("<")))
			close_last(nesting);
		break;
	case '}':
		close_bracket(nesting, '{');
		break;
	case ']':
		close_bracket(nesting, '[');
		break;
	case ')':
		close_bracket(nesting, '(');
		break;
	}
}

/* The places that are looked for outside brackets. */
enum target {
	ARROW,		/* "->" */
	ROUND,		/* "(" */
	CLOSED,		/* after the bracket that closes the first one */
	END
};

static bool
is_target(enum target target, struct str s, size_t at, size_t from)
{
	switch (target) {
	case ARROW:
		return is_arrow(s, at);
	case ROUND:
		return s.data[at] == '(';
	case CLOSED:
		return at > from;
	case END:
		break;
	}
	return false;
}

/*
 * Returns the first place of a kind from s[from] on; s.len if there is none.
 * *open is the outermost bracket that is then open, or 0.
 */
static size_t
find(struct str s, size_t from, enum target target, bool pairs, char *open)
{
	struct nesting nesting = { .pairs = pairs };
	size_t at;

	for (at = from; at < s.len; at += token(s, at)) {
		if (nesting.open.len == 0 && is_target(target, s, at, from))
			break;
		nest(&nesting, s.data[at]);
	}
	*open = nesting.open.len > 0 ? nesting.open.data[0] : '\0';
	free(nesting.open.data);
	return at;
}

static bool
has_pairs(struct str s)
{
	char open;

	find(s, 0, END, true, &open);
	return open == '\0' || open == '(';
}

/* Returns s without the arrows at its end, except that of an operator. */
static struct str
trim_arrows(struct str s)
{
	const size_t arrow = 2, operator_arrow = sizeof("operator->") - 1;

	while (str_ends(s, STR("->")) && !(s.len >= operator_arrow &&
	    is_operator(s, s.len - operator_arrow)))
		s.len -= arrow;
	return s;
}

struct function_chain
function_chain(struct str symbol)
{
	return (struct function_chain){
		trim_arrows(symbol),
		str_contains(symbol, STR("->")) && has_pairs(symbol)
	};
}

bool
function_next_call(struct function_chain *chain, struct str *call)
{
	size_t len;
	char open;

	if (chain->rest.len == 0)
		return false;
	len = chain->rest.len;
	if (str_contains(chain->rest, STR("->")))	/* few do */
		len = find(chain->rest, 0, ARROW, chain->pairs, &open);
	*call = str_take(chain->rest, len);
	if (len < chain->rest.len)
		len += sizeof("->") - 1;
	chain->rest = str_skip(chain->rest, len);
	return true;
}

struct function_parts
function_parts(struct str name)
{
	return (struct function_parts){
		name, 0, str_find(name, '(') < name.len && has_pairs(name)
	};
}

/* True if a "(" after this text begins a type: "decltype(auto) f(int)". */
static bool
ends_in_decltype(struct str before)
{
	const struct str word = STR("decltype");

	before = str_trim_end(before);
	return str_ends(before, word) && (before.len == word.len ||
	    !is_word(before.data[before.len - word.len - 1]));
}

/* True if the brackets from name[open] up to name[close] stay in the name. */
static bool
stays(struct str name, size_t open, size_t close)
{
	struct str before = str_take(name, open);
	struct str after = str_skip(name, close);

	return open == 0 ||
	    str_starts(str_skip(name, open), STR("(anonymous namespace)")) ||
	    ends_in_decltype(before) ||
	    /* void (*f(int))(char), int (&f(int)) [4] */
	    (str_ends(before, STR(" ")) && (str_starts(after, STR("(")) ||
	    str_starts(after, STR("[")) || str_starts(after, STR(" ["))));
}

/* Returns the length of " const" and the like before "::"; s.len without it. */
static size_t
qualifiers(struct str s)
{
	static const char *const words[] = { " const", " volatile", " &", "&" };
	struct str rest = s;
	size_t i = 0;

	while (i < sizeof(words) / sizeof(*words))
		if (str_starts(rest, str_from(words[i]))) {
			rest = str_skip(rest, strlen(words[i]));
			i = 0;
		} else
			i++;
	return str_starts(rest, STR("::")) ? s.len - rest.len : s.len;
}

bool
function_next_part(struct function_parts *parts, struct str *part)
{
	struct str name = parts->name;
	size_t start = parts->at, open = start, close = start;
	char unclosed;

	if (start == name.len)
		return false;
	if (str_find(str_skip(name, start), '(') == name.len - start)
		close = name.len;
	do {
		open = find(name, close, ROUND, parts->pairs, &unclosed);
		close = find(name, open, CLOSED, parts->pairs, &unclosed);
		/* net/http.(*Client).Do */
		if (open > 0 && open < close && name.data[open - 1] == '.' &&
		    str_starts(str_skip(name, close), STR(".")))
			open = close = name.len;
	} while (open < name.len && stays(name, open, close));
	*part = str_between(name, start, open);
	parts->at = close + qualifiers(str_skip(name, close));
	return true;
}

bool
function_is_process(struct str name)
{
	char open;

	return str_starts(name, STR("(")) &&
	    find(name, 0, CLOSED, true, &open) == name.len && open == '\0';
}

struct str
function_without_offset(struct str name)
{
	size_t len = name.len;

	while (len > 0 && (is_digit(name.data[len - 1]) ||
	    (name.data[len - 1] >= 'a' && name.data[len - 1] <= 'f')))
		len--;
	return len < name.len && str_ends(str_take(name, len), STR("+0x")) ?
	    str_take(name, len - 3) : name;
}
