/*
 * Reads tracing data from the file that is its argument, and then questions
 * about the tracepoints in it:
 *
 *	name ID				the system, and the event
 *	field ID NAME			where a field is
 *	number ID NAME HEX		what it says in raw data
 *	flags ID NAME LETTERS		the bits that are printed so
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "perf/data/formats.h"
#include "unit.h"

static struct str
cut_word(struct str *line)
{
	struct str word = str_take(*line, str_find(*line, ' '));

	*line = str_skip(*line, word.len + (word.len < line->len));
	return word;
}

static void
print_field(const struct raw_field *field)
{
	printf("%s of %lu at %lu%s%s", field->is_number ? "number" : "other",
	    (unsigned long)field->size, (unsigned long)field->offset,
	    field->is_signed ? ", signed" : "",
	    field->is_big ? ", big" : "");
}

static void
print_number(const struct raw_field *field, struct str hex)
{
	struct str raw = unit_bytes(hex);
	int64_t number;

	if (field_number(field, raw, &number))
		printf("%" PRId64, number);
	else
		fputs("no number", stdout);
	free((char *)raw.data);
}

static void
answer(const struct formats *formats, struct str line)
{
	struct str what = cut_word(&line), name;
	unsigned long long id = 0;
	struct raw_field field;
	struct tracepoint tracepoint;
	const char *trouble;

	str_number(cut_word(&line), &id);
	tracepoint = *formats_find(formats, id);
	name = cut_word(&line);
	if (str_equal(what, STR("name"))) {
		unit_print(tracepoint.system, ":");
		unit_print(tracepoint.name, "");
		return;
	}
	if (str_equal(what, STR("flags"))) {
		printf("%" PRIx64, tracepoint_flags(&tracepoint, name, line));
		return;
	}
	trouble = tracepoint_field(&tracepoint, name, &field);
	if (trouble != NULL)
		fputs(trouble, stdout);
	else if (str_equal(what, STR("field")))
		print_field(&field);
	else
		print_number(&field, line);
}

int
formats_main(int argc, char **argv)
{
	struct formats formats = { 0 };
	struct str line, data;
	FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;

	if (in == NULL)
		return 2;
	data = unit_all(in);
	formats_add(&formats, data);
	free((char *)data.data);
	for (; unit_line(&line); putchar('\n'))
		answer(&formats, line);
	formats_free(&formats);
	return 0;
}
