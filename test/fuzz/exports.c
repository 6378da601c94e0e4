/*
 * The input is a line of letters that choose options, and folded text.  What is
 * written of it for pprof and for the Firefox profiler, our own collapsers read:
 * the sums are the same, and of plain text the stacks are, too.  speedscope's
 * JSON is read as JSON is.
 */
#include <math.h>

#include "fuzz.h"
#include "lib/json.h"

int report_folded2pprof_main(int argc, char **argv);
int report_folded2speedscope_main(int argc, char **argv);
int report_folded2firefox_main(int argc, char **argv);

static const char *const options[] = {
	"--threads", "--countname=ns", "--countname=bytes", "--factor=2", NULL
};

static const char *const chart_options[] = {
	"--threads", "--flamechart", "--title=a\"b", NULL
};

/* Sums up to this are exact. */
#define EXACT	((double)(1ull << 52))

static struct result
run(int (*program)(int, char **), const struct words *options,
    const char *path)
{
	struct words words = { 0 };
	size_t i;

	for (i = 0; i < options->count; i++)
		words_add(&words, options->list[i]);
	words_add(&words, path);
	return fuzz_run(program, &words);
}

static bool
next_piece(void *context, struct str *piece)
{
	struct str *rest = context;

	*piece = *rest;
	*rest = STR("");
	return piece->len > 0;
}

static void
require_json(struct str text)
{
	struct json json;

	json_begin(&json, next_piece, &text);
	json_skip(&json);
	json_end(&json);
	require(json.trouble == NULL, "it is JSON");
}

/* Cuts the first `count` frames off each line. */
static struct str
without_frames(struct str folded, size_t count)
{
	struct text lines = { 0 };
	struct str line;
	size_t i;

	while (folded.len > 0) {
		line = fuzz_line(&folded);
		for (i = 0; i < count; i++)
			line = str_skip(line, str_find(line, ';') + 1);
		text_add(&lines, line);
		text_add_char(&lines, '\n');
	}
	return text_str(&lines);
}

/* What stackcollapse-perf adds up is in byte order, as what comes back is. */
static void
compare_plain(struct str input)
{
	struct words none = { 0 };
	struct result sorted, pprof, firefox;

	fuzz_write("in", input);
	sorted = run(stackcollapse_perf_main, &none, "in");
	if (sorted.status != 0)
		return;
	fuzz_write("sorted", sorted.out);
	pprof = run(report_folded2pprof_main, &none, "sorted");
	fuzz_write("out", pprof.out);
	pprof = run(collapse_pprof_main, &none, "out");
	firefox = run(report_folded2firefox_main, &none, "sorted");
	fuzz_write("out", firefox.out);
	firefox = run(collapse_firefox_main, &none, "out");
	require(str_equal(without_frames(firefox.out, 2), pprof.out),
	    "both formats have the same stacks");
}

void
fuzz_input(struct str input)
{
	struct words words = { 0 }, chart = { 0 };
	struct result result, back;
	double sum;

	words_add_chosen(&words, &input, options);
	words_add_chosen(&chart, &input, chart_options);
	fuzz_write("in", input);
	result = run(report_folded2speedscope_main, &chart, "in");
	require(result.out.len > 0 || result.status != 0, "nothing is a failure");
	if (result.out.len > 0)
		require_json(result.out);
	result = run(report_folded2firefox_main, &chart, "in");
	fuzz_write("out", result.out);
	back = run(collapse_firefox_main, &(struct words){ 0 }, "out");
	require(result.out.len == 0 || back.status == 0, "it is a profile");
	result = run(report_folded2pprof_main, &words, "in");
	fuzz_write("out", result.out);
	back = run(collapse_pprof_main, &(struct words){ 0 }, "out");
	require(result.out.len == 0 || back.status == 0, "it is one of pprof");
	if (words.count == 0 && fuzz_plain_sum(input, &sum) && sum < EXACT) {
		require(fuzz_folded_sum(back.out) == sum, "all is in it");
		compare_plain(input);
	}
}
