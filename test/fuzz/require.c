/*
 * Targets require this of texts.  Any compiler takes it, so that a target of a
 * pure function needs no fuzzer to be run on its seeds.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fold/folded.h"
#include "fuzz.h"

struct str
fuzz_cut(struct str *input, struct str mark)
{
	size_t len = str_search(*input, mark);
	struct str first = str_take(*input, len);

	*input = str_skip(*input, len < input->len ? len + mark.len : len);
	return first;
}

void
require(bool is_so, const char *what)
{
	if (is_so)
		return;
	fprintf(stderr, "does not hold: %s\n", what);
	abort();
}

double
fuzz_folded_sum(struct str folded)
{
	struct str line, count;
	double sum = 0;

	require(folded.len == 0 || str_ends(folded, STR("\n")),
	    "each line has an end");
	while (folded.len > 0) {
		line = fuzz_line(&folded);
		if (str_starts(line, STR("# unit: ")))
			continue;
		count = str_skip(line, str_find_last(line, ' '));
		require(count.len > 1 && is_digit(count.data[1]),
		    "each line has a count");
		sum += folded_value(str_skip(count, 1));
	}
	return sum;
}

void
fuzz_one_count(struct str folded)
{
	struct str line, count;

	while (folded.len > 0) {
		line = fuzz_line(&folded);
		require(str_starts(line, STR("# unit: ")) ||
		    (folded_cut_count(&line, &count) &&
		    !folded_cut_count(&line, &count)),
		    "a line has one count");
	}
}

/* The length of the stack in "a;b;c 12", or 0 if the line is not so plain. */
static size_t
plain_stack(struct str line)
{
	size_t end = line.len, i;

	while (end > 0 && is_digit(line.data[end - 1]))
		end--;
	for (i = 0; i < line.len; i++)
		if (line.data[i] < ' ' || line.data[i] > '~')
			return 0;
	if (line.len - end < 1 || line.len - end > 9 || end < 2 ||
	    line.data[0] == '#' || line.data[end - 1] != ' ' ||
	    is_digit(line.data[end - 2]) || line.data[end - 2] == '.' ||
	    line.data[end - 2] == ';')
		return 0;
	return end - 1;
}

bool
fuzz_plain_sum(struct str folded, double *sum)
{
	unsigned long long number;
	struct str line;
	size_t stack;

	for (*sum = 0; folded.len > 0; *sum += (double)number) {
		line = fuzz_line(&folded);
		stack = plain_stack(line);
		if (stack == 0)
			return false;
		str_number(str_skip(line, stack + 1), &number);
	}
	return true;
}
