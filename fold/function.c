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

/* True if "operator" is a word at s[at]. */
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

/* True for an arrow that joins calls: "throws -> Swift.Int" is of one name. */
static bool
joins(struct str s, size_t at)
{
	return is_arrow(s, at) && (at == 0 || s.data[at - 1] != ' ') &&
	    (at + 2 == s.len || s.data[at + 2] != ' ');
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
	size_t end = at;

	/* with most of a long name as one step it takes a third of the time */
	while (end < s.len && !has_meaning[(unsigned char)s.data[end]])
		end++;
	if (end > at)
		return end - at;
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
	case '(':
	case '<':
	case '{':
	case '[':
		if (c != '(' && !nesting->pairs)
			break;
		text_add_char(&nesting->open, c);
		if (c != '<')
			++*count_of_kind(nesting, c);
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
	SPACED,		/* "(" after a blank */
	CLOSED,		/* after the bracket that closes the first one */
	END
};

static bool
is_target(enum target target, struct str s, size_t at, size_t from)
{
	switch (target) {
	case ARROW:
		return joins(s, at);
	case ROUND:
		return s.data[at] == '(';
	case SPACED:
		return s.data[at] == '(' && at > from && s.data[at - 1] == ' ';
	case CLOSED:
		return at > from;
	case END:
		break;
	}
	return false;
}

/*
 * Returns the first place of a kind from s[from] on, or s.len.  `open` is the
 * outermost bracket that is open, or 0.
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

/*
 * True for names of Python and V8, in which anything may stand.  As in the
 * original, a group "(?:a|b)" is cut off if it is all that a pattern ends in.
 */
static bool
is_whole(struct str name)
{
	size_t open = str_find(name, '(');

	return str_starts(name, STR("py::")) ||
	    (str_starts(name, STR("RegExp:")) &&
	    !(str_starts(str_skip(name, open), STR("(?:")) &&
	    str_ends(name, STR(")"))));
}

/* Arrows at the end are left out, unless they are an operator's. */
struct function_chain
function_chain(struct str symbol)
{
	const size_t arrow = 2, operator_arrow = sizeof("operator->") - 1;
	struct str rest = symbol;

	while (str_ends(rest, STR("->")) && !is_whole(symbol) &&
	    joins(rest, rest.len - arrow) && !(rest.len >= operator_arrow &&
	    is_operator(rest, rest.len - operator_arrow)))
		rest.len -= arrow;
	return (struct function_chain){
		rest, str_contains(symbol, STR("->")) && has_pairs(symbol)
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
	/* few have one */
	if (str_contains(chain->rest, STR("->")) && !is_whole(chain->rest))
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
		name, 0, str_find(name, '(') < name.len && has_pairs(name), 0
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

/* True for ".cold" or ".isra.0" at the start of s, suffixes of compilers. */
static bool
is_added(struct str s)
{
	static const char *const numbered[] = { "._omp_fn", ".constprop",
	    ".isra", ".llvm", ".lto_priv", ".part" };
	size_t i;

	for (i = 0; i < sizeof(numbered) / sizeof(*numbered); i++)
		if (str_starts(s, str_from(numbered[i])))
			s = str_skip(s, strlen(numbered[i]));
	if (str_starts(s, STR(".cold")))
		return s.len == 5 || !is_word(s.data[5]);
	return str_starts(s, STR(".")) && str_digits(str_skip(s, 1)) > 0;
}

/*
 * True if a name goes on after brackets: "ArrayList(u8,null).append" of Zig,
 * "Shape(Float64)#area" and "Circle(Float64)@Shape(T)#area" of Crystal.
 */
static bool
goes_on(struct str after)
{
	if (str_starts(after, STR("@")))
		return str_contains(after, STR("#"));
	if (str_starts(after, STR(".")))
		return after.len > 1 && is_word(after.data[1]) &&
		    !is_added(after);
	return str_starts(after, STR("#")) || str_starts(after, STR("/"));
}

/* True if the brackets from name[open] up to name[close] stay in the name. */
static bool
stays(struct str name, size_t open, size_t close)
{
	struct str before = str_take(name, open);
	struct str after = str_skip(name, close);

	return open == 0 || goes_on(after) ||
	    str_starts(str_skip(name, open), STR("(anonymous namespace)")) ||
	    ends_in_decltype(before) ||
	    /* void (*f(int))(char), int (&f(int)) [4] */
	    (str_ends(before, STR(" ")) && (str_starts(after, STR("(")) ||
	    str_starts(after, STR("[")) || str_starts(after, STR(" ["))));
}

/* Returns where a word of C++ ends that begins at s[at]; `at` without one. */
static size_t
identifier(struct str s, size_t at)
{
	while (at < s.len && (is_word(s.data[at]) || s.data[at] == '$' ||
	    (unsigned char)s.data[at] >= 0x80))
		at++;
	return at;
}

/* Returns where the brackets end that open at name[open]; `open` if nowhere. */
static size_t
pair_end(struct str name, size_t open)
{
	char unclosed;
	size_t close = find(name, open, CLOSED, true, &unclosed);

	return unclosed == '\0' ? close : open;
}

/* Skips pointers, references and qualifiers after a type or arguments. */
static size_t
skip_modifiers(struct str s, size_t at)
{
	static const char *const words[] = { " __vector", " const",
	    " volatile", " restrict", " _Complex", " _Imaginary", "*", "&" };
	const size_t vector = 0;	/* its length follows: "(4)" */
	size_t i = 0, end;

	while (i < sizeof(words) / sizeof(*words)) {
		end = at + strlen(words[i]);
		if (str_starts(str_skip(s, at), str_from(words[i])) &&
		    (words[i][0] != ' ' || identifier(s, end) == end)) {
			at = i == vector && end < s.len &&
			    s.data[end] == '(' ? pair_end(s, end) : end;
			i = 0;
		} else
			i++;
	}
	return at;
}

/*
 * Returns how much of s follows a list of arguments, " const" and the like, if
 * the name goes on after it with "::", or with the "@plt" of perf; else s.len.
 */
static size_t
qualifiers(struct str s)
{
	size_t end = s.len == 0 ? 0 : skip_modifiers(s, 0);
	struct str rest;

	if (str_starts(str_skip(s, end), STR(" &")))
		end = skip_modifiers(s, end + 1);
	rest = str_skip(s, end);
	return str_starts(rest, STR("::")) || str_equal(rest, STR("@plt")) ?
	    end : s.len;
}

/*
 * Skips the rest of a type that is around a function: ")(char)" after
 * "f<int>(int)" in "void (*f<int>(int))(char)", and ") [3]", of an array.
 * Returns name.len where it is odd.
 */
static size_t
skip_wraps(const struct function_parts *parts, size_t at)
{
	struct str name = parts->name;
	size_t i, open;

	for (i = 0; i < parts->wraps; i++) {
		if (!str_starts(str_skip(name, at), STR(")")))
			return name.len;
		open = at + 1;
		if (str_starts(str_skip(name, open), STR(" [")))
			open++;
		if (open == name.len || (name.data[open] != '(' &&
		    name.data[open] != '['))
			return name.len;
		at = pair_end(name, open);
		if (at == open)
			return name.len;
	}
	return at;
}

bool
function_next_part(struct function_parts *parts, struct str *part)
{
	struct str name = parts->name;
	size_t start = parts->at, open = start, close = start, at;
	char unclosed;

	if (start == name.len)
		return false;
	if (str_find(str_skip(name, start), '(') == name.len - start ||
	    (start == 0 && is_whole(name)))
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
	at = close + qualifiers(str_skip(name, close));
	if (at == name.len && parts->wraps > 0) {
		close = skip_wraps(parts, close);
		at = close + qualifiers(str_skip(name, close));
		parts->wraps = 0;
	}
	parts->at = at;
	return true;
}

/*
 * A template's function is printed with what it returns, before its name or
 * around it.  A name is read as words with a blank between them, which are
 * paths of parts with "::" between them:
 *
 *	unsigned long const& A<int>::f(char) const::{lambda()#1}::g<int>()
 *	void (A::*f<int>(char))(int)
 *
 * All words but the last one must be a type, and the last one a function with
 * template arguments.  Else the name stays as it is, since other languages have
 * blanks in their names.
 */

/* Returns where a part of a path ends; `at` if none is there. */
static size_t
path_part(struct str s, size_t at)
{
	const struct str anonymous = STR("(anonymous namespace)");
	size_t end;
	char unclosed;

	if (at == s.len)
		return at;
	if (str_starts(str_skip(s, at), anonymous))
		return at + anonymous.len;
	if (s.data[at] == '{')
		return pair_end(s, at);
	if (is_operator(s, at))
		return find(s, at + token(s, at), ROUND, true, &unclosed);
	end = identifier(s, s.data[at] == '~' ? at + 1 : at);
	if (ends_in_decltype(str_between(s, at, end))) {
		if (str_starts(str_skip(s, end), STR(" (")))
			end++;
		return end < s.len && s.data[end] == '(' ? pair_end(s, end) :
		    at;
	}
	while (end > at && str_starts(str_skip(s, end), STR("[abi:")) &&
	    pair_end(s, end) > end)
		end = pair_end(s, end);
	return end > at && end < s.len && s.data[end] == '<' ?
	    pair_end(s, end) : end;
}

struct path {
	size_t end;		/* before the arguments at its end, if any */
	bool has_list;		/* these are there */
	bool is_template;	/* a function in it has template arguments */
};

/* Reads the path at s[at]; false without one. */
static bool
read_path(struct str s, size_t at, struct path *path)
{
	size_t next, close;

	*path = (struct path){ at, false, false };
	for (;; at = next + 2) {
		next = path_part(s, at);
		if (next == at)
			return false;
		path->end = next;
		path->has_list = next < s.len && s.data[next] == '(';
		if ((path->has_list || next == s.len) &&
		    s.data[next - 1] == '>')
			path->is_template = true;
		if (path->has_list) {
			close = pair_end(s, next);
			next = close + qualifiers(str_skip(s, close));
		}
		/* A::*, of a pointer to a member */
		if (!str_starts(str_skip(s, next), STR("::")) ||
		    str_starts(str_skip(s, next), STR("::*")))
			return true;
	}
}

/* Leaves out the type before name[at], if a template's function follows it. */
static void
skip_result(struct function_parts *parts, size_t at)
{
	struct str name = parts->name;
	size_t wraps = 0, next, end;
	struct path path;

	/* "(*" and "(A::*" before a function */
	for (; str_starts(str_skip(name, at), STR("(")); wraps++) {
		next = at + 1;
		if (read_path(name, next, &path) &&
		    str_starts(str_skip(name, path.end), STR("::*")))
			next = path.end + 2;
		end = skip_modifiers(name, next);
		if (end == next)
			break;
		at = end + str_starts(str_skip(name, end), STR(" "));
	}
	if (!read_path(name, at, &path) || !path.is_template ||
	    !(path.has_list || (path.end == name.len && wraps == 0)))
		return;
	parts->at = at;
	parts->wraps = wraps;
}

void
function_skip_result(struct function_parts *parts)
{
	struct str name = parts->name, word;
	size_t at = 0, end;
	struct path path;
	bool goes_on = true;

	if (str_find(name, '>') == name.len || str_find(name, ' ') == name.len)
		return;
	while (goes_on && read_path(name, at, &path) && !path.has_list) {
		word = str_between(name, at, path.end);
		goes_on = str_equal(word, STR("unsigned")) ||
		    str_equal(word, STR("signed")) ||
		    str_equal(word, STR("long")) ||
		    str_equal(word, STR("short"));
		end = skip_modifiers(name, path.end);
		if (!str_starts(str_skip(name, end), STR(" ")))
			return;
		at = end + 1;
		skip_result(parts, at);
	}
}

size_t
function_arguments(struct str text)
{
	char open;
	size_t at = find(text, 0, SPACED, true, &open);

	return at < text.len ? at - 1 : str_search(text, STR(" ("));
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
