#include "fields.h"
#include "perf/frameline.h"

#define COUNT(array)	(sizeof(array) / sizeof(*(array)))

static bool
starts_with_any(struct str s, const char *const *starts, size_t count)
{
	while (count > 0)
		if (str_starts(s, str_from(starts[--count])))
			return true;
	return false;
}

/* True for /P/-/-/0: a branch's prediction, transaction, abort, cycles. */
static bool
is_branch_state(struct str s)
{
	static const char *const predictions[] = {
		"/P/", "/M/", "/-/", "/PN/", "/MN/"
	};

	if (!starts_with_any(s, predictions, COUNT(predictions)))
		return false;
	s = str_skip(s, s.data[2] == '/' ? 3 : 4);
	return s.len > 4 && (s.data[0] == 'X' || s.data[0] == '-') &&
	    s.data[1] == '/' && (s.data[2] == 'A' || s.data[2] == '-') &&
	    s.data[3] == '/' && is_digit(s.data[4]);
}

/* Returns the index of the first branch's state; s.len if s has none. */
static size_t
find_branch_state(struct str s)
{
	size_t at = str_find(s, '/');

	while (at < s.len && !is_branch_state(str_skip(s, at)))
		at += 1 + str_find(str_skip(s, at + 1), '/');
	return at;
}

/* True for "1f2a3b4c", and for a page's size, "4K", "2M" or "N/A". */
static bool
is_address_or_size(struct str word)
{
	struct str rest = word;

	str_hex(&rest);
	return rest.len == 0 || str_equal(word, STR("N/A")) ||
	    (rest.len == 1 && word.len > 1 && str_contains(STR("KMGT"), rest));
}

/* True for "         1f2a3b4c 4K 2M /user.slice". */
static bool
is_memory(struct str line)
{
	struct str words = str_trim_start(line), rest = words;
	size_t len;

	while (rest.len > 0) {
		len = str_find(rest, ' ');
		if (!is_address_or_size(str_take(rest, len)))
			break;
		rest = str_trim_start(str_skip(rest, len));
	}
	return words.len > 0 && (rest.len == 0 || (rest.len < words.len &&
	    (rest.data[0] == '/' || str_equal(rest, STR("unknown")))));
}

/* True for a frame after any blanks, of a module with a path or brackets. */
static bool
is_indented_frame(struct str line)
{
	struct str text = str_trim_start(line), rest = text;

	str_hex(&rest);
	return rest.len < text.len && str_starts(rest, STR(" ")) &&
	    frame_line_names_module(text);
}

bool
fields_are_certain(struct str line)
{
	static const char *const starts[] = {
		" insn:", " ilen:", " ABI:",
		" \t IPC:",		/* instructions per cycle: Intel PT */
		" =>",			/* a branch's target */
		"\ttracing data:"	/* of simpleperf */
	};
	static const char *const indented[] = { "BPF output:", "BPF string:" };

	if (frame_line_begins(line))
		return false;
	if (str_starts(line, STR("\t\t")))	/* a disassembled instruction */
		return !is_indented_frame(line);
	return find_branch_state(line) < line.len ||
	    starts_with_any(line, starts, COUNT(starts)) ||
	    starts_with_any(str_trim_start(line), indented, COUNT(indented));
}

bool
fields_are_likely(struct str line)
{
	static const char *const starts[] = { " 0x", " /", " unknown" };

	return starts_with_any(line, starts, COUNT(starts)) ||
	    (str_starts(line, STR(" ")) &&
	    (str_contains(line, STR("/-/")) || is_memory(line)));
}

/* Returns one past the bracket that closes text[open]; 0 if none does. */
static size_t
bracket_end(struct str text, size_t open)
{
	size_t at, depth = 0;

	for (at = open; at < text.len; at++)
		if (text.data[at] == '(')
			depth++;
		else if (text.data[at] == ')' && --depth == 0)
			return at + 1;
	return 0;
}

/*
 * Returns the end of the first word in brackets that begins with one of
 * `starts` and ends before a blank or the end of the text; 0 if none does.
 */
static size_t
module_end(struct str text, struct str starts)
{
	size_t at = 0, end;

	for (;; at = end) {
		at += 2 + str_search(str_skip(text, at), STR(" ("));
		end = at < text.len ? bracket_end(text, at - 1) : 0;
		if (end == 0 || (str_find(starts, text.data[at]) < starts.len &&
		    (end == text.len || is_blank(text.data[end]))))
			return end;
	}
}

/* Fields on a frame's line begin so, all but branches. */
static const char *const field_starts[] = { " =>", " insn:", " ilen:", "\t\t" };

size_t
fields_start(struct str text)
{
	size_t i, at;

	for (i = 0; i < COUNT(field_starts); i++) {
		at = str_search(text, str_from(field_starts[i]));
		if (at > 0 && text.data[at - 1] == ')')
			text.len = at;
	}
	if (find_branch_state(text) < text.len) {
		at = module_end(text, STR("/["));
		text.len = at > 0 ? at : module_end(text,
		    STR("abcdefghijklmnopqrstuvwxyz"));
	}
	at = str_find_last(text, ')');
	return at + 1 < text.len && is_blank(text.data[at + 1]) ?
	    at + 1 : text.len;
}

size_t
fields_start_bare(struct str text)
{
	size_t i, at;

	for (i = 0; i < COUNT(field_starts); i++)
		text.len = str_search(text, str_from(field_starts[i]));
	at = find_branch_state(text);
	if (at < text.len)
		for (text.len = at; text.len > 0 &&
		    !is_blank(text.data[text.len - 1]);)
			text.len--;
	return str_trim_end(text).len;
}
