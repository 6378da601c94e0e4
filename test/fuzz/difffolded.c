/*
 * The input is a line of letters that choose options, a folded file, a line
 * "%%" and a second file.  A file beside itself has twice the same counts, and
 * plain stacks are complete.
 */
#include <stdio.h>

#include "fuzz.h"
#include "lib/packed.h"

static const char *const options[] = { "-n", "-s", "-ns", NULL };

/* Cuts the last word off a line. */
static struct str
cut_word(struct str *line)
{
	size_t blank = str_find_last(*line, ' ');
	struct str word;

	require(blank + 1 < line->len, "each line has two counts");
	word = str_skip(*line, blank + 1);
	*line = str_take(*line, blank);
	return word;
}

/* The stacks and second counts; in *equal whether the first are the same. */
static struct str
second_counts(struct str out, bool *equal)
{
	struct text counts = { 0 };
	struct str line, first, second;

	for (*equal = true; out.len > 0;) {
		line = fuzz_line(&out);
		if (str_starts(line, STR("# unit: ")))
			continue;
		second = cut_word(&line);
		first = cut_word(&line);
		*equal = *equal && str_equal(first, second);
		text_add(&counts, line);
		text_add_char(&counts, ' ');
		text_add(&counts, second);
		text_add_char(&counts, '\n');
	}
	return text_str(&counts);
}

/* Returns lines without the last one's end, which a cut file has not. */
static struct str
without_end(struct str lines)
{
	return str_ends(lines, STR("\n")) ? str_take(lines, lines.len - 1) :
	    lines;
}

void
fuzz_difffolded(struct str input)
{
	struct words chosen = { 0 };
	struct result result;
	struct str second;
	double sum;
	bool equal;

	words_add_chosen(&chosen, &input, options);
	fuzz_write("before", fuzz_cut(&input, STR("\n%%\n")));
	fuzz_write("after", input);
	fuzz_short_reads = 0;
	result = fuzz_run_on(difffolded_main, &chosen, "before", "after");
	if (result.status == 0 && fuzz_plain_sum(input, &sum))
		require(sum ==
		    fuzz_folded_sum(second_counts(result.out, &equal)),
		    "all of the second file's counts are there");
	result = fuzz_run_on(difffolded_main, &chosen, "after", "after");
	second = second_counts(result.out, &equal);
	require(equal, "a file is equal to itself");
	/* stacks may look like a comment, a byte order mark or packed data */
	if (result.status != 0 || str_starts(result.out, STR("# ")) ||
	    packed_by(second) != NULL ||
	    str_starts(second, STR("\xef\xbb\xbf")) ||
	    str_contains(result.out, STR("\n# ")))
		return;
	fuzz_write("again", second);
	fuzz_short_reads = 1 + input.len / 5;
	require(str_equal(without_end(fuzz_run_on(difffolded_main, &chosen, "again", "again").out),
	    without_end(result.out)), "what was folded stays as it is");
}
