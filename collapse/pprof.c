/*
 * stackcollapse-pprof: folds profiles as pprof has them, which Go's programs
 * and many other profilers write, packed by gzip or not.
 *
 * A sample is the numbers of locations, from the innermost outwards, a value of
 * each type that the profile has, and labels:
 *
 *	samples/count cpu/nanoseconds
 *	      2   20000000: 1 2 3
 *	             request:[sort]
 *
 * It becomes, with the value of one type, added to others with the same stack:
 *
 *	main.main;main.work;main.square_[i] 20000000
 */
#include <stdlib.h>

#include "../fold/collapse.h"
#include "../fold/sniff.h"
#include "../lib/content.h"
#include "../lib/message.h"
#include "../lib/options.h"
#include "labels.h"
#include "locations.h"
#include "valuetype.h"

/* No message of Protocol Buffers may be larger. */
#define MOST	((size_t)INT32_MAX)

enum { LOCATIONS = 1, VALUES = 2 };	/* fields of a sample */

static struct value_type type;
static struct option_list label_keys;
static struct native native = { .symfs = "" };

struct pprof {
	struct fold fold;
	struct labels labels;
	size_t place;			/* of the value that counts */
	unsigned long long negative;	/* samples, which are left out */
	bool refused;			/* a profile was */
	struct text trouble;
};

static void
begin(struct fold *fold)
{
	struct pprof *pprof = (struct pprof *)fold;

	native_init(&native);
	pprof->labels.keys = &label_keys;
}

#define NUMBERS	64	/* of a field, which are read at once */
#define NAMES	32	/* times the size of a profile */

/* Adds the calls of a sample's locations to the stack. */
static bool
push_locations(struct fold *fold, struct locations *locations,
    struct protobuf_field *field)
{
	uint64_t ids[NUMBERS];
	size_t count, i;

	while ((count = protobuf_numbers(field, ids, NUMBERS)) > 0)
		for (i = 0; i < count; i++)
			if (!locations_push(locations, ids[i], &fold->stack))
				return false;
	return !field->bytes.failed;
}

/* Takes the value that counts of those in a field. */
static bool
take_value(const struct pprof *pprof, struct protobuf_field *field,
    size_t *place, int64_t *value)
{
	uint64_t numbers[NUMBERS];
	size_t count;

	while ((count = protobuf_numbers(field, numbers, NUMBERS)) > 0) {
		if (pprof->place - *place < count)
			*value = (int64_t)numbers[pprof->place - *place];
		*place += count;
	}
	return !field->bytes.failed;
}

/* Reads a sample's stack and value; false if it is damaged. */
static bool
read_sample(struct pprof *pprof, struct locations *locations,
    struct protobuf message, int64_t *value)
{
	struct protobuf_field field;
	size_t place = 0;
	bool good = true;

	*value = 0;
	pprof->fold.stack.depth = 0;
	while (good && protobuf_next(&message, &field))
		if (field.number == VALUES)
			good = take_value(pprof, &field, &place, value);
		else if (field.number == LOCATIONS)
			good = push_locations(&pprof->fold, locations, &field);
	return good && !message.bytes.failed;
}

static bool
fold_sample(struct pprof *pprof, struct locations *locations,
    const struct protobuf_field *field)
{
	struct fold *fold = &pprof->fold;
	int64_t value;

	if (!read_sample(pprof, locations, protobuf_message(field), &value))
		return false;
	if (value < 0)
		pprof->negative++;
	if (value <= 0)
		return true;
	if (fold->stack.depth == 0)
		fold_frame(fold, STR("[unknown]"));
	if (!labels_push(&pprof->labels, locations->profile,
	    protobuf_text(field), &fold->namer, &fold->stack))
		return false;
	fold_count(fold, (unsigned long long)value);
	return true;
}

/*
 * Returns how many bytes the names of frames may have: NAMES for each of the
 * profile, which a long path with each line or a query as each sample's label
 * may need, but never more than may be made of the file.
 */
static struct budget
names_budget(const struct profile *profile)
{
	struct budget least = content_budget(0);
	struct budget budget = content_budget(profile->size);
	unsigned long long most =
	    (unsigned long long)profile->message.len * NAMES;

	if (most < least.most)
		most = least.most;
	if (budget.most > most)
		budget.most = most;
	return budget;
}

/* Folds all samples; returns NULL, or what is wrong. */
static const char *
fold_samples(struct pprof *pprof, const struct profile *profile)
{
	struct budget budget = names_budget(profile);
	struct locations locations = {
		.profile = profile, .namer = &pprof->fold.namer,
		.native = &native, .budget = &budget
	};
	struct protobuf fields = protobuf_from(profile->message);
	struct protobuf_field field;
	bool good = true;

	pprof->labels.budget = &budget;
	locations_init(&locations);
	while (good && protobuf_next(&fields, &field))
		if (field.number == PROFILE_SAMPLE)
			good = fold_sample(pprof, &locations, &field);
	locations_free(&locations);
	if (budget.made > budget.most)
		return "the names of its frames add up to far more than its "
		    "size";
	return good ? NULL : "it is damaged: a sample has a location that is "
	    "not there, or is cut short";
}

/* Says what a file looks like that is no profile. */
static const char *
refuse(struct pprof *pprof, struct str message, const char *reason)
{
	struct text *trouble = &pprof->trouble;

	trouble->len = 0;
	text_add_format(trouble, "%s; it looks like %s", reason,
	    sniff_kind(message));
	text_add_char(trouble, '\0');
	return trouble->data;
}

/* True for a text, which may be fields by chance; no profile begins so. */
static bool
is_text(struct str message)
{
	size_t i;

	for (i = 0; i < message.len && i < 1024; i++)
		if (is_control(message.data[i]) && !is_blank(message.data[i]))
			return false;
	return true;
}

static const char *
fold_message(struct pprof *pprof, struct str message, size_t size)
{
	struct profile profile;
	const char *reason = profile_open(&profile, message, size);

	if (reason != NULL && (profile.type_count == 0 || is_text(message)))
		reason = refuse(pprof, message, profile.type_count == 0 ?
		    reason : "it is no profile as pprof has them");
	if (reason == NULL)
		reason = value_type_choose(&type, &profile, &pprof->place);
	if (reason == NULL)
		reason = fold_samples(pprof, &profile);
	profile_free(&profile);
	return reason;
}

/* Folds a file, which is not lines. */
static const char *
examine(void *context, struct beginning *file)
{
	struct pprof *pprof = context;
	struct fold *fold = &pprof->fold;
	struct content content;
	struct str message;
	const char *reason;

	if (file->is_folder)
		return NULL;
	file->taken = true;
	fold->recognized = true;
	content_begin(&content, fold->input.name, file->bytes, file->fd);
	content.samples = &fold->counts.samples;
	content.stacks = &fold->stacks.paths.ends;
	if (content_all(&content, &message, MOST))
		reason = fold_message(pprof, message, content.packed);
	else
		reason = content.trouble;
	content_end(&content);
	pprof->refused |= reason != NULL;
	return reason;
}

/* No line is read, but those of folded text. */
static void
fold_line(struct fold *fold, struct str line)
{
	(void)fold;
	(void)line;
}

static void
report(const struct fold *fold)
{
	const struct pprof *pprof = (const struct pprof *)fold;

	if (pprof->negative > 0)
		message_warn("samples with a negative value, left out: %llu",
		    pprof->negative);
	else if (fold->counts.samples == 0 && !pprof->refused)
		message_warn("no sample has a value");
	native_report(&native);
}

static const struct format format = {
	.source = "a profiler of pprof",
	.sample = "sample",
	.size = sizeof(struct pprof),
	.begin = begin,
	.line = fold_line,
	.report = report,
	.examine = examine,
	.adds_folded = true,
};

static const struct option options[] = {
	{ "type", OPTION_TEXT, &type.wanted, "NAME",
	    "count the values of this type, as inuse_space (default:\n"
	    "the profile's own, or its last one)" },
	{ "label", OPTION_LIST, &label_keys, "KEY",
	    "add the labels of this key as outermost frames; may be\n"
	    "repeated" },
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
