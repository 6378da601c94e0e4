/*
 * The input is a line of letters that choose options, and a profile of the
 * Firefox profiler, which may be compressed.
 */
#include "twice.h"

static const char *const options[] = {
	"--pid", "--tid", "--no-inline", "--lines", "--addrs", NULL
};

void
fuzz_input(struct str input)
{
	struct words words = { 0 };

	words_add(&words, "--symfs=missing");
	words_add_chosen(&words, &input, options);
	fold_twice(collapse_firefox_main, &words, input);
}
