/*
 * The input is a palette.map.  A second picture is the same as the first one,
 * and leaves the map as the first one left it.
 */
#include "fuzz.h"
#include "picture.h"

void
fuzz_input(struct str input)
{
	struct look look = { .height = 16, .counts = true };
	struct words words = { 0 };
	struct result first, second;
	struct str map;
	struct xml xml;

	fuzz_write("palette.map", input);
	fuzz_write("in", STR("a;b;operator->;->;a->b 4\na;c 3\n"
	    " x;\xC3\xA9 9\n"));
	words_add(&words, "--cp");
	words_add(&words, "in");
	fuzz_short_reads = 1 + input.len / 3;
	first = fuzz_run(flamegraph_main, &words);
	require(first.status == 0, "any map will do");
	require(picture_check(&xml, first.out, &look) == 16, "all counts");
	map = fuzz_read("palette.map");
	second = fuzz_run(flamegraph_main, &words);
	require(str_equal(first.out, second.out), "the same colours");
	require(str_equal(fuzz_read("palette.map"), map), "the same map");
}
