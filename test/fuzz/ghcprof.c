/*
 * The input is a line of letters that choose options, and a profile of GHC,
 * which is text or JSON.
 */
#include "twice.h"

int collapse_ghcprof_main(int argc, char **argv);

static const char *const options[] = { "--alloc", "--lines", NULL };

void
fuzz_input(struct str input)
{
	struct words words = { 0 };

	words_add_chosen(&words, &input, options);
	fold_twice(collapse_ghcprof_main, &words, input);
}
