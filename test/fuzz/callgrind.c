/*
 * The input is text, perhaps callgrind's.  Folded twice, it costs twice as
 * much; small reads, and lines that end in CR LF, change nothing.
 *
 * Or it is a 'G' and a call graph of functions a to p, three bytes for each
 * cost: of a function, or of a call.  Then the stacks that end with a function
 * add up to what it has cost, and no stack has a function twice.
 */
#include "fold/sniff.h"
#include "fuzz.h"

#define FUNCTIONS	16

static struct result
fold(const char *second)
{
	struct words words = { 0 };

	words_add(&words, "in");
	if (second != NULL)
		words_add(&words, second);
	return fuzz_run(collapse_callgrind_main, &words);
}

/*
 * True for text in which a CR before each line end tells nothing.  An archive's
 * first line is text, too.
 */
static bool
is_text(struct str input)
{
	size_t i;

	if (sniff_refusal(input) != NULL)
		return false;
	for (i = 0; i < input.len; i++)
		if (input.data[i] == '\r' || is_control(input.data[i]))
			if (input.data[i] != '\n')
				return false;
	return true;
}

static void
check_text(struct str input)
{
	struct text text = { 0 };
	struct result one, two;
	double sum;
	size_t i;

	fuzz_write("in", input);
	one = fold(NULL);
	sum = fuzz_folded_sum(one.out);
	require(sum > 1e15 || fuzz_folded_sum(fold("in").out) == 2 * sum,
	    "twice the input costs twice as much");
	fuzz_short_reads = 1 + input.len / 9;
	two = fold(NULL);
	fuzz_short_reads = 0;
	require(two.status == one.status && str_equal(two.out, one.out) &&
	    str_equal(two.err, one.err), "small reads change nothing");
	if (!is_text(input))
		return;
	for (i = 0; i < input.len; i++) {
		if (input.data[i] == '\n')
			text_add_char(&text, '\r');
		text_add_char(&text, input.data[i]);
	}
	fuzz_write("in", text_str(&text));
	two = fold(NULL);
	require(two.status == one.status && str_equal(two.out, one.out) &&
	    str_equal(two.err, one.err), "CR LF changes nothing");
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

static void
check_graph(struct str graph)
{
	unsigned long long costs[FUNCTIONS] = { 0 }, count;
	struct str out, line, stack;
	unsigned seen, bit;
	size_t i;

	write_graph(graph, costs);
	for (out = fold(NULL).out; out.len > 0;) {
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

void
fuzz_input(struct str input)
{
	if (str_starts(input, STR("G")))
		check_graph(str_skip(input, 1));
	else
		check_text(input);
}
