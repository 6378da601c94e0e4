/*
 * The input is a line of letters that choose options, and a file of speedscope,
 * which may be compressed.
 */
#include "twice.h"

int collapse_speedscope_main(int argc, char **argv);

static const char *const options[] = {
	"--lines", "--in-order", NULL
};

void
fuzz_input(struct str input)
{
	struct words words = { 0 };

	words_add_chosen(&words, &input, options);
	fold_twice(collapse_speedscope_main, &words, input);
}
