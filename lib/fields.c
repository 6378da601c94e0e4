#include "fields.h"

static bool
starts_with_any(struct str s, const char *const *starts, size_t count)
{
	while (count > 0)
		if (str_starts(s, str_from(starts[--count])))
			return true;
	return false;
}

/* Whether s is /P/-/-/0: a branch's prediction, transaction, abort, cycles. */
static bool
is_branch_state(struct str s)
{
	static const char *const predictions[] = {
		"/P/", "/M/", "/-/", "/PN/", "/MN/"
	};
	size_t end = 3;

	if (!starts_with_any(s, predictions,
	    sizeof(predictions) / sizeof(*predictions)))
		return false;
	if (s.data[2] != '/')
		end++;
	return s.len > end + 4 && (s.data[end] == 'X' || s.data[end] == '-') &&
	    s.data[end + 1] == '/' &&
	    (s.data[end + 2] == 'A' || s.data[end + 2] == '-') &&
	    s.data[end + 3] == '/' && is_digit(s.data[end + 4]);
}

/* Where the first branch's state stands; s.len if nowhere. */
static size_t
find_branch_state(struct str s)
{
	size_t at = str_find(s, '/');

	while (at < s.len && !is_branch_state(str_skip(s, at)))
		at += 1 + str_find(str_skip(s, at + 1), '/');
	return at < s.len ? at : s.len;
}

/* "1f2a3b4c", and as the sizes of pages "4K", "2M" or "N/A" */
static bool
is_address_or_size(struct str word)
{
	size_t i;

	for (i = 0; i < word.len && is_hex(word.data[i]); i++)
		continue;
	if (i > 0 && i + 1 == word.len)
		return str_find(STR("KMGT"), word.data[i]) < 4;
	return i == word.len || str_equal(word, STR("N/A"));
}

/* "         1f2a3b4c 4K 2M /user.slice" */
static bool
is_memory(struct str line)
{
	struct str rest = str_trim_start(line);
	size_t start = rest.len, len;

	while (rest.len > 0) {
		len = str_find(rest, ' ');
		if (!is_address_or_size(str_take(rest, len)))
			break;
		rest = str_trim_start(str_skip(rest, len));
	}
	return start > 0 && (rest.len == 0 || (rest.len < start &&
	    (rest.data[0] == '/' || str_equal(rest, STR("unknown")))));
}

/* A tab and an address: what nearly all lines begin with. */
static bool
is_frame_start(struct str line)
{
	return line.len > 1 && line.data[0] == '\t' &&
	    (line.data[1] == ' ' || is_hex(line.data[1]));
}

bool
fields_are_certain(struct str line)
{
	static const char *const starts[] = {
		" insn:", " ilen:",
		" \t IPC:",		/* instructions per cycle, of Intel PT */
		" =>",			/* where a branch leads */
		"\t\t",			/* a disassembled instruction */
		"\ttracing data:"	/* of simpleperf */
	};
	static const char *const indented[] = { "BPF output:", "BPF string:" };

	if (is_frame_start(line))
		return false;
	return find_branch_state(line) < line.len ||
	    starts_with_any(line, starts, sizeof(starts) / sizeof(*starts)) ||
	    starts_with_any(str_trim_start(line), indented,
	    sizeof(indented) / sizeof(*indented));
}

bool
fields_are_likely(struct str line)
{
	static const char *const starts[] = { " ABI:", " 0x", " /", " unknown" };

	return starts_with_any(line, starts, sizeof(starts) / sizeof(*starts)) ||
	    (str_starts(line, STR(" ")) && is_memory(line));
}

/* Where the first module ends that is a path or in brackets; 0 if nowhere. */
static size_t
first_module_end(struct str text)
{
	size_t path = str_search(text, STR(" (/"));
	size_t open = str_search(text, STR(" ([")), close;

	if (path < open)
		open = path;
	close = open + str_search(str_skip(text, open), STR(") "));
	return close < text.len ? close + 1 : 0;
}

size_t
fields_start(struct str text)
{
	static const char *const starts[] = { " =>", " insn:", " ilen:", "\t\t" };
	size_t i, close;

	for (i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		text.len = str_search(text, str_from(starts[i]));
	if (find_branch_state(text) < text.len)
		text.len = first_module_end(text);
	close = str_find_last(text, ')');
	return close + 1 < text.len && is_blank(text.data[close + 1]) ?
	    close + 1 : text.len;
}
