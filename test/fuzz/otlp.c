/*
 * The input is a line of letters that choose options, and a profile of
 * OpenTelemetry, which may be compressed.
 */
#include "twice.h"

int collapse_otlp_main(int argc, char **argv);

static const char *const options[] = {
	"--no-inline", "--lines", "--addrs", "--type=samples", NULL
};

void
fuzz_input(struct str input)
{
	struct words words = { 0 };

	words_add(&words, "--symfs=missing");
	words_add_chosen(&words, &input, options);
	fold_twice(collapse_otlp_main, &words, input);
}
