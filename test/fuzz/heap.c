/*
 * The input is a line of letters that choose options, and a profile of jemalloc
 * or gperftools, which may be compressed.
 */
#include "twice.h"

int collapse_heap_main(int argc, char **argv);

static const char *const options[] = {
	"--alloc", "--objects", "--allocators", "--lines", "--addrs", NULL
};

void
fuzz_input(struct str input)
{
	struct words words = { 0 };

	words_add(&words, "--symfs=missing");
	words_add_chosen(&words, &input, options);
	fold_twice(collapse_heap_main, &words, input);
}
