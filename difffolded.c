/*
 * difffolded: puts the counts of two folded files side by side.
 *
 *	before.folded		after.folded		printed
 *	main;parse 31		main;parse 33		main;parse 31 33
 *	main;read 2		main;write 4		main;read 2 0
 *							main;write 0 4
 *
 * Numbers are Perl's: integers are exact up to 2^64 - 1, others are doubles.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "fold/folded.h"
#include "fold/foldedlines.h"
#include "lib/input.h"
#include "lib/message.h"
#include "lib/options.h"
#include "lib/output.h"
#include "lib/progress.h"
#include "lib/sort.h"
#include "lib/table.h"
#include "lib/text.h"

#define EXACT	9007199254740992.0	/* 2^53: doubles below have ones */

static bool normalize;
static bool fractions;
static bool strip_hex;

/* A count, or a sum of them; it begins as { 0 }. */
struct number {
	unsigned long long whole;
	double real;			/* the value, unless it is 0 */
};

/* The counts of a stack in both files. */
struct pair {
	struct number of[2];
};

/*
 * Files are mostly in byte order, and mostly have the same stacks.  So stacks
 * are kept in that order, and only stacks out of order go into a table.  Twice
 * 29 MB take 15 MB; all in a table, they would take 39, and 1.7 times as long.
 */
struct diff {
	struct sorted stacks;
	struct table strays;		/* each before the last of stacks */
	struct pair *counts, *stray_counts;
	size_t room, stray_room;
	uint32_t different;		/* stacks, in both */
	size_t lines;			/* read so far, of both */
	struct sorted_cursor at;	/* before the stack that may be next */
	struct number totals[2];
	const char *empty[2];		/* files without lines, or NULL */
	struct folded_unit unit;
	struct text stripped;		/* a stack without its addresses */
	bool failed;			/* a file could not be read */
	bool is_cut;			/* a file ends inside a line, */
	bool lost;			/* which is left out */
};

static bool
is_real(struct number number)
{
	return number.real > 0;
}

static double
real_value(struct number number)
{
	return is_real(number) ? number.real : (double)number.whole;
}

/* Returns a double as an integer if that loses no bit. */
static struct number
real_number(double real)
{
	if (!isfinite(real))
		message_fail("the counts add up to more than a double holds");
	if (real < EXACT && floor(real) == real)
		return (struct number){ .whole = (unsigned long long)real };
	return (struct number){ .real = real };
}

static struct number
add(struct number a, struct number b)
{
	if (is_real(a) || is_real(b) || a.whole > ULLONG_MAX - b.whole)
		return real_number(real_value(a) + real_value(b));
	return (struct number){ .whole = a.whole + b.whole };
}

static struct number
multiply(struct number a, struct number b)
{
	if (is_real(a) || is_real(b) ||
	    (b.whole > 0 && a.whole > ULLONG_MAX / b.whole))
		return real_number(real_value(a) * real_value(b));
	return (struct number){ .whole = a.whole * b.whole };
}

static struct number
divide(struct number a, struct number b)
{
	if (is_real(a) || is_real(b) || a.whole % b.whole != 0)
		return real_number(real_value(a) / real_value(b));
	return (struct number){ .whole = a.whole / b.whole };
}

static bool
is_equal(struct number a, struct number b)
{
	return is_real(a) || is_real(b) ?
	    real_value(a) == real_value(b) : a.whole == b.whole;
}

/*
 * Makes "main;0x...;read" of "main;0x7f1b;read": addresses differ in each run.
 */
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

static struct pair *
find_counts(struct diff *diff, struct str stack)
{
	size_t at;

	if (sorted_is_next(&diff->stacks, &diff->at, stack)) {
		sorted_next(&diff->stacks, &diff->at);
		return &diff->counts[diff->at.next - 1];
	}
	at = sorted_add(&diff->stacks, stack);
	if (at != SORTED_NONE) {
		if (at >= diff->room)
			diff->counts = mem_grow_zero(diff->counts, &diff->room,
			    at + 1, sizeof(*diff->counts));
		return &diff->counts[at];
	}
	if (sorted_find(&diff->stacks, stack, &diff->at))
		return &diff->counts[diff->at.next - 1];
	at = table_add(&diff->strays, stack);
	if (at >= diff->stray_room)
		diff->stray_counts = mem_grow_zero(diff->stray_counts,
		    &diff->stray_room, at + 1, sizeof(*diff->stray_counts));
	return &diff->stray_counts[at];
}

static void
count(struct diff *diff, int file, struct str stack, struct number number)
{
	struct number *counted;

	if (strip_hex)
		stack = without_addresses(diff, stack);
	counted = &find_counts(diff, stack)->of[file];
	*counted = add(*counted, number);
	diff->totals[file] = add(diff->totals[file], number);
	diff->different = (uint32_t)diff->stacks.count + diff->strays.count;
}

static void
read_file(struct diff *diff, int file, const char *const *all)
{
	const char *const operands[] = { all[file], NULL };
	struct input input;
	struct file_counts lines = { 0 };
	struct per_file files = { .all = &lines, .operands = all };
	struct number number;
	struct str line, digits;
	size_t first_odd = 0;
	bool counts;

	input_init(&input, operands);
	input_examine(&input, per_file_examine, &files);
	diff->at.next = 0;
	for (; input_line(&input, &line); diff->lines++) {
		if (str_starts(line, STR("# "))) {
			folded_note_unit(&diff->unit, line);
			continue;
		}
		counts = folded_cut_count(&line, &digits);
		if (counts) {
			number.real = 0;
			if (str_find(digits, '.') < digits.len ||
			    !str_number(digits, &number.whole))
				number = real_number(folded_value(digits));
			count(diff, file, line, number);
			lines.samples++;
		} else if (lines.odd++ == 0)
			first_odd = input.line;
		if (input_line_is_cut(&input)) {
			folded_tell_cut(&input, counts);
			diff->is_cut = true;
			diff->lost |= !counts;
		}
	}
	per_file_begin(&files, NULL);
	if (lines.odd > 0 && lines.samples > 0)
		message_warn("%s: lines without a count, left out: %zu, the "
		    "first is line %zu", input.name, lines.odd, first_odd);
	else if (lines.odd > 0)
		input.failed |= per_file_report(&files, "stack");
	if (input.line == 0 && !input.failed)
		diff->empty[file] = input.name;
	diff->failed |= input.failed;
}

/* Scales counts of the first file to the total of the second one. */
static void
scale(const struct diff *diff, struct pair *pairs, size_t count)
{
	struct number *first;
	size_t i;

	for (i = 0; i < count; i++) {
		first = &pairs[i].of[0];
		*first = divide(multiply(*first, diff->totals[1]),
		    diff->totals[0]);
		if (!fractions && is_real(*first) &&
		    first->real < (double)ULLONG_MAX)
			*first = (struct number){
			    .whole = (unsigned long long)first->real };
	}
}

static void
print_line(struct text *text, struct str stack, const struct pair *counts)
{
	int file;

	output_drain(text, stdout);
	text_add(text, stack);
	for (file = 0; file < 2; file++) {
		text_add_char(text, ' ');
		if (is_real(counts->of[file]))
			folded_add_value(text, counts->of[file].real);
		else
			text_add_number(text, counts->of[file].whole);
	}
	text_add_char(text, '\n');
}

/*
 * Prints all; no stray comes after the last of the stacks.  The last line ends
 * in a newline if both files do, so that truncation is passed on.
 */
static void
print(const struct diff *diff)
{
	const struct table *strays = &diff->strays;
	uint32_t *order = table_order(strays), i = 0;
	struct sorted_cursor at = { 0 };
	struct text text = { 0 };

	if (folded_unit_name(&diff->unit) != NULL)
		text_add_format(&text, "# unit: %s\n", diff->unit.name);
	while (sorted_next(&diff->stacks, &at)) {
		for (; i < strays->count && str_compare(strays->keys[order[i]],
		    text_str(&at.text)) < 0; i++)
			print_line(&text, strays->keys[order[i]],
			    &diff->stray_counts[order[i]]);
		print_line(&text, text_str(&at.text),
		    &diff->counts[at.next - 1]);
	}
	if (diff->is_cut && text.len > 0)
		text.len--;
	output_flush(&text, stdout);
}

static const struct option options[] = {
	{ "n", OPTION_FLAG, &normalize, NULL,
	    "scale the first file's counts to the total of the second" },
	{ "f", OPTION_FLAG, &fractions, NULL,
	    "with -n: keep fractions, and so small stacks" },
	{ "s", OPTION_FLAG, &strip_hex, NULL,
	    "see all addresses, 0x7f1b, as one, 0x..." },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[-fhnqs] before.folded after.folded | flamegraph > diff.svg", NULL,
	options
};

int
main(int argc, char **argv)
{
	static struct diff diff;
	const char *const *files = options_parse_flags(&usage, argv);
	int file;

	(void)argc;
	if (files[0] == NULL || files[1] == NULL || files[2] != NULL)
		options_reject("two files are needed, after the options");
	if (strcmp(files[0], "-") == 0 && strcmp(files[1], "-") == 0)
		options_reject("only one of the files can be standard input");
	if (fractions && !normalize)
		options_reject("-f needs -n");
	progress_start(options_program(argv), files, "lines");
	progress_watch(&diff.lines, &diff.different);
	read_file(&diff, 0, files);
	read_file(&diff, 1, files);
	if (diff.failed)
		return output_close(1);
	if (normalize && !is_equal(diff.totals[0], diff.totals[1])) {
		if (is_equal(diff.totals[0], (struct number){ 0 }))
			message_fail("%s: there are no counts to scale",
			    files[0]);
		scale(&diff, diff.counts, diff.stacks.count);
		scale(&diff, diff.stray_counts, diff.strays.count);
	}
	/* all stacks are new then, or gone */
	for (file = 0; file < 2; file++)
		if (diff.empty[file] != NULL)
			message_warn("%s: it is empty", diff.empty[file]);
	print(&diff);
	return output_close(diff.lost ? 1 : 0);
}
