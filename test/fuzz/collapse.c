/*
 * The programs of collapse/.  Whatever their input is, they print folded stacks
 * or a reason not to, the same if it comes in small pieces; and of two files
 * twice the counts.  The input of most begins with a line of letters that
 * choose options.
 */
#include "fold/kind.h"
#include "fuzz.h"

#define FUNCTIONS	16	/* of a call graph */

typedef int program(int argc, char **argv);

/* Folds a file, and again in pieces. */
static struct result
fold(program *program, const struct words *words, struct str content)
{
	struct result one, pieces;

	fuzz_write("in", content);
	one = fuzz_run_on(program, words, "in", NULL);
	require(one.status == 0 || one.err.len > 0, "a refusal has a reason");
	fuzz_folded_sum(one.out);
	fuzz_short_reads = 1 + content.len / 9;
	pieces = fuzz_run_on(program, words, "in", NULL);
	fuzz_short_reads = 0;
	require(fuzz_same(&pieces, &one), "pieces are the whole");
	return one;
}

static struct result
fold_twice(program *program, const struct words *words, struct str content)
{
	struct result one = fold(program, words, content), two;
	double sum = fuzz_folded_sum(one.out);

	two = fuzz_run_on(program, words, "in", "in");
	require(sum > EXACT / 4 || fuzz_folded_sum(two.out) == 2 * sum,
	    "twice the input has twice the counts");
	return one;
}

static void
fold_chosen(program *program, const char *always, const char *const *options,
    struct str input)
{
	struct words words = { 0 };

	if (always != NULL)
		words_add(&words, always);
	words_add_chosen(&words, &input, options);
	fuzz_one_count(fold_twice(program, &words, input).out);
}

/* TARGET(NAME, an option that is always given or NULL, options ...) */
#define TARGET(name, always, ...) \
	int collapse_##name##_main(int argc, char **argv); \
	void \
	fuzz_##name(struct str input) \
	{ \
		static const char *const options[] = { __VA_ARGS__, NULL }; \
		fold_chosen(collapse_##name##_main, always, options, input); \
	}

TARGET(cpuprofile, NULL, "--lines", "--samples", "--in-order")
TARGET(firefox, "--symfs=missing", "--pid", "--tid", "--no-inline", "--lines",
    "--addrs")
TARGET(ghcprof, NULL, "--alloc", "--lines")
TARGET(heap, "--symfs=missing", "--alloc", "--objects", "--allocators",
    "--lines", "--addrs")
TARGET(otlp, "--symfs=missing", "--no-inline", "--lines", "--addrs",
    "--type=samples")
TARGET(pprof, "--symfs=missing", "--type=cpu", "--label=k", "--label=request",
    "--no-inline", "--lines", "--addrs")
TARGET(speedscope, NULL, "--lines", "--in-order")
TARGET(trace, NULL, "--detail", "--events", "--lines", "--pid", "--tid",
    "--in-order")

/* Programs that read text, and an option of each. */
#define TEXTS(X) \
	X(bpftrace, "--no-offsets") X(gdb, "--quiet") \
	X(jstack, "--shorten-pkgs") X(sample, "--no-modules") \
	X(stap, "--quiet") X(vtune, "--size") \
	X(xctrace, "--quiet")
#define DECLARE(name, option)	int collapse_##name##_main(int, char **);
#define ROW(name, option)	{ collapse_##name##_main, option },

TEXTS(DECLARE)

/* The first line is a letter for a program, and another for its option. */
void
fuzz_texts(struct str input)
{
	static const struct {
		program *main;
		const char *option;
	} rows[] = { TEXTS(ROW) };
	struct str choice = fuzz_line(&input);
	size_t number = choice.len == 0 ? 0 : (size_t)(unsigned char)
	    choice.data[0] % (sizeof(rows) / sizeof(*rows));
	struct words words = { 0 };
	struct result result;

	if (choice.len > 1)
		words_add(&words, rows[number].option);
	result = fold(rows[number].main, &words, input);
	fuzz_one_count(result.out);
	require(result.status <= 1, "it ends well");
	kind_find(input, true);
	kind_find(input, false);
}

/* A file, perhaps cProfile's. */
void
fuzz_cprofile(struct str input)
{
	struct words words = { 0 };
	struct result times, calls;

	times = fold_twice(collapse_cprofile_main, &words, input);
	calls = fuzz_run_on(collapse_cprofile_main, &words, "--calls", "in");
	require(times.status != 0 || calls.status == 0 || calls.out.len == 0,
	    "calls are counted where times are");
	fuzz_run_on(collapse_cprofile_main, &words, "--paths", "in");
}

/*
 * True for text where a CR before each line end changes nothing.  An archive's
 * first line is text, too.
 */
static bool
is_text(struct str input)
{
	size_t i;

	if (kind_refusal(input) != NULL)
		return false;
	for (i = 0; i < input.len; i++)
		if (input.data[i] == '\r' || is_control(input.data[i]))
			if (input.data[i] != '\n')
				return false;
	return true;
}

/* Writes a graph, and stores what each function has cost itself. */
static void
write_graph(struct str graph, unsigned long long *costs)
{
	struct text text = { 0 };
	unsigned char from, to, cost;

	text_add(&text, STR("events: Ir\n"));
	for (; graph.len >= 3; graph = str_skip(graph, 3)) {
		from = (unsigned char)graph.data[0] % FUNCTIONS;
		to = (unsigned char)graph.data[1] % FUNCTIONS;
		cost = (unsigned char)graph.data[2];
		text_add_format(&text, "fn=%c\n", 'a' + from);
		if (from == to)
			costs[from] += cost;
		else
			text_add_format(&text, "cfn=%c\ncalls=1 1\n", 'a' + to);
		text_add_format(&text, "1 %d\n", cost);
	}
	fuzz_write("in", text_str(&text));
}

/*
 * A call graph of functions a to p, three bytes for each cost: of a function,
 * or of a call.  A function's self cost is the sum of the stacks that end with
 * it.  No stack has a function twice.
 */
static void
check_graph(struct str graph)
{
	unsigned long long costs[FUNCTIONS] = { 0 }, count;
	struct words none = { 0 };
	struct str out, line, stack;
	unsigned seen, bit;
	size_t i;

	write_graph(graph, costs);
	out = fuzz_run_on(collapse_callgrind_main, &none, "in", NULL).out;
	while (out.len > 0) {
		line = fuzz_line(&out);
		stack = str_take(line, str_find(line, ' '));
		for (i = 0, seen = 0; i < stack.len; i += 2, seen |= bit) {
			bit = 1u << (stack.data[i] - 'a');
			require((seen & bit) == 0, "a function is there once");
		}
		str_number(str_skip(line, stack.len + 1), &count);
		require(count > 0, "a stack has a cost");
		costs[stack.data[stack.len - 1] - 'a'] -= count;
	}
	for (i = 0; i < FUNCTIONS; i++)
		require(costs[i] == 0, "a function keeps its cost");
}

/* Text, perhaps callgrind's; or a 'G' and a call graph. */
void
fuzz_callgrind(struct str input)
{
	struct words none = { 0 };
	struct text text = { 0 };
	struct result one, other;
	size_t i;

	if (str_starts(input, STR("G"))) {
		check_graph(str_skip(input, 1));
		return;
	}
	one = fold_twice(collapse_callgrind_main, &none, input);
	if (!is_text(input))
		return;
	for (i = 0; i < input.len; i++) {
		if (input.data[i] == '\n')
			text_add_char(&text, '\r');
		text_add_char(&text, input.data[i]);
	}
	fuzz_write("in", text_str(&text));
	other = fuzz_run_on(collapse_callgrind_main, &none, "in", NULL);
	require(fuzz_same(&other, &one), "CR LF changes nothing");
}

/* Folded stacks.  What is made of plain ones is not changed again. */
int collapse_recursive_main(int argc, char **argv);
void
fuzz_recursive(struct str input)
{
	static const char *const options[] = { "--all", "--quiet", NULL };
	struct words words = { 0 };
	struct result one, again;
	double sum;

	words_add_chosen(&words, &input, options);
	one = fold(collapse_recursive_main, &words, input);
	if (!fuzz_plain_sum(one.out, &sum) || one.out.len == 0)
		return;
	fuzz_write("folded", one.out);
	again = fuzz_run_on(collapse_recursive_main, &words, "folded", NULL);
	require(again.status == 0 && str_equal(again.out, one.out),
	    "no frame repeats in what is printed");
}

/* A flame graph.  What it folds to, if it is plain, is drawn and comes back. */
int collapse_svg_main(int argc, char **argv);
void
fuzz_svg(struct str input)
{
	static const char *const options[] = { "--reverse", "--quiet", NULL };
	struct words words = { 0 }, none = { 0 };
	struct result one, drawn, again;
	double sum;

	words_add_chosen(&words, &input, options);
	one = fold(collapse_svg_main, &words, input);
	/* A picture has no marks. */
	if (!fuzz_plain_sum(one.out, &sum) || sum == 0 ||
	    str_contains(one.out, STR("_[")))
		return;
	fuzz_write("folded", one.out);
	drawn = fuzz_run_on(flamegraph_main, &none, "--minwidth=0", "folded");
	if (drawn.status != 0)
		return;
	fuzz_write("drawn", drawn.out);
	again = fuzz_run_on(collapse_svg_main, &none, "drawn", NULL);
	require(again.status == 0 && str_equal(again.out, one.out),
	    "a picture folds to its stacks");
}
