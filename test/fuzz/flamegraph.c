/*
 * Pictures.  The input is a line of letters that choose options, a text for all
 * the options that are texts, which may be empty, and folded stacks.  Where the
 * lines are plain, their sum is the root's count, and their order does not
 * matter unless it is asked for.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "picture.h"

static const char *const options[] = {
	"--reverse", "--inverted", "--hash", "--random", "--negate",
	"--no-javascript", "--theme=auto", "--width=auto", "--minwidth=0",
	"--minwidth=1%", "--colors=chain", "--colors=java",
	"--colors=colorblind", "--encoding=iso-8859-1", "--fontsize=9.3",
	/* Titles do not tell the lines' counts, */
	"--factor=0.3", "--total=1000000",
	/* or the order matters. */
	"--flamechart",
	/* More colours; the last option counts. */
	"--colors=js", "--colors=perl", "--colors=rust", "--colors=python",
	"--colors=wakeup",
	/* They need lines of two counts. */
	"--delta=total", "--widths=before", "--widths=sum", "--widths=change",
	"--noise=1.5", "--delta=ratio",
	/* Gaps are no counts. */
	"--lanes", NULL
};

static const char *const texts[] = {
	"--title=", "--subtitle=", "--notes=", "--nametype=", "--fonttype=",
	"--countname=", "--search=", NULL
};

static void
add_texts(struct words *words, struct str text)
{
	size_t i;

	for (i = 0; text.len > 0 && text.data[0] != '\0' && texts[i] != NULL;
	    i++)
		words_add_value(words, texts[i], text);
}

void
fuzz_flamegraph(struct str input)
{
	struct look look = { .height = 16 };
	struct words words = { 0 };
	struct result result;
	struct str text;
	bool is_plain;
	double sum, count;

	words_add_chosen(&words, &input, options);
	text = fuzz_line(&input);
	add_texts(&words, text);
	words_add(&words, "in");
	fuzz_write("in", input);
	fuzz_short_reads = 0;
	result = fuzz_run(flamegraph_main, &words);
	if (result.out.len == 0)	/* an option or a sum was refused */
		return;
	is_plain = fuzz_plain_sum(input, &sum);
	look.lanes = words_have(&words, "--lanes");
	look.counts = is_plain && text.len == 0 &&
	    !words_have(&words, "--factor=0.3");
	count = picture_check(result.out, &look);
	/* even the root may be too narrow to be drawn */
	if (look.counts && count > 0 && look.lanes)
		require(count <= sum, "no other counts are in the lanes");
	else if (look.counts && count > 0 &&
	    !words_have(&words, "--total=1000000"))
		require(count == sum, "all counts are in the picture");
	if (!is_plain || words_have(&words, "--flamechart") || look.lanes)
		return;
	fuzz_write("in", fuzz_backwards(input));
	fuzz_short_reads = 1 + input.len / 5;
	require(str_equal(fuzz_run(flamegraph_main, &words).out, result.out),
	    "the order of the lines does not matter");
}

/* A line of values, parted by blanks, for options that are checked. */
void
fuzz_options(struct str input)
{
	static const char *const names[] = {
		"--width=", "--height=", "--minwidth=", "--fontsize=",
		"--fontwidth=", "--total=", "--factor=", "--colors=",
		"--bgcolors=", "--theme=", "--encoding=",
	};
	struct look look = { .height = 16 };
	struct words words = { 0 };
	struct result result;
	struct str word;
	size_t i;

	input = fuzz_line(&input);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		word = fuzz_cut(&input, STR(" "));
		if (word.len == 0 || word.data[0] == '\0')
			continue;
		words_add_value(&words, names[i], word);
		if (strcmp(names[i], "--height=") == 0)
			look.height = strtod(words.list[words.count - 1] +
			    strlen("--height="), NULL);
	}
	fuzz_write("in", STR("a;b;c 4\na;c 3\nx;\xC3\xA9 9\n"));
	result = fuzz_run_on(flamegraph_main, &words, "in", NULL);
	if (result.out.len > 0)
		picture_check(result.out, &look);
	else
		require(result.err.len > 0, "a message or a picture");
}

/* A file for --nameattr: any is taken, or refused with a message. */
void
fuzz_nameattr(struct str input)
{
	struct look look = { .height = 16 };
	struct words words = { 0 };
	struct result result;

	fuzz_write("attributes", input);
	fuzz_write("in", STR("a;b;c 4\na;c 3\nx;\xC3\xA9 9\n"));
	fuzz_short_reads = 1 + input.len / 3;
	result = fuzz_run_on(flamegraph_main, &words, "--nameattr=attributes",
	    "in");
	if (result.status == 0)
		picture_check(result.out, &look);
	else
		require(result.out.len == 0 && result.err.len > 0,
		    "a message or a picture");
}

/*
 * A palette.map.  A second picture is the same as the first one, and leaves the
 * map as the first one left it.
 */
void
fuzz_palette(struct str input)
{
	struct look look = { .height = 16, .counts = true };
	struct words words = { 0 };
	struct result first, second;
	struct str map;

	fuzz_write("palette.map", input);
	fuzz_write("in", STR("a;b;operator->;->;a->b 4\na;c 3\n"
	    " x;\xC3\xA9 9\n"));
	fuzz_short_reads = 1 + input.len / 3;
	first = fuzz_run_on(flamegraph_main, &words, "--cp", "in");
	require(first.status == 0, "any map will do");
	require(picture_check(first.out, &look) == 16, "all counts");
	map = fuzz_read("palette.map");
	second = fuzz_run_on(flamegraph_main, &words, "--cp", "in");
	require(str_equal(first.out, second.out), "the same colours");
	require(str_equal(fuzz_read("palette.map"), map), "the same map");
}
