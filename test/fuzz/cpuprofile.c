/*
 * The input is a line of letters that choose options, and a profile of V8,
 * which may be compressed.
 */
#include "twice.h"

int collapse_cpuprofile_main(int argc, char **argv);

static const char *const options[] = {
	"--lines", "--samples", "--in-order", NULL
};

void
fuzz_input(struct str input)
{
	struct words words = { 0 };

	words_add_chosen(&words, &input, options);
	fold_twice(collapse_cpuprofile_main, &words, input);
}
