/*
 * The input is a line of letters that choose options, and perhaps a recording
 * of perf.  Whatever it is, lines that are printed are folded stacks; folded
 * twice, the recording has twice the counts; three threads that share small
 * parts of it print the same as one; and half of it has stacks, too.
 */
#include "fuzz.h"

/* Sums up to this are exact. */
#define EXACT	((double)(1ull << 52))

static const char *const options[] = {
	"--pid", "--tid", "--all", "--addrs", "--max-stack=3",
	"--event-filter=cycles", "--in-order", NULL
};

static struct result
fold(const struct words *chosen, const char *jobs, const char *first,
    const char *second)
{
	struct words words = { 0 };
	size_t i;

	/* nothing that is named is looked for on this machine */
	words_add(&words, "--symfs=nowhere");
	words_add(&words, "--kallsyms=kernel");
	words_add(&words, jobs);
	for (i = 0; i < chosen->count; i++)
		words_add(&words, chosen->list[i]);
	words_add(&words, first);
	if (second != NULL)
		words_add(&words, second);
	return fuzz_run(stackcollapse_perf_main, &words);
}

void
fuzz_input(struct str input)
{
	struct words chosen = { 0 };
	struct result once, twice, three;
	double sum;

	words_add_chosen(&chosen, &input, options);
	fuzz_write("kernel", STR("ffffffff81000000 T _text\n"
	    "ffffffff81001000 t read\nffffffff81002000 T _etext\n"));
	fuzz_write("in", input);
	fuzz_write("half", str_take(input, input.len / 2));
	once = fold(&chosen, "--jobs=1", "in", NULL);
	sum = fuzz_folded_sum(once.out);
	require(once.status == 0 || once.err.len > 0, "a reason to fail");
	twice = fold(&chosen, "--jobs=1", "in", "in");
	require(sum > EXACT || fuzz_folded_sum(twice.out) == 2 * sum,
	    "twice the counts");
	fuzz_short_parts = 1 + input.len / 40;
	three = fold(&chosen, "--jobs=3", "in", NULL);
	fuzz_short_parts = 0;
	require(three.status == once.status && str_equal(three.out, once.out) &&
	    str_equal(three.err, once.err), "the same of three threads");
	fuzz_folded_sum(fold(&chosen, "--jobs=2", "half", NULL).out);
}
