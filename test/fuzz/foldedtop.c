/*
 * The input is a line of letters that choose options, a condition, which may be
 * empty, and folded stacks.  Nothing that is printed can move a terminal's
 * cursor; JSON is JSON; where lines are plain, self counts add up to theirs,
 * and their order does not matter.
 */
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "lib/utf8.h"

static const char *const options[] = {
	"--json", "--tsv", "--paths", "--callers=a", "--callees=^.$",
	"--under=[b-d]|main", "--match=a|f", "--sort=total", "--sort=name",
	"--sort=stacks", "--lines=0", "--lines=2", "--min-share=0",
	"--min-share=30", "--noise=0", "--noise=1.5", "--factor=0.01", NULL
};

static void
require_shown(struct str s)
{
	uint32_t code = 0;
	size_t len;

	for (; s.len > 0; s = str_skip(s, len)) {
		len = utf8_decode(s, &code);
		require(len > 0, "output is UTF-8");
		require(utf8_is_shown(code) || code == '\n' || code == '\t',
		    "no terminal is told anything");
	}
}

/* Returns the sum of the first column. */
static double
sum_self(struct str tsv)
{
	struct text number = { 0 };
	struct str line;
	double sum = 0;

	fuzz_line(&tsv);
	while (tsv.len > 0) {
		line = fuzz_line(&tsv);
		number.len = 0;
		text_add(&number, str_take(line, str_find(line, '\t')));
		text_add_char(&number, '\0');
		sum += strtod(number.data, NULL);
	}
	return sum;
}

static bool
has_tree(const struct words *words)
{
	return words_have(words, "--paths") ||
	    words_have(words, "--callers=a") ||
	    words_have(words, "--callees=^.$");
}

/* Requires what holds for stacks of one count whose sum is known. */
static void
check_plain(struct words *words, struct str lines, struct str out, double sum)
{
	bool all = !words_have(words, "--under=[b-d]|main") &&
	    !words_have(words, "--match=a|f") &&
	    !words_have(words, "--lines=2");

	if (words_have(words, "--tsv") && !has_tree(words) && all)
		require(fabs(sum_self(out) - sum) < 1e-6,
		    "all counts are those of a function");
	fuzz_write("in", fuzz_backwards(lines));
	fuzz_short_reads = 1 + lines.len / 5;
	require(str_equal(fuzz_run(report_foldedtop_main, words).out, out),
	    "the order of the lines does not matter");
}

void
fuzz_foldedtop(struct str input)
{
	struct words words = { 0 };
	struct result result;
	struct str condition;
	double sum;

	fuzz_most_status = 3;
	words_add_chosen(&words, &input, options);
	condition = fuzz_line(&input);
	if (condition.len > 0 && condition.data[0] != '\0')
		words_add_value(&words, "--fail-if=", condition);
	words_add(&words, "in");
	fuzz_write("in", input);
	fuzz_short_reads = 0;
	result = fuzz_run(report_foldedtop_main, &words);
	require_shown(result.out);
	require_shown(result.err);
	if (result.status == 2) {
		require(result.out.len == 0, "a mistake prints nothing");
		return;
	}
	if (words_have(&words, "--json") && result.out.len > 0)
		fuzz_json(result.out);
	if (fuzz_plain_sum(input, &sum))
		check_plain(&words, input, result.out, sum);
}
