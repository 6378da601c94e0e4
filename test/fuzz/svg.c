/*
 * The input is a line of letters that choose options, and a flame graph.
 * Whatever it holds, stacks are folded, or a message tells why not; and if they
 * have one count, a picture of them folds to the same.
 */
#include "fuzz.h"

int collapse_svg_main(int argc, char **argv);

static const char *const options[] = { "--reverse", "--quiet", NULL };

static struct result
fold(const struct words *options, const char *path)
{
	struct words words = { 0 };
	size_t i;

	for (i = 0; i < options->count; i++)
		words_add(&words, options->list[i]);
	words_add(&words, path);
	return fuzz_run(collapse_svg_main, &words);
}

/* Draws what was folded, all of it, and requires that it comes back. */
static void
draw(struct str folded)
{
	struct words words = { 0 }, none = { 0 };
	struct result drawn, again;

	fuzz_write("folded", folded);
	words_add(&words, "--minwidth=0");
	words_add(&words, "folded");
	drawn = fuzz_run(flamegraph_main, &words);
	if (drawn.status != 0)
		return;
	fuzz_write("drawn", drawn.out);
	again = fold(&none, "drawn");
	require(again.status == 0, "a picture of stacks folds");
	require(str_equal(again.out, folded), "it folds to the stacks");
}

void
fuzz_input(struct str input)
{
	struct words words = { 0 };
	struct result one, pieces;
	double sum;

	words_add_chosen(&words, &input, options);
	fuzz_write("in", input);
	one = fold(&words, "in");
	require(one.status == 0 || one.err.len > 0, "a refusal has a reason");
	fuzz_short_reads = 1 + input.len / 9;
	pieces = fold(&words, "in");
	fuzz_short_reads = 0;
	require(str_equal(one.out, pieces.out), "pieces are the whole");
	/* A picture has no marks. */
	if (fuzz_plain_sum(one.out, &sum) && sum > 0 &&
	    !str_contains(one.out, STR("_[")))
		draw(one.out);
}
