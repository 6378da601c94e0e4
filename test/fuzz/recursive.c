/*
 * The input is a line of letters that choose options, and folded stacks.  What
 * is made of plain ones stays the same if it is read again.
 */
#include "fuzz.h"

int collapse_recursive_main(int argc, char **argv);

static const char *const options[] = { "--all", "--quiet", NULL };

static struct result
fold(const struct words *options, const char *path)
{
	struct words words = { 0 };
	size_t i;

	for (i = 0; i < options->count; i++)
		words_add(&words, options->list[i]);
	words_add(&words, path);
	return fuzz_run(collapse_recursive_main, &words);
}

void
fuzz_input(struct str input)
{
	struct words words = { 0 };
	struct result one, pieces, again;
	double sum;

	words_add_chosen(&words, &input, options);
	fuzz_write("in", input);
	one = fold(&words, "in");
	require(one.status == 0 || one.err.len > 0, "a refusal has a reason");
	fuzz_short_reads = 1 + input.len / 9;
	pieces = fold(&words, "in");
	fuzz_short_reads = 0;
	require(str_equal(one.out, pieces.out), "pieces are the whole");
	if (!fuzz_plain_sum(one.out, &sum) || one.out.len == 0)
		return;
	fuzz_write("folded", one.out);
	again = fold(&words, "folded");
	require(again.status == 0 && str_equal(again.out, one.out),
	    "no frame repeats in what is printed");
}
