/*
 * The input is text, perhaps DTrace's.  Folded twice, it has twice the counts;
 * short reads change nothing; and stacks of plain names, printed as DTrace does,
 * are the same when they are folded.
 */
#include "fuzz.h"

/* True if folded stacks hold nothing but names that no rule changes. */
static bool
is_plain(struct str folded)
{
	char c, before = '\n';
	size_t i;

	for (i = 0; i < folded.len; before = c, i++) {
		c = folded.data[i];
		if (c >= 'a' && c <= 'z')
			continue;
		/* a frame is a word that begins with a letter */
		if (c != '\n' && (strchr(";\n", before) != NULL ||
		    (!is_digit(c) && c != ';' && c != ' ')))
			return false;
	}
	return !str_contains(folded, STR("; "));
}

/* "a;b 12" is b, a and 12. */
static void
unfold(struct text *text, struct str line)
{
	struct str count = str_skip(line, str_find_last(line, ' '));
	size_t at;

	line.len -= count.len;
	while ((at = str_find_last(line, ';')) < line.len) {
		text_add(text, str_skip(line, at + 1));
		text_add_char(text, '\n');
		line = str_take(line, at);
	}
	text_add(text, line);
	text_add_char(text, '\n');
	text_add(text, count);
	text_add(text, STR("\n\n"));
}

static struct result
fold(const char *second)
{
	struct words words = { 0 };

	return fuzz_run_on(stackcollapse_dtrace_main, &words, "in", second);
}

void
fuzz_dtrace(struct str input)
{
	struct text text = { 0 };
	struct result one, parts;
	struct str folded, rest;
	double sum;

	/* so that the first lines of neither copy are taken for a header */
	text_add(&text, STR("CPU ID FUNCTION:NAME\n\n\n"));
	text_add(&text, input);
	/* no stack goes on in the second copy */
	text_add(&text, STR("\n-1\n"));
	fuzz_write("in", text_str(&text));
	one = fold(NULL);
	folded = one.out;
	fuzz_one_count(folded);
	sum = fuzz_folded_sum(folded);
	require(fuzz_folded_sum(fold("in").out) == 2 * sum ||
	    sum > 1e15, "twice the input has twice the counts");
	fuzz_short_reads = 1 + input.len / 9;
	parts = fold(NULL);
	fuzz_short_reads = 0;
	require(fuzz_same(&parts, &one), "short reads change nothing");
	if (folded.len == 0 || !is_plain(folded))
		return;
	text.len = 0;
	text_add(&text, STR("CPU ID FUNCTION:NAME\n\n\n"));
	for (rest = folded; rest.len > 0;)
		unfold(&text, fuzz_line(&rest));
	fuzz_write("in", text_str(&text));
	require(str_equal(fold(NULL).out, folded),
	    "plain stacks fold to themselves");
}
