/*
 * stackcollapse-otlp: folds profiles of OpenTelemetry, messages of Protocol
 * Buffers of its schema v1development, whose tables are shared by all:
 *
 *	1 resource	{ 2 scope { 2 profile } }
 *	2 dictionary	{ 1 mapping, 2 location, 3 function, 5 string, 7 stack }
 *
 *	profile		{ 1 type { 1 name, 2 unit }, 2 sample }
 *	sample		{ 1 stack, 4 values, 5 times }
 *	stack		{ 1 locations }, the innermost first
 *
 * They refer to the tables by the places of entries, from 0; the first entry of
 * each is empty; locations.h has the others.  A sample counts the sum of its
 * values, or the number of its times if it has no value:
 *
 *	main;parse;read 20000000
 */
#include <stdlib.h>

#include "collapse/locations.h"
#include "fold/collapse.h"
#include "lib/message.h"

#define MOST	((size_t)INT32_MAX)	/* bytes of a message */
#define NUMBERS	64	/* values of a sample that are read at once */

static const char *type;
static struct native native = { .symfs = "" };

struct otlp {
	struct fold fold;
	struct locations locations;	/* of a file, and its other tables */
	uint32_t *numbers;	/* by stack: its number and 1; 0: none yet */
	struct text type;	/* "cpu/nanoseconds", of the first profile */
	unsigned long long others;	/* samples of other types */
	unsigned long long negative;	/* samples left out */
	unsigned long long clamped;	/* samples of the largest sum */
};

/* Finds the number of a stack of the table; false if it cannot be made. */
static bool
find_stack(struct otlp *otlp, uint64_t place, uint32_t *number)
{
	struct locations *locations = &otlp->locations;
	struct bytes message = bytes_from(locations_find(locations,
	    STACKS, place));
	struct stack *stack = &otlp->fold.stack;
	struct protobuf_field field;

	if (locations->damaged)		/* the stack is missing */
		return false;
	if (otlp->numbers[place] != 0) {
		*number = otlp->numbers[place] - 1;
		return true;
	}
	stack->depth = 0;
	while (protobuf_next(&message, &field))
		if (field.number == 1 &&
		    !locations_push(locations, &field, stack))
			return false;
	locations->damaged |= message.failed;
	if (locations->damaged)
		return false;
	if (stack->depth == 0)
		fold_frame(&otlp->fold, STR("[unknown]"));
	if (!locations_take(locations, stack))
		return false;
	*number = fold_number(&otlp->fold);
	otlp->numbers[place] = *number + 1;
	return true;
}

/* A sample that is being read. */
struct sample {
	uint64_t stack;
	int64_t sum;
	size_t values, times;
};

static void
add_values(struct sample *sample, struct protobuf_field *field)
{
	uint64_t numbers[NUMBERS];
	size_t count, i;
	int64_t value;

	while ((count = protobuf_numbers(field, numbers, NUMBERS)) > 0)
		for (i = 0; i < count; i++) {
			value = (int64_t)numbers[i];
			sample->values++;
			if (value > 0 && sample->sum > INT64_MAX - value)
				sample->sum = INT64_MAX;
			else if (value < 0 && sample->sum < INT64_MIN - value)
				sample->sum = INT64_MIN;
			else
				sample->sum += value;
		}
}

static void
fold_sample(struct otlp *otlp, struct str message)
{
	struct bytes reader = bytes_from(message);
	struct locations *locations = &otlp->locations;
	struct sample sample = { 0 };
	struct protobuf_field field;
	uint32_t number;

	while (protobuf_next(&reader, &field))
		if (field.number == 1)
			sample.stack = field.value;
		else if (field.number == 4) {
			add_values(&sample, &field);
			locations->damaged |= field.bytes.failed;
		} else if (field.number == 5)
			sample.times += field.type == PROTOBUF_BYTES ?
			    protobuf_text(&field).len / 8 : 1;
	locations->damaged |= reader.failed;
	if (sample.values == 0)
		sample.sum = (int64_t)sample.times;
	otlp->negative += sample.sum < 0;
	otlp->clamped += sample.sum == INT64_MAX;
	if (sample.sum > 0 && !locations->damaged &&
	    find_stack(otlp, sample.stack, &number))
		fold_count_number(&otlp->fold, number,
		    (unsigned long long)sample.sum);
}

/* True if a profile's samples are to be counted, by their type. */
static bool
is_wanted(struct otlp *otlp, struct str profile)
{
	struct bytes reader = bytes_from(profile);
	struct locations *locations = &otlp->locations;
	struct text *found = &otlp->fold.name;
	struct protobuf_field field;
	uint64_t values[3] = { 0 };
	struct str name;

	while (protobuf_next(&reader, &field))
		if (field.number == 1)
			locations->damaged |= !protobuf_values(
			    protobuf_text(&field), values, 3);
	name = locations_find(locations, STRINGS, values[1]);
	found->len = 0;
	text_add(found, name);
	text_add_char(found, '/');
	text_add(found, locations_find(locations, STRINGS, values[2]));
	if (type != NULL && !str_equal(name, str_from(type)))
		return false;
	if (otlp->type.len == 0)
		text_add(&otlp->type, text_str(found));
	return str_equal(text_str(&otlp->type), text_str(found));
}

/* Folds the samples within a message of this depth; 3 is a profile. */
static void
fold_level(struct otlp *otlp, struct str message, int level)
{
	/* a resource is in the whole, then a scope, a profile, a sample */
	static const unsigned numbers[] = { 1, 2, 2, 2 };
	struct locations *locations = &otlp->locations;
	struct bytes reader = bytes_from(message);
	bool wanted = level == 3 && is_wanted(otlp, message);
	struct protobuf_field field;

	while (!locations->damaged && !locations_spent(locations) &&
	    protobuf_next(&reader, &field)) {
		if (field.number != numbers[level])
			continue;
		if (level < 3)
			fold_level(otlp, protobuf_text(&field), level + 1);
		else if (wanted)
			fold_sample(otlp, protobuf_text(&field));
		else
			otlp->others++;
	}
	locations->damaged |= reader.failed;
}

/* Reads the tables of the dictionary; false if the message is no profile. */
static bool
read_tables(struct locations *locations, struct str message)
{
	struct bytes reader = bytes_from(message), dictionary;
	struct protobuf_field field;

	while (protobuf_next(&reader, &field)) {
		if (field.type != PROTOBUF_BYTES || field.number > 2)
			return false;
		if (field.number != 2)
			continue;
		dictionary = bytes_from(protobuf_text(&field));
		while (protobuf_next(&dictionary, &field))
			if (field.number < TABLES &&
			    field.type == PROTOBUF_BYTES)
				locations_add(locations, (int)field.number,
				    protobuf_text(&field));
		locations->damaged |= dictionary.failed;
	}
	return !reader.failed && locations->tables[STRINGS].count > 0;
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct otlp *otlp = (struct otlp *)fold;
	struct locations *locations = &otlp->locations;
	const char *reason = NULL;
	struct str message;
	bool good;

	if (!content_all(content, &message, MOST))
		return content->trouble;
	*locations = (struct locations){
		.namer = &fold->namer, .native = &native
	};
	good = read_tables(locations, message);
	if (!good && kind_find(message, true) != &kinds[KIND_OTLP]) {
		locations_free(locations);
		return fold_reason(fold, "it is not a profile of "
		    "OpenTelemetry; it looks like %s", kind_looks(message));
	}
	locations->damaged |= !good;
	locations_begin(locations, message.len, content->packed);
	otlp->numbers = mem_array(locations->tables[STACKS].count + 1,
	    sizeof(*otlp->numbers));
	fold_level(otlp, message, 0);
	free(otlp->numbers);
	if (locations_spent(locations))
		reason = "its stacks add up to far more than its size";
	else if (locations->damaged)
		reason = "it is damaged: a message is cut short, or refers to "
		    "a missing one";
	locations_free(locations);
	return reason;
}

static void
report(struct fold *fold)
{
	const struct otlp *otlp = (const struct otlp *)fold;

	if (otlp->others > 0)
		message_warn("samples of other types than %s, left out: %llu",
		    type != NULL ? type : "the first profile's", otlp->others);
	fold_report_lost(fold, "samples with a negative value, left out",
	    otlp->negative);
	fold_report_lost(fold, "samples whose values add up to more than "
	    "2^63 - 1, counted as that", otlp->clamped);
	native_report(&native);
}

static const struct option options[] = {
	{ "type", OPTION_TEXT, &type, "NAME",
	    "count the samples of this type, as cpu (default: that\n"
	    "of the first profile)" },
	NATIVE_OPTIONS(native),
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_OTLP], .size = sizeof(struct otlp),
	.file = fold_file, .report = report,
	.nothing = "no sample has a value",
	.options = options, .adds_folded = true,
};
