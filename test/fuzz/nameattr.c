/*
 * The input is a file for --nameattr.  Whatever it says, the picture is
 * well-formed, or a message tells why no picture is printed.
 */
#include "fuzz.h"
#include "picture.h"

void
fuzz_input(struct str input)
{
	struct look look = { .height = 16 };
	struct words words = { 0 };
	struct result result;
	struct xml xml;

	fuzz_write("attributes", input);
	fuzz_write("in", STR("a;b;c 4\na;c 3\nx;\xC3\xA9 9\n"));
	words_add(&words, "--nameattr=attributes");
	words_add(&words, "in");
	fuzz_short_reads = 1 + input.len / 3;
	result = fuzz_run(flamegraph_main, &words);
	if (result.status == 0)
		picture_check(&xml, result.out, &look);
	else
		require(result.out.len == 0 && result.err.len > 0,
		    "a message or a picture");
}
