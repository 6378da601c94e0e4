/*
 * The input is a line of letters that choose options, and a profile of pprof,
 * which may be compressed.
 */
#include "twice.h"

static const char *const options[] = {
	"--type=cpu", "--label=k", "--label=request", "--no-inline", "--lines",
	"--addrs", "--symfs=missing", NULL
};

void
fuzz_input(struct str input)
{
	struct words words = { 0 };

	words_add(&words, "--symfs=missing");
	words_add_chosen(&words, &input, options);
	fold_twice(collapse_pprof_main, &words, input);
}
