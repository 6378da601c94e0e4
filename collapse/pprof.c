/*
 * stackcollapse-pprof: folds profiles in pprof's format, which Go's programs
 * and many other profilers write, packed by gzip or not.  They are a message of
 * Protocol Buffers:
 *
 *	1 sample_type	{ 1 name, 2 unit }, one for each value of a sample
 *	2 sample	{ 1 location ids, 2 values, 3 label }
 *	3 mapping, 4 location, 5 function: see locations.h
 *	6 string	to which all others refer, by its place
 *	14 default_sample_type
 *
 * A sample is the ids of locations, from the innermost outwards, a value of
 * each type that the profile has, and labels:
 *
 *	samples/count cpu/nanoseconds
 *	      2   20000000: 1 2 3
 *	             request:[sort]
 *
 * It becomes a stack that counts the values of one type:
 *
 *	main.main;main.work;main.square_[i] 20000000
 *
 * The tables come after the samples that refer to them, so the message is read
 * twice.
 */
#include <stdlib.h>

#include "collapse/locations.h"
#include "fold/collapse.h"
#include "lib/message.h"

#define MOST	((size_t)INT32_MAX)	/* bytes of a message */

static const char *type;
static struct option_list label_keys;
static struct native native = { .symfs = "" };

/* A slot for a stack, so that it need not be read when it comes again soon. */
struct recent_stack {
	struct str ids;			/* of its locations; "": none so far */
	uint32_t number;
};

#define RECENT_STACKS	((size_t)1 << 16)
#define BATCH	16	/* samples that are read at once */
#define NUMBERS	16	/* values of a sample, the same */

/* Fields of a profile, and of a sample. */
enum {
	SAMPLE_TYPE = 1, SAMPLE = 2, FIRST_TABLE = 3, STRING = 6,
	DEFAULT_TYPE = 14
};
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };

struct sample {
	struct str message;
	struct str ids;			/* in a packed field; else "" */
	int64_t value;			/* the one that counts, or 0 */
	struct recent_stack *known;	/* the slot of its stack */
};

struct pprof {
	struct fold fold;
	struct text type;		/* "cpu/nanoseconds", of the first */
	struct recent_stack *recent;
	struct str message;		/* the file's */
	size_t size;			/* in the file, perhaps packed */
	uint64_t (*types)[3];		/* { 1 name, 2 unit }, as places */
	size_t type_count, type_room;
	uint64_t default_type;		/* a string; 0: none */
	struct locations locations;
	size_t place;			/* of the value that counts */
	unsigned long long negative;	/* samples left out */
};

/* Reads the tables of a profile; returns NULL, or the reason why it cannot. */
static const char *
read_tables(struct pprof *pprof)
{
	struct bytes fields = bytes_from(pprof->message);
	const unsigned long long most = content_budget(pprof->size).most;
	long long before = mem_taken();
	struct locations *locations = &pprof->locations;
	struct protobuf_field field;

	while (protobuf_next(&fields, &field)) {
		if (field.number == SAMPLE_TYPE)
			locations->damaged |= !protobuf_values(
			    protobuf_text(&field), *LIST_ADD(pprof->types,
			    pprof->type_count, pprof->type_room), 3);
		else if (field.number == STRING)
			locations_add(locations, STRINGS,
			    protobuf_text(&field));
		else if (field.number >= FIRST_TABLE && field.number < STRING)
			locations_add(locations, MAPPINGS +
			    (int)field.number - FIRST_TABLE,
			    protobuf_text(&field));
		else if (field.number == DEFAULT_TYPE)
			pprof->default_type = field.value;
		if (locations->damaged)
			return "it is damaged: a table of the profile has an "
			    "entry that is cut short";
		if (pprof->message.len +
		    (unsigned long long)(mem_taken() - before) > most)
			return "it unpacks to more than 400 times its size";
	}
	if (fields.failed)
		return pprof->type_count == 0 ?
		    "it is not a profile in pprof's format" :
		    "it is damaged or cut short";
	return pprof->type_count == 0 ||
	    locations->tables[STRINGS].count == 0 ?
	    "it is not a profile in pprof's format: it does not say what "
	    "its samples are of" : NULL;
}

static struct str
string_of(struct pprof *pprof, uint64_t place)
{
	return locations_find(&pprof->locations, STRINGS, place);
}

/* Chooses the value that counts; returns NULL, or why that fails. */
static const char *
choose_type(struct pprof *pprof)
{
	struct text *trouble = &pprof->fold.reason, *found = &pprof->fold.name;
	size_t count = pprof->type_count, place = count, i;
	struct str wanted;

	if (type != NULL || pprof->default_type != 0) {
		wanted = type != NULL ? str_from(type) :
		    string_of(pprof, pprof->default_type);
		for (place = 0; place < count && !str_equal(wanted,
		    string_of(pprof, pprof->types[place][1]));)
			place++;
	}
	if (type != NULL && place == count) {
		trouble->len = 0;
		text_add(trouble, STR("its samples have no "));
		message_add_shown(trouble, wanted);
		for (i = 0; i < count; i++) {
			text_add(trouble, i == 0 ? STR(", but ") : STR(", "));
			message_add_shown(trouble, string_of(pprof,
			    pprof->types[i][1]));
		}
		text_add_char(trouble, '\0');
		return trouble->data;
	}
	if (place == count)	/* the last one */
		place--;
	pprof->place = place;
	/* "cpu/nanoseconds" */
	found->len = 0;
	text_add(found, string_of(pprof, pprof->types[place][1]));
	text_add_char(found, '/');
	text_add(found, string_of(pprof, pprof->types[place][2]));
	if (pprof->type.len == 0)
		text_add(&pprof->type, text_str(found));
	return str_equal(text_str(found), text_str(&pprof->type)) ? NULL :
	    fold_reason(&pprof->fold, "its samples are of %s, not of %s as "
	    "those before", message_shown(text_str(found)),
	    message_shown(text_str(&pprof->type)));
}

/*
 * Samples.
 */

/* Adds the value of a label, { 1 key, 2 text, 3 number, 4 unit }. */
static void
add_value(struct text *name, struct pprof *pprof, struct str key,
    struct str label)
{
	uint64_t values[5];
	struct str unit;

	protobuf_values(label, values, 5);
	if (!str_equal(string_of(pprof, values[1]), key))
		return;
	if (name->len > 0)
		text_add_char(name, ',');
	if (values[2] != 0) {
		native_add_name(name, string_of(pprof, values[2]));
		return;
	}
	text_add_format(name, "%lld", (long long)values[3]);
	unit = string_of(pprof, values[4]);
	if (unit.len > 0) {
		text_add_char(name, ' ');
		native_add_name(name, unit);
	}
}

/*
 * Adds a frame for each key of --label to the stack of a sample: the values of
 * its labels, joined by ','.  Returns false if the budget is spent.
 */
static bool
push_labels(struct pprof *pprof, struct str sample)
{
	struct budget *budget = &pprof->locations.names;
	struct text *name = &pprof->fold.name;
	struct bytes message;
	struct protobuf_field field;
	struct str key;
	size_t i;

	for (i = label_keys.count; i > 0; i--) {
		key = str_from(label_keys.values[i - 1]);
		message = bytes_from(sample);
		name->len = 0;
		/* any number of labels may have one text */
		while (budget->made + name->len <= budget->most &&
		    protobuf_next(&message, &field))
			if (field.number == SAMPLE_LABEL)
				add_value(name, pprof, key,
				    protobuf_text(&field));
		if (name->len == 0) {
			text_add(name, STR("[no "));
			native_add_name(name, key);
			text_add_char(name, ']');
		}
		calls_push(&pprof->fold.stack,
		    namer_calls(&pprof->fold.namer, text_str(name)));
		budget_take(budget, name->len);
	}
	return budget->made <= budget->most;
}

/* Counts a sample; false if it is damaged, or its labels are too long. */
static bool
fold_sample(struct pprof *pprof, const struct sample *sample)
{
	bool is_known = sample->ids.len > 0 &&
	    str_equal(sample->known->ids, sample->ids);
	struct bytes message = bytes_from(sample->message);
	struct locations *locations = &pprof->locations;
	struct fold *fold = &pprof->fold;
	struct protobuf_field field;

	if (!is_known)
		fold->stack.depth = 0;
	while (!is_known && protobuf_next(&message, &field))
		if (field.number == SAMPLE_LOCATIONS &&
		    !locations_push(locations, &field, &fold->stack))
			return false;
	if (sample->value < 0)
		pprof->negative++;
	if (sample->value <= 0)
		return true;
	if (!is_known) {
		if (fold->stack.depth == 0)
			fold_frame(fold, STR("[unknown]"));
		if (!push_labels(pprof, sample->message) ||
		    !locations_take(locations, &fold->stack))
			return false;
		*sample->known = (struct recent_stack){ sample->ids,
		    fold_number(fold) };
	}
	fold_count_number(fold, sample->known->number,
	    (unsigned long long)sample->value);
	return true;
}

/* Brings the recent stacks into the cache; saves an eighth of the time. */
static bool
fold_batch(struct pprof *pprof, const struct sample *batch, size_t count)
{
	bool good = true;
	size_t i;

	for (i = 0; i < count; i++)
		prefetch(batch[i].known->ids.data);
	for (i = 0; good && i < count; i++)
		good = fold_sample(pprof, &batch[i]);
	return good;
}

/* Reads a sample, but no locations; false if it is damaged. */
static bool
read_sample(const struct pprof *pprof, struct str text, struct sample *sample)
{
	struct bytes message = bytes_from(text);
	struct protobuf_field field;
	uint64_t numbers[NUMBERS];
	size_t place = pprof->place, lists = 0, count;
	bool good = true;

	*sample = (struct sample){ .message = text };
	while (good && protobuf_next(&message, &field))
		if (field.number == SAMPLE_VALUES) {
			while ((count = protobuf_numbers(&field, numbers,
			    NUMBERS)) > 0) {
				if (place < count)
					sample->value =
					    (int64_t)numbers[place];
				place -= count;	/* or beyond any number */
			}
			good = !field.bytes.failed;
		} else if (field.number == SAMPLE_LOCATIONS)
			sample->ids = lists++ == 0 ? protobuf_text(&field) :
			    STR("");
	if (label_keys.count > 0)
		sample->ids = STR("");	/* labels are in the stack, too */
	sample->known = &pprof->recent[table_hash(sample->ids) %
	    RECENT_STACKS];
	prefetch(sample->known);
	return good && !message.failed;
}

static bool
fold_samples(struct pprof *pprof)
{
	struct bytes fields = bytes_from(pprof->message);
	struct protobuf_field field;
	struct sample batch[BATCH];
	size_t count = 0;
	bool good = true;

	while (good && protobuf_next(&fields, &field)) {
		if (field.number != SAMPLE)
			continue;
		good = read_sample(pprof, protobuf_text(&field),
		    &batch[count]);
		count += good;
		if (count == BATCH) {
			good = fold_batch(pprof, batch, count);
			count = 0;
		}
	}
	return fold_batch(pprof, batch, count) && good;
}

static const char *
fold_profile(struct pprof *pprof)
{
	struct locations *locations = &pprof->locations;
	struct str start = str_take(pprof->message,
	    pprof->message.len < 1024 ? pprof->message.len : 1024);
	const char *reason = read_tables(pprof);
	bool good;

	if (reason != NULL && (pprof->type_count == 0 ||
	    !kind_is_binary(start)))	/* text may be fields by chance */
		return fold_reason(&pprof->fold, "%s; it looks like %s",
		    pprof->type_count == 0 ? reason :
		    "it is not a profile in pprof's format",
		    kind_looks(pprof->message));
	if (reason == NULL)
		reason = choose_type(pprof);
	if (reason != NULL)
		return reason;
	locations_begin(locations, pprof->message.len, pprof->size);
	pprof->recent = mem_array(RECENT_STACKS, sizeof(*pprof->recent));
	good = fold_samples(pprof);
	free(pprof->recent);
	if (locations->names.made > locations->names.most)
		return "the names of its frames add up to far more than its "
		    "size";
	if (locations->stacks.made > locations->stacks.most)
		return "its stacks add up to far more than its size";
	return good ? NULL : "it is damaged: a sample refers to a missing "
	    "location, or is cut short";
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct pprof *pprof = (struct pprof *)fold;
	const char *reason;

	pprof->locations = (struct locations){
		.has_ids = true, .namer = &fold->namer, .native = &native
	};
	if (content_all(content, &pprof->message, MOST)) {
		pprof->size = content->packed;
		reason = fold_profile(pprof);
	} else
		reason = content->trouble;
	free(pprof->types);
	pprof->types = NULL;
	pprof->type_count = pprof->type_room = 0;
	pprof->default_type = 0;
	locations_free(&pprof->locations);
	return reason;
}

static void
report(struct fold *fold)
{
	const struct pprof *pprof = (const struct pprof *)fold;

	fold_report_lost(fold, "samples with a negative value, left out",
	    pprof->negative);
	if (fold->counts.samples == 0 && pprof->negative == 0 &&
	    !fold->input.failed)
		message_warn("no sample has a value");
	native_report(&native);
}

static const struct option options[] = {
	{ "type", OPTION_TEXT, &type, "NAME",
	    "count the values of this type, as inuse_space (default:\n"
	    "the profile's own, or its last one)" },
	{ "label", OPTION_LIST, &label_keys, "KEY",
	    "add the labels of this key as outermost frames; may be\n"
	    "repeated" },
	NATIVE_OPTIONS(native),
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_PPROF], .size = sizeof(struct pprof),
	.file = fold_file, .report = report,
	.options = options, .adds_folded = true,
};
