/*
 * The input is a line of letters that choose options, and folded text.  What is
 * written of it for pprof and for the Firefox profiler, our own collapsers
 * read: the sums are the same, and of plain text the stacks are, too.
 * speedscope's JSON is read as JSON is.
 */
#include "fuzz.h"

int report_folded2pprof_main(int argc, char **argv);
int report_folded2speedscope_main(int argc, char **argv);
int report_folded2firefox_main(int argc, char **argv);

static const char *const options[] = {
	"--threads", "--countname=ns", "--countname=bytes", "--factor=2", NULL
};

static const char *const chart_options[] = {
	"--threads", "--flamechart", "--title=a\"b", NULL
};

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
	sorted = fuzz_run_on(stackcollapse_perf_main, &none, "in", NULL);
	if (sorted.status != 0)
		return;
	fuzz_write("sorted", sorted.out);
	pprof = fuzz_run_on(report_folded2pprof_main, &none, "sorted", NULL);
	fuzz_write("out", pprof.out);
	pprof = fuzz_run_on(collapse_pprof_main, &none, "out", NULL);
	firefox = fuzz_run_on(report_folded2firefox_main, &none, "sorted", NULL);
	fuzz_write("out", firefox.out);
	firefox = fuzz_run_on(collapse_firefox_main, &none, "out", NULL);
	require(str_equal(without_frames(firefox.out, 2), pprof.out),
	    "both formats have the same stacks");
}

/* True if what was written is read again; it may have gaps and zeros alone. */
static bool
is_read(const struct result *written, const struct result *back)
{
	return written->out.len == 0 || back->status == 0 ||
	    (back->status == 1 && back->out.len == 0);
}

void
fuzz_exports(struct str input)
{
	struct words words = { 0 }, chart = { 0 };
	struct result result, back;
	double sum;

	words_add_chosen(&words, &input, options);
	words_add_chosen(&chart, &input, chart_options);
	fuzz_write("in", input);
	result = fuzz_run_on(report_folded2speedscope_main, &chart, "in", NULL);
	require(result.out.len > 0 || result.status != 0, "nothing is a failure");
	if (result.out.len > 0)
		fuzz_json(result.out);
	result = fuzz_run_on(report_folded2firefox_main, &chart, "in", NULL);
	fuzz_write("out", result.out);
	back = fuzz_run_on(collapse_firefox_main, &(struct words){ 0 }, "out", NULL);
	require(is_read(&result, &back), "it is a profile");
	result = fuzz_run_on(report_folded2pprof_main, &words, "in", NULL);
	fuzz_write("out", result.out);
	back = fuzz_run_on(collapse_pprof_main, &(struct words){ 0 }, "out", NULL);
	require(is_read(&result, &back), "it is one of pprof");
	if (words.count == 0 && fuzz_plain_sum(input, &sum) && sum < EXACT) {
		require(fuzz_folded_sum(back.out) == sum, "all is in it");
		compare_plain(input);
	}
}
