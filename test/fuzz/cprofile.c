/*
 * The input is a file, perhaps cProfile's.  Folded twice, it takes twice the
 * time; small reads change nothing; and where it is folded, so are its calls.
 */
#include "fuzz.h"

static struct result
fold(const char *first, const char *second)
{
	struct words words = { 0 };

	words_add(&words, first);
	if (second != NULL)
		words_add(&words, second);
	return fuzz_run(collapse_cprofile_main, &words);
}

void
fuzz_input(struct str input)
{
	struct result one, two;
	double sum;

	fuzz_write("in", input);
	one = fold("in", NULL);
	sum = fuzz_folded_sum(one.out);
	two = fold("in", "in");
	require(sum > 1e15 || fuzz_folded_sum(two.out) == 2 * sum,
	    "twice the input takes twice the time");
	fuzz_short_reads = 1 + input.len / 9;
	two = fold("in", NULL);
	fuzz_short_reads = 0;
	require(two.status == one.status && str_equal(two.out, one.out) &&
	    str_equal(two.err, one.err), "small reads change nothing");
	two = fold("--calls", "in");
	require(one.status != 0 || two.status == 0 || two.out.len == 0,
	    "calls are counted where times are");
	fold("--paths", "in");
}
