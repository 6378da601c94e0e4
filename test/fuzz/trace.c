/*
 * The input is a line of letters that choose options, and a trace in Chrome's
 * format, which may be compressed.
 */
#include "twice.h"

int collapse_trace_main(int argc, char **argv);

static const char *const options[] = {
	"--detail", "--events", "--lines", "--pid", "--tid", "--in-order",
	NULL
};

void
fuzz_input(struct str input)
{
	struct words words = { 0 };

	words_add_chosen(&words, &input, options);
	fold_twice(collapse_trace_main, &words, input);
}
