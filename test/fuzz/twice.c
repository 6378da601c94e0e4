#include "twice.h"

/* Sums up to this are exact. */
#define EXACT	((double)(1ull << 52))

static struct result
fold(int (*program)(int, char **), const struct words *options, size_t files)
{
	struct words words = { 0 };
	size_t i;

	for (i = 0; i < options->count; i++)
		words_add(&words, options->list[i]);
	for (i = 0; i < files; i++)
		words_add(&words, "in");
	return fuzz_run(program, &words);
}

void
fold_twice(int (*program)(int, char **), const struct words *options,
    struct str content)
{
	struct result one, two;
	double sum;

	fuzz_write("in", content);
	one = fold(program, options, 1);
	require(one.status == 0 || one.err.len > 0, "a refusal has a reason");
	fuzz_one_count(one.out);
	sum = fuzz_folded_sum(one.out);
	fuzz_short_reads = 1 + content.len / 9;
	two = fold(program, options, 2);
	fuzz_short_reads = 0;
	require(fuzz_folded_sum(two.out) == 2 * sum || sum > EXACT / 4,
	    "twice the input has twice the counts");
}
