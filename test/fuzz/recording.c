/*
 * The input is a line of letters that choose options, and perhaps a recording
 * of perf.  Whatever it is, lines that are printed are folded stacks; folded
 * twice, the recording has twice the counts; a small reorder queue changes none
 * of them; and half of the recording has stacks, too.
 */
#include "fuzz.h"

static const char *const options[] = {
	"--pid", "--tid", "--all", "--addrs", "--max-stack=3",
	"--event-filter=cycles", "--in-order", "--cgroup", "--stitch",
	"--time=0.000000115,0.000000145", "--time=10%/2,50%-100%",
	"--comms=sh,ls", "--pids=10", "--tids=11", "--cpus=3",
	"--event-filter=cycles,page-faults", "--each-event", "--weight=ret",
	"--off-cpu", "--off-cpu=all", "--wakers", "--wall", NULL
};

static struct result
fold(const struct words *chosen, const char *first,
    const char *second)
{
	struct words words = { 0 };
	size_t i;

	/* nothing that is named is looked for on this machine */
	words_add(&words, "--symfs=nowhere");
	words_add(&words, "--kallsyms=kernel");
	for (i = 0; i < chosen->count; i++)
		words_add(&words, chosen->list[i]);
	return fuzz_run_on(stackcollapse_perf_main, &words, first, second);
}

void
fuzz_recording(struct str input)
{
	struct words chosen = { 0 };
	struct result once, twice, parts;
	double sum;

	words_add_chosen(&chosen, &input, options);
	fuzz_write("kernel", STR("ffffffff81000000 T _text\n"
	    "ffffffff81001000 t read\nffffffff81002000 T _etext\n"));
	fuzz_write("in", input);
	fuzz_write("half", str_take(input, input.len / 2));
	once = fold(&chosen, "in", NULL);
	sum = fuzz_folded_sum(once.out);
	require(once.status == 0 || once.err.len > 0, "a reason to fail");
	twice = fold(&chosen, "in", "in");
	/* text may go on in the next file */
	require(sum > EXACT || fuzz_folded_sum(twice.out) == 2 * sum ||
	    !str_starts(input, STR("PERFILE2")), "twice the counts");
	fuzz_queue_bytes = 1 + input.len / 40;
	parts = fold(&chosen, "in", NULL);
	fuzz_queue_bytes = 0;
	require(parts.status == once.status && (parts.status != 0 ||
	    fuzz_folded_sum(parts.out) == sum || sum > EXACT),
	    "the same counts with a small queue");
	fuzz_folded_sum(fold(&chosen, "half", NULL).out);
}
