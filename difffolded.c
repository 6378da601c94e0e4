/*
 * difffolded: puts the counts of two folded files side by side.
 *
 *	before.folded		after.folded		printed
 *	main;parse 31		main;parse 33		main;parse 31 33
 *	main;read 2		main;write 4		main;read 2 0
 *							main;write 0 4
 *
 * Numbers are what they are in Perl: whole ones exact up to 2^64 - 1, others
 * doubles.
 */
#include <err.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/folded.h"
#include "lib/guess.h"
#include "lib/input.h"
#include "lib/options.h"
#include "lib/output.h"
#include "lib/progress.h"
#include "lib/table.h"
#include "lib/text.h"

#define EXACT	9007199254740992.0	/* 2^53: below, a double has its ones */

static bool normalize;
static bool strip_hex;

/* A count, or a sum of them; it begins as { 0 }. */
struct number {
	bool fractional;		/* the value is in `real` */
	unsigned long long whole;
	double real;
};

struct diff {
	struct table stacks;
	struct number (*counts)[2];	/* of each stack, in each file */
	size_t room;
	uint32_t next;			/* the stack that may come next */
	struct number totals[2];
	struct text stripped;		/* a stack without its addresses */
	bool failed;			/* a file could not be read */
};

/* What could not be understood of a file. */
struct odd {
	size_t lines, first;
	struct text example;
};

static double
real_value(struct number number)
{
	return number.fractional ? number.real : (double)number.whole;
}

/* What a double holds: a whole number where that loses no bit. */
static struct number
real_number(double real)
{
	if (!isfinite(real))
		errx(1, "the counts add up to more than a double holds");
	if (real < EXACT && floor(real) == real)
		return (struct number){ .whole = (unsigned long long)real };
	return (struct number){ .fractional = true, .real = real };
}

static struct number
parse_number(struct str digits)
{
	struct number number = { 0 };

	if (str_find(digits, '.') < digits.len ||
	    !str_number(digits, &number.whole))
		return real_number(folded_value(digits));
	return number;
}

static struct number
add(struct number a, struct number b)
{
	if (a.fractional || b.fractional || a.whole > ULLONG_MAX - b.whole)
		return real_number(real_value(a) + real_value(b));
	return (struct number){ .whole = a.whole + b.whole };
}

static struct number
multiply(struct number a, struct number b)
{
	if (a.fractional || b.fractional ||
	    (b.whole > 0 && a.whole > ULLONG_MAX / b.whole))
		return real_number(real_value(a) * real_value(b));
	return (struct number){ .whole = a.whole * b.whole };
}

static struct number
divide(struct number a, struct number b)
{
	if (a.fractional || b.fractional || a.whole % b.whole != 0)
		return real_number(real_value(a) / real_value(b));
	return (struct number){ .whole = a.whole / b.whole };
}

static struct number
without_fraction(struct number number)
{
	if (number.fractional && number.real < (double)ULLONG_MAX)
		return (struct number){
		    .whole = (unsigned long long)number.real };
	return number;
}

static bool
is_equal(struct number a, struct number b)
{
	return a.fractional || b.fractional ?
	    real_value(a) == real_value(b) : a.whole == b.whole;
}

/* As Perl prints it, but never as 1e-05 or 2e+19, which no tool reads. */
static void
add_real(struct text *line, double number)
{
	size_t start = line->len;

	text_add_format(line, "%.15g", number);
	if (!str_contains(str_skip(text_str(line), start), STR("e")))
		return;
	line->len = start;
	text_add_format(line, "%.20f", number);
	while (line->data[line->len - 1] == '0')
		line->len--;
	if (line->data[line->len - 1] == '.')
		line->len--;
}

static void
add_number(struct text *line, struct number number)
{
	if (number.fractional)
		add_real(line, number.real);
	else
		text_add_number(line, number.whole);
}

/* "main;0x7f1b;read" is "main;0x...;read": addresses differ in each run. */
static struct str
without_addresses(struct diff *diff, struct str stack)
{
	const struct str start = STR("0x");
	struct text *stripped = &diff->stripped;
	size_t at, digits;

	stripped->len = 0;
	while ((at = str_search(stack, start)) < stack.len) {
		digits = at += start.len;
		text_add(stripped, str_take(stack, at));
		while (digits < stack.len && is_hex(stack.data[digits]))
			digits++;
		if (digits > at)
			text_add(stripped, STR("..."));
		stack = str_skip(stack, digits);
	}
	text_add(stripped, stack);
	return text_str(stripped);
}

/*
 * The number of a stack.  Files are mostly in order, and the second one then
 * has the stacks of the first in turn, without a search.
 */
static uint32_t
number_stack(struct diff *diff, struct str stack)
{
	uint32_t at = diff->next;

	if (at >= diff->stacks.count ||
	    !str_equal(diff->stacks.keys[at], stack))
		at = table_add(&diff->stacks, stack);
	diff->next = at + 1;
	return at;
}

static void
count(struct diff *diff, int file, struct str stack, struct number number)
{
	uint32_t before = diff->stacks.count, at;

	if (strip_hex)
		stack = without_addresses(diff, stack);
	at = number_stack(diff, stack);
	diff->counts = mem_grow(diff->counts, &diff->room, (size_t)at + 1,
	    sizeof(*diff->counts));
	if (at == before)
		memset(diff->counts[at], 0, sizeof(*diff->counts));
	diff->counts[at][file] = add(diff->counts[at][file], number);
	diff->totals[file] = add(diff->totals[file], number);
}

/* Says which lines of a file were left out, and why it is not to be used. */
static void
report(struct diff *diff, const char *name, const struct odd *odd, size_t good)
{
	if (odd->lines > 0 && good == 0) {
		warnx("%s: no line ends in a count, it looks like %s", name,
		    guess_kind(text_str(&odd->example)));
		diff->failed = true;
	} else if (odd->lines > 0)
		warnx("%s: lines without a count, left out: %lu, the first is "
		    "line %lu", name, (unsigned long)odd->lines,
		    (unsigned long)odd->first);
}

static void
read_file(struct diff *diff, int file, const char *operand)
{
	const char *const operands[] = { operand, NULL };
	struct input input;
	struct odd odd = { 0 };
	struct str line, digits;
	size_t good = 0;

	input_init(&input, operands);
	input_show(&input, NULL, &diff->stacks.count);
	while (input_line(&input, &line)) {
		if (str_starts(line, STR("# ")))
			continue;
		if (folded_cut_count(&line, &digits)) {
			count(diff, file, line, parse_number(digits));
			good++;
		} else if (odd.lines++ == 0) {
			odd.first = input.line;
			text_add(&odd.example, line);
		}
	}
	report(diff, input.name, &odd, good);
	free(odd.example.data);
	if (input.failed)
		diff->failed = true;
}

/* Scales the counts of the first file to the total of the second one. */
static void
scale(struct diff *diff, const char *name)
{
	const struct number *totals = diff->totals;
	struct number *first;
	uint32_t i;

	if (is_equal(totals[0], totals[1]))
		return;
	if (is_equal(totals[0], (struct number){ 0 }))
		errx(1, "%s: there are no counts to scale", name);
	for (i = 0; i < diff->stacks.count; i++) {
		first = &diff->counts[i][0];
		*first = without_fraction(divide(multiply(*first, totals[1]),
		    totals[0]));
	}
}

static void
print(const struct diff *diff)
{
	uint32_t *order = table_order(&diff->stacks), i;
	struct text text = { 0 };

	for (i = 0; i < diff->stacks.count; i++) {
		text_add(&text, diff->stacks.keys[order[i]]);
		text_add_char(&text, ' ');
		add_number(&text, diff->counts[order[i]][0]);
		text_add_char(&text, ' ');
		add_number(&text, diff->counts[order[i]][1]);
		text_add_char(&text, '\n');
		text_drain(&text, stdout);
	}
	text_flush(&text, stdout);
	free(text.data);
	free(order);
}

static void
end_with_usage(char **argv, int status)
{
	fprintf(status == 0 ? stdout : stderr,
	    "usage: %s [-hnqs] before.folded after.folded | "
	    "flamegraph > diff.svg\n\n"
	    "    -n  scale the first file's counts to the total of the second\n"
	    "    -q  show no progress on the terminal; also --quiet\n"
	    "    -s  see all addresses, 0x7f1b, as one, 0x...\n"
	    "    -h  print this text\n", options_program(argv));
	exit(output_close(status));
}

/* --help and --quiet are what other programs call these options. */
static void
shorten(char **argv)
{
	static char h[] = "-h", q[] = "-q";

	while (*++argv != NULL && **argv == '-' && strcmp(*argv, "--") != 0) {
		if (strcmp(*argv, "--help") == 0)
			*argv = h;
		else if (strcmp(*argv, "--quiet") == 0)
			*argv = q;
	}
}

/* Sets the options; the operands that follow them. */
static char **
parse_options(int argc, char **argv)
{
	int option;

	output_begin();
	shorten(argv);
	opterr = 0;
	/* The '+' makes glibc's getopt stop at the first operand. */
	while ((option = getopt(argc, argv, "+hnqs")) != -1)
		switch (option) {
		case 'h':
			end_with_usage(argv, 0);
			break;
		case 'n':
			normalize = true;
			break;
		case 'q':
			progress_silence();
			break;
		case 's':
			strip_hex = true;
			break;
		default:
			warnx("unknown option: -%c", optopt);
			end_with_usage(argv, 2);
		}
	return argv + optind;
}

static void
check_operands(char **argv, char **operands)
{
	if (operands[0] == NULL || operands[1] == NULL || operands[2] != NULL)
		warnx("two files are needed, after the options");
	else if (strcmp(operands[0], "-") == 0 &&
	    strcmp(operands[1], "-") == 0)
		warnx("only one of the files can be standard input");
	else
		return;
	end_with_usage(argv, 2);
}

int
main(int argc, char **argv)
{
	static struct diff diff;
	char **files = parse_options(argc, argv);

	check_operands(argv, files);
	progress_start(options_program(argv), (const char *const *)files,
	    "lines");
	table_init(&diff.stacks);
	read_file(&diff, 0, files[0]);
	read_file(&diff, 1, files[1]);
	if (diff.failed)
		return output_close(1);
	if (normalize)
		scale(&diff, files[0]);
	print(&diff);
	return output_close(0);
}
