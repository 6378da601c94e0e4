/*
 * The input is a symbol.  Its calls and the arrows between them are the symbol
 * again, and so are the parts of a call and the arguments between them.
 * Without the result of a template's function, the parts are the last ones of
 * the call, and none has a result any more.
 */
#include "fold/function.h"
#include "fuzz.h"

/* So long a name takes a quadratic reader more than the fuzzer's patience. */
#define LONG_NAME	((size_t)128 * 1024)
#define INPUT_MOST	4096	/* bytes, as the script that runs it says */

/* True if what is left out is arguments: of the end, or before a "::". */
static bool
is_arguments(struct str s, bool last)
{
	return str_starts(s, STR("(")) &&
	    (last || str_find(s, ')') < s.len);
}

static void
check_parts(struct str call)
{
	struct function_parts parts = function_parts(call);
	struct str part, rest = call;
	size_t gap;

	while (function_next_part(&parts, &part)) {
		require(part.len > 0, "a part is not empty");
		gap = (size_t)(part.data - rest.data);
		require(gap <= rest.len && part.len <= rest.len - gap,
		    "parts are slices of the name, in order");
		require(rest.data == call.data ? gap == 0 :
		    (str_starts(part, STR("::")) ||
		    str_equal(part, STR("@plt"))) &&
		    is_arguments(str_take(rest, gap), false),
		    "between parts are arguments that :: or @plt follows");
		rest = str_skip(rest, gap + part.len);
	}
	require(rest.len == 0 || (rest.len < call.len &&
	    is_arguments(rest, true)), "after the parts are arguments");
}

/* A result is left out before a template alone, after a blank or a sign. */
static void
check_result(struct str call)
{
	struct function_parts parts = function_parts(call);
	struct str part;
	size_t gap;

	function_skip_result(&parts);
	gap = parts.at;
	require(gap < call.len || gap == 0, "a result is not all of a name");
	require(gap == 0 || strchr(" *&", call.data[gap - 1]) != NULL,
	    "a result ends in a blank or a sign");
	if (gap == 0)
		return;
	require(function_next_part(&parts, &part) &&
	    part.data == call.data + gap, "a name follows it");
	require(str_find(str_skip(call, gap), '>') < call.len - gap,
	    "which is a template's");
}

static void
check_chain(struct str symbol)
{
	struct function_chain chain = function_chain(symbol);
	struct str call, rest = symbol;
	bool first = true;

	for (; function_next_call(&chain, &call); first = false) {
		if (!first) {
			require(str_starts(rest, STR("->")), "arrows join");
			rest = str_skip(rest, 2);
		}
		require(call.data == rest.data && call.len <= rest.len,
		    "calls are slices of the symbol, in order");
		rest = str_skip(rest, call.len);
		check_parts(call);
		check_result(call);
	}
	for (; rest.len > 0; rest = str_skip(rest, 2))
		require(str_starts(rest, STR("->")), "arrows are left over");
}

/* Without other brackets and operators, a pair is found by counting. */
static void
check_process(struct str name)
{
	size_t i, depth = 0, pair = 0;

	for (i = 0; i < name.len && pair == 0; i++) {
		if (str_find(STR("<>[]{}o"), name.data[i]) < 7)
			return;
		depth += name.data[i] == '(';
		if (name.data[i] == ')' && depth > 0 && --depth == 0)
			pair = i + 1;
	}
	require(function_is_process(name) == (str_starts(name, STR("(")) &&
	    pair == name.len), "a process is one pair of brackets");
}

static void
check_offset(struct str symbol)
{
	struct str name = function_without_offset(symbol);
	struct str offset = str_skip(symbol, name.len);
	size_t i;

	require(name.data == symbol.data && (offset.len == 0 ||
	    (offset.len > 3 && str_starts(offset, STR("+0x")))),
	    "an offset is after the name");
	for (i = 3; i < offset.len; i++)
		require(is_hex(offset.data[i]) && lower(offset.data[i]) ==
		    offset.data[i], "an offset is a number");
}

static void
check(struct str symbol)
{
	check_offset(symbol);
	symbol = function_without_offset(symbol);
	check_process(symbol);
	check_chain(symbol);
	check_parts(symbol);
	check_result(symbol);
}

/* Some symbols are repeated, as time must not grow faster than their length. */
static void
check_repeated(struct str symbol)
{
	struct text text = { 0 };
	unsigned int sum = 0;
	size_t i;

	for (i = 0; i < symbol.len; i++)
		sum += (unsigned char)symbol.data[i];
	if (symbol.len == 0 || sum % 64 != 0)
		return;
	while (text.len < LONG_NAME)
		text_add(&text, symbol);
	check(text_str(&text));
}

void
fuzz_names(struct str input)
{
	if (input.len < INPUT_MOST) {
		check(input);
		check_repeated(input);
	}
}
