/*
 * The input is a line of letters that choose options, and text, perhaps perf
 * script's.  Short reads change nothing.
 * Folded twice, the text has twice the counts, but for waits, which go on from
 * one text to the next where time does.  Where all samples are plain,
 * their periods are counted here, too, in order of time or not; and what is
 * printed of them is added to them, if it has frames.  A selection has no more.
 * Folded text adds up.
 */
#include <stdio.h>

#include "fold/kind.h"
#include "fuzz.h"

static const char *const options[] = {
	"--pid", "--tid", "--kernel", "--jit", "--all", "--addrs", "--srcline",
	"--context", "--event-filter=cycles", "--in-order", "--gaps=5",
	"--cgroup", "--time=1.5,2", "--time=10%-50%", "--comms=cc,sh",
	"--pids=7,12", "--tids=12", "--cpus=0,2-9",
	"--event-filter=cycles,faults", "--each-event", "--weight=n",
	"--off-cpu", "--wakers", "--wall", NULL
};

static bool
has_any(const struct words *words, const char *const *list)
{
	for (; *list != NULL; list++)
		if (words_have(words, *list))
			return true;
	return false;
}

static const char *const selections[] = { "--time=1.5,2", "--time=10%-50%",
	"--comms=cc,sh", "--pids=7,12", "--tids=12", "--cpus=0,2-9", NULL };
static const char *const waits[] = { "--off-cpu", "--wakers", "--wall", NULL };

static struct result
fold(const struct words *chosen, const char *second)
{
	struct words words = { 0 };
	size_t i;

	for (i = 0; i < chosen->count; i++)
		words_add(&words, chosen->list[i]);
	return fuzz_run_on(stackcollapse_perf_main, &words, "in", second);
}

static bool
is_of(struct str s, const char *bytes)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		if (s.data[i] == '\0' || strchr(bytes, s.data[i]) == NULL)
			return false;
	return s.len > 0;
}

#define LETTERS		"abcdefghijklmnopqrstuvwxyz_"
#define DIGITS		"0123456789"

#define LONGEST_COMM	15
#define TIME_COLUMNS	12

/* "12 [000] 1.5: " or, where the thread is not printed, "    12.345678: " */
static bool
cut_plain_time(struct str *line)
{
	struct str time = str_take(*line, str_find(*line, ':'));
	bool bare = time.len == TIME_COLUMNS && time.data[0] == ' ' &&
	    time.data[time.len - 7] == '.';

	if (bare)
		*line = str_trim_start(*line);
	else if (!is_of(fuzz_cut(line, STR(" ")), DIGITS) ||
	    !str_equal(fuzz_cut(line, STR(" ")), STR("[000]")))
		return false;
	return is_of(fuzz_cut(line, STR(".")), DIGITS) &&
	    is_of(fuzz_cut(line, STR(": ")), DIGITS);
}

/* "cc 12 [000] 1.5: 250000 cycles:", or "cc " for a command alone */
static bool
is_plain_event(struct str line, double *period)
{
	unsigned long long number;
	struct str digits, comm = fuzz_cut(&line, STR(" "));
	bool alone = line.len == 0 && line.data > comm.data + comm.len;

	if (!is_of(comm, LETTERS) || comm.len > LONGEST_COMM)
		return false;
	*period = 1;
	if (alone)
		return true;
	if (!cut_plain_time(&line))
		return false;
	digits = fuzz_cut(&line, STR(" "));
	if (!is_of(digits, DIGITS) || digits.len > 9 ||
	    !str_equal(line, STR("cycles:")))
		return false;
	str_number(digits, &number);
	*period = number > 0 ? (double)number : 1;
	return true;
}

/*
 * "\t12ab main (/bin/cc)"; where the module is not printed, the address fills
 * its columns, and may be alone.
 */
static bool
is_plain_frame(struct str line)
{
	const size_t end = sizeof("\t0123456789abcdef") - 1;

	if (line.len >= end && line.data[0] == '\t' &&
	    is_of(str_between(line, 1, end), DIGITS "abcdef") &&
	    (line.len == end || (line.data[end] == ' ' &&
	    is_of(str_skip(line, end + 1), LETTERS))))
		return true;
	return fuzz_cut(&line, STR("\t")).len == 0 &&
	    is_of(fuzz_cut(&line, STR(" ")), DIGITS "abcdef") &&
	    is_of(fuzz_cut(&line, STR(" (")), LETTERS) &&
	    is_of(fuzz_cut(&line, STR(")")), LETTERS "/") && line.len == 0;
}

/*
 * The periods of samples, all of which are plain; else false.  Frames after an
 * empty line that ends no sample are a sample of their own.
 */
static bool
sum_plain(struct str input, double *sum)
{
	double period = 0;
	bool in_sample = false, may_begin = false;
	struct str line;

	for (*sum = 0; input.len > 0;) {
		line = fuzz_line(&input);
		if (line.len == 0) {
			*sum += in_sample ? period : 0;
			may_begin = !in_sample;
			in_sample = false;
		} else if (!in_sample && is_plain_event(line, &period))
			in_sample = true;
		else if (may_begin && is_plain_frame(line)) {
			in_sample = true;
			period = 1;
		} else if (!in_sample || !is_plain_frame(line))
			return false;
		may_begin &= !in_sample;
	}
	return true;
}

/* True if it is known as folded text by its frames. */
static bool
has_frames(struct str folded)
{
	return str_find(folded, ';') < folded.len;
}

static bool
has_events(struct str text)
{
	while (text.len > 0)
		if (kind_is_event(fuzz_line(&text)))
			return true;
	return false;
}

/*
 * Requires that lines of a stack and one count are added, each of them, and
 * without a message.  Without frames, where the first one is indented, or one
 * holds a time, they may be perf script's.
 */
static void
check_folded(struct str text)
{
	struct words words = { 0 };
	struct result result;
	double sum;

	if (!fuzz_plain_sum(text, &sum) || !str_ends(text, STR("\n")) ||
	    !has_frames(text) || is_blank(text.data[0]) || has_events(text))
		return;
	fuzz_write("text", text);
	words_add(&words, "text");
	result = fuzz_run(stackcollapse_perf_main, &words);
	require(result.status == 0 && result.err.len == 0,
	    "folded text is taken");
	require(fuzz_folded_sum(result.out) == sum, "folded text is added");
}

void
fuzz_perf(struct str input)
{
	struct words chosen = { 0 };
	struct text text = { 0 };
	struct result one, parts;
	double sum, plain;
	bool is_plain;

	words_add_chosen(&chosen, &input, options);
	text_add(&text, input);
	/*
	 * No sample goes on in a second copy, or begins before it, unless these
	 * are source lines.
	 */
	text_add(&text, STR("\n\n"));
	is_plain = sum_plain(text_str(&text), &plain);
	text_add(&text, STR("#\n"));
	fuzz_write("in", text_str(&text));
	fuzz_short_reads = 0;
	one = fold(&chosen, NULL);
	sum = fuzz_folded_sum(one.out);
	/* gaps are no samples; plain ones have no fields and no source lines */
	if (words_have(&chosen, "--gaps=5"))
		return;
	is_plain &= !words_have(&chosen, "--weight=n") &&
	    !words_have(&chosen, "--srcline");
	/* commands alone may be any text */
	if (is_plain && (one.status == 0 || sum > 0))
		require(sum == plain || (sum < plain && has_any(&chosen, selections)),
		    "all periods are counted");
	/* a run maps 2 MB: not all for every input */
	if (input.len % 3 == 1 && !words_have(&chosen, "--srcline") &&
	    !has_any(&chosen, waits))
		require(fuzz_folded_sum(fold(&chosen, "in").out) ==
		    2 * sum || sum > 1e15,
		    "twice the input has twice the counts");
	if (input.len % 3 == 2 && is_plain && has_frames(one.out)) {
		fuzz_write("folded", one.out);
		require(fuzz_folded_sum(fold(&chosen, "folded").out) == 2 * sum, "what was folded is added");
	}
	if (input.len % 3 > 0)
		return;
	check_folded(input);
	fuzz_short_reads = 1 + input.len / 9;
	parts = fold(&chosen, NULL);
	require(fuzz_same(&parts, &one), "short reads change nothing");
}
