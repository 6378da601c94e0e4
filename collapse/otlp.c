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
 *	location	{ 1 mapping, 2 address, 3 line { 1 function, 2 line } }
 *	function	{ 1 name, 3 file }
 *	mapping		{ 1 start, 3 offset, 4 file }
 *
 * Tables are referred to by the places of their entries, from 0; the first
 * entry of each is empty.  A sample counts the sum of its values, or the number
 * of its times if it has no value:
 *
 *	main;parse;read 20000000
 */
#include <stdlib.h>

#include "collapse/native.h"
#include "fold/collapse.h"
#include "fold/kind.h"
#include "lib/content.h"
#include "lib/message.h"
#include "lib/options.h"
#include "lib/protobuf.h"

/* No message of Protocol Buffers may be larger. */
#define MOST	((size_t)INT32_MAX)

#define KIND	"a profile of OpenTelemetry"

static const char *type;
static struct native native = { .symfs = "" };

/* The messages, or texts, of a table. */
struct entries {
	struct str *list;
	size_t count, room;
};

enum { MAPPINGS = 1, LOCATIONS = 2, FUNCTIONS = 3, STRINGS = 5, STACKS = 7,
	TABLES };

/* The content of a file. */
struct otlp_file {
	struct entries tables[TABLES];
	struct calls *known;	/* by location; without frames: not made yet */
	uint32_t *numbers;	/* by stack: its number and 1; 0: none yet */
	struct arena arena;
	struct text names;
	struct budget budget;	/* for names, and frames of stacks */
	bool damaged;
	size_t profiles;
};

struct otlp {
	struct fold fold;
	struct text type;	/* "cpu/nanoseconds", of the first profile */
	struct text found;	/* that of another one */
	struct text trouble;
	bool refused;		/* a file was refused */
	unsigned long long others;	/* samples of other types */
	unsigned long long negative;	/* samples, which are left out */
	unsigned long long clamped;	/* samples of the largest sum */
};

static void
begin(struct fold *fold)
{
	(void)fold;
	native_init(&native);
}

/* Returns an entry of a table, "" with damage noted if it is not there. */
static struct str
entry(struct otlp_file *file, int table, uint64_t place)
{
	if (place < file->tables[table].count)
		return file->tables[table].list[place];
	file->damaged |= place != 0;
	return STR("");
}

/* Reads up to 6 numbers of a message, by their fields. */
static void
read_numbers(struct otlp_file *file, struct str message, uint64_t numbers[7])
{
	struct protobuf reader = protobuf_from(message);
	struct protobuf_field field;

	memset(numbers, 0, 7 * sizeof(*numbers));
	while (protobuf_next(&reader, &field))
		if (field.number < 7 && field.type == PROTOBUF_VARINT)
			numbers[field.number] = field.value;
	file->damaged |= reader.bytes.failed;
}

/* True if names and stacks are far more than the file is meant to have. */
static bool
is_spent(const struct otlp_file *file)
{
	return file->budget.made > file->budget.most;
}

/*
 * Names of locations.
 */

/* Adds the name of a line's function. */
static void
add_line(struct otlp_file *file, struct str line)
{
	uint64_t numbers[7], function[7];

	read_numbers(file, line, numbers);
	read_numbers(file, entry(file, FUNCTIONS, numbers[1]), function);
	native_add_name(&file->names, entry(file, STRINGS, function[1]));
	if (native.lines)
		native_add_line(&file->names,
		    entry(file, STRINGS, function[3]), numbers[2]);
}

/*
 * Adds the names of lines, of which the innermost function comes first, then
 * those into which it was inlined.
 */
static void
add_lines(struct otlp_file *file, struct str location, size_t count)
{
	struct protobuf message = protobuf_from(location);
	struct str *lines = mem_array(count, sizeof(*lines));
	struct protobuf_field field;
	size_t i = 0, before;

	while (protobuf_next(&message, &field))
		if (field.number == 3)
			lines[i++] = protobuf_text(&field);
	while (i > 0 && !is_spent(file)) {
		before = file->names.len;
		if (file->names.len > 0)
			text_add_char(&file->names, ';');
		add_line(file, lines[--i]);
		if (i + 1 < count)
			text_add(&file->names, STR("_[i]"));
		/* any number of lines may be of one function */
		budget_take(&file->budget, file->names.len - before);
		if (native.not_inlined)
			break;
	}
	free(lines);
}

/* Adds the functions at an address, which has no line. */
static void
add_address(struct otlp_file *file, uint64_t mapping, uint64_t address)
{
	uint64_t numbers[7];
	struct str path;

	read_numbers(file, entry(file, MAPPINGS, mapping), numbers);
	path = entry(file, STRINGS, numbers[4]);
	budget_take(&file->budget, path.len);
	if (path.len == 0)
		native_add_unknown(&native, path, address, &file->names);
	else
		native_names(&native, native_file(&native, path, STR("")),
		    NATIVE_OFFSET, address - numbers[1] + numbers[3],
		    &file->names);
}

static size_t
count_lines(struct str location)
{
	struct protobuf message = protobuf_from(location);
	struct protobuf_field field;
	size_t count = 0;

	while (protobuf_next(&message, &field))
		count += field.number == 3;
	return count;
}

/* Returns the calls of a location. */
static struct calls
find_calls(struct otlp *otlp, struct otlp_file *file, uint64_t place)
{
	struct str location = entry(file, LOCATIONS, place);
	struct calls *known, calls;
	uint64_t numbers[7];
	uint32_t *frames;
	size_t lines;

	if (place >= file->tables[LOCATIONS].count)
		return (struct calls){ .count = 0 };
	known = &file->known[place];
	if (known->frames != NULL)
		return *known;
	file->names.len = 0;
	lines = count_lines(location);
	read_numbers(file, location, numbers);
	if (lines > 0)
		add_lines(file, location, lines);
	else
		add_address(file, numbers[1], numbers[2]);
	calls = namer_calls(&otlp->fold.namer, text_str(&file->names));
	frames = arena_take(&file->arena, calls.count * sizeof(*frames));
	memcpy(frames, calls.frames, calls.count * sizeof(*frames));
	*known = (struct calls){ frames, calls.count, false };
	return *known;
}

/*
 * Stacks and samples.
 */

#define NUMBERS	64

/* Makes the stack of these locations. */
static void
push_locations(struct otlp *otlp, struct otlp_file *file, struct str message)
{
	struct protobuf reader = protobuf_from(message);
	uint64_t numbers[NUMBERS];
	struct protobuf_field field;
	struct calls calls;
	size_t count, i;

	while (protobuf_next(&reader, &field)) {
		if (field.number != 1)
			continue;
		while ((count = protobuf_numbers(&field, numbers, NUMBERS)) > 0)
			for (i = 0; i < count && !is_spent(file); i++) {
				calls = find_calls(otlp, file, numbers[i]);
				calls_push(&otlp->fold.stack, calls);
				budget_take(&file->budget,
				    calls.count * sizeof(uint32_t));
			}
		file->damaged |= field.bytes.failed;
	}
	file->damaged |= reader.bytes.failed;
}

/* Finds the number of a stack of the table; false if it cannot be made. */
static bool
find_stack(struct otlp *otlp, struct otlp_file *file, uint64_t place,
    uint32_t *number)
{
	struct str message = entry(file, STACKS, place);
	bool is_entry = place < file->tables[STACKS].count;

	if (is_entry && file->numbers[place] != 0) {
		*number = file->numbers[place] - 1;
		return true;
	}
	otlp->fold.stack.depth = 0;
	push_locations(otlp, file, message);
	if (otlp->fold.stack.depth == 0)
		fold_frame(&otlp->fold, STR("[unknown]"));
	if (file->damaged || is_spent(file))
		return false;
	*number = fold_number(&otlp->fold);
	otlp->fold.stack.depth = 0;
	if (is_entry)
		file->numbers[place] = *number + 1;
	return true;
}

/* A sample as it is read. */
struct sample {
	uint64_t stack;
	int64_t sum;
	size_t values, times;
};

/* Adds values to a sum, which stops at the largest one. */
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

static struct sample
read_sample(struct otlp_file *file, struct str message)
{
	struct protobuf reader = protobuf_from(message);
	struct sample sample = { 0 };
	struct protobuf_field field;

	while (protobuf_next(&reader, &field))
		if (field.number == 1)
			sample.stack = field.value;
		else if (field.number == 4) {
			add_values(&sample, &field);
			file->damaged |= field.bytes.failed;
		} else if (field.number == 5)
			sample.times += field.type == PROTOBUF_BYTES ?
			    protobuf_text(&field).len / 8 : 1;
	file->damaged |= reader.bytes.failed;
	if (sample.values == 0)
		sample.sum = (int64_t)sample.times;
	return sample;
}

static void
fold_sample(struct otlp *otlp, struct otlp_file *file, struct str message)
{
	struct sample sample = read_sample(file, message);
	uint32_t number;

	otlp->negative += sample.sum < 0;
	otlp->clamped += sample.sum == INT64_MAX;
	if (sample.sum > 0 && !file->damaged &&
	    find_stack(otlp, file, sample.stack, &number))
		fold_count_number(&otlp->fold, number,
		    (unsigned long long)sample.sum);
}

/*
 * Profiles.
 */

/* Finds the type of a profile's samples, and returns its name. */
static struct str
find_type(struct otlp *otlp, struct otlp_file *file, struct str profile)
{
	struct protobuf reader = protobuf_from(profile);
	struct text *found = &otlp->found;
	struct protobuf_field field;
	uint64_t numbers[7] = { 0 };
	struct str name;

	while (protobuf_next(&reader, &field))
		if (field.number == 1)
			read_numbers(file, protobuf_text(&field), numbers);
	name = entry(file, STRINGS, numbers[1]);
	found->len = 0;
	text_add(found, name);
	text_add_char(found, '/');
	text_add(found, entry(file, STRINGS, numbers[2]));
	return name;
}

/* True if a profile's samples are to be counted. */
static bool
is_wanted(struct otlp *otlp, struct otlp_file *file, struct str profile)
{
	struct str name = find_type(otlp, file, profile);

	if (type != NULL && !str_equal(name, str_from(type)))
		return false;
	if (otlp->type.len == 0)
		text_add(&otlp->type, text_str(&otlp->found));
	return str_equal(text_str(&otlp->type), text_str(&otlp->found));
}

static void
fold_profile(struct otlp *otlp, struct otlp_file *file, struct str message)
{
	struct protobuf reader = protobuf_from(message);
	struct protobuf_field field;
	bool wanted = is_wanted(otlp, file, message);

	file->profiles++;
	while (protobuf_next(&reader, &field) && !file->damaged &&
	    !is_spent(file))
		if (field.number == 2 && wanted)
			fold_sample(otlp, file, protobuf_text(&field));
		else if (field.number == 2)
			otlp->others++;
	file->damaged |= reader.bytes.failed;
}

/* Folds the profiles within messages of this depth. */
static void
fold_level(struct otlp *otlp, struct otlp_file *file, struct str message,
    int level)
{
	/* a resource is in the whole, a scope in it, a profile in that */
	static const unsigned numbers[] = { 1, 2, 2 };
	struct protobuf reader = protobuf_from(message);
	struct protobuf_field field;

	while (protobuf_next(&reader, &field) && !file->damaged) {
		if (field.number != numbers[level])
			continue;
		if (level < 2)
			fold_level(otlp, file, protobuf_text(&field),
			    level + 1);
		else
			fold_profile(otlp, file, protobuf_text(&field));
	}
	file->damaged |= reader.bytes.failed;
}

static void
read_dictionary(struct otlp_file *file, struct str message)
{
	struct protobuf reader = protobuf_from(message);
	struct protobuf_field field;
	struct entries *table;

	while (protobuf_next(&reader, &field)) {
		if (field.number >= TABLES || field.type != PROTOBUF_BYTES)
			continue;
		table = &file->tables[field.number];
		table->list = mem_grow(table->list, &table->room,
		    table->count + 1, sizeof(*table->list));
		table->list[table->count++] = protobuf_text(&field);
	}
	file->damaged |= reader.bytes.failed;
}

/* Reads the tables; false if the message is no profile. */
static bool
read_tables(struct otlp_file *file, struct str message)
{
	struct protobuf reader = protobuf_from(message);
	struct protobuf_field field;

	while (protobuf_next(&reader, &field))
		if (field.type != PROTOBUF_BYTES || field.number > 2)
			return false;
		else if (field.number == 2)
			read_dictionary(file, protobuf_text(&field));
	return !reader.bytes.failed && file->tables[STRINGS].count > 0;
}

static const char *
refuse(struct otlp *otlp, struct str message)
{
	struct text *trouble = &otlp->trouble;

	trouble->len = 0;
	text_add_format(trouble, "it is not " KIND "; it looks like %s",
	    sniff_kind(message));
	text_add_char(trouble, '\0');
	return trouble->data;
}

static const char *
fold_message(struct otlp *otlp, struct otlp_file *file, struct str message)
{
	const struct file_kind *kind;

	if (!read_tables(file, message)) {
		kind = kind_find(message, true);
		if (kind == NULL ||
		    strcmp(kind->program, "stackcollapse-otlp") != 0)
			return refuse(otlp, message);
		file->damaged = true;
	}
	file->known = mem_array(file->tables[LOCATIONS].count + 1,
	    sizeof(*file->known));
	file->numbers = mem_array(file->tables[STACKS].count + 1,
	    sizeof(*file->numbers));
	if (!file->damaged)
		fold_level(otlp, file, message, 0);
	if (is_spent(file))
		return "its stacks add up to far more than its size";
	return !file->damaged ? NULL : "it is damaged: a message is cut "
	    "short, or refers to a missing one";
}

static const char *
fold_file(struct fold *fold, const struct beginning *beginning)
{
	struct otlp *otlp = (struct otlp *)fold;
	struct otlp_file file = { .damaged = false };
	struct content content;
	struct str message;
	const char *reason;
	int i;

	collapse_begin_content(fold, beginning, &content);
	if (content_all(&content, &message, MOST)) {
		file.budget = content_budget(content.packed);
		reason = fold_message(otlp, &file, message);
	} else
		reason = content.trouble;
	for (i = 0; i < TABLES; i++)
		free(file.tables[i].list);
	free(file.known);
	free(file.numbers);
	free(file.names.data);
	arena_free(&file.arena);
	content_end(&content);
	otlp->refused |= reason != NULL;
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
	if (fold->counts.samples == 0 && !otlp->refused)
		message_warn("no sample has a value");
	native_report(&native);
}

static const struct format format = {
	.source = "OpenTelemetry",
	.sample = "sample",
	.size = sizeof(struct otlp),
	.begin = begin,
	.file = fold_file,
	.report = report,
	.adds_folded = true,
};

static const struct option options[] = {
	{ "type", OPTION_TEXT, &type, "NAME",
	    "count the samples of this type, as cpu (default: that\n"
	    "of the first profile)" },
	NATIVE_OPTIONS(native),
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] [file ...] > out.folded", NULL, options
};

int
main(int argc, char **argv)
{
	(void)argc;
	return collapse_main(&format, &usage, argv);
}
