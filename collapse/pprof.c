/*
 * stackcollapse-pprof: folds profiles in pprof's format, which Go's programs
 * and many other profilers write, packed by gzip or not.
 *
 * A sample is the numbers of locations, from the innermost outwards, a value of
 * each type that the profile has, and labels:
 *
 *	samples/count cpu/nanoseconds
 *	      2   20000000: 1 2 3
 *	             request:[sort]
 *
 * It becomes a stack that counts the values of one type, of all samples that
 * have it:
 *
 *	main.main;main.work;main.square_[i] 20000000
 */
#include <stdlib.h>

#include "collapse/pprof/locations.h"
#include "collapse/pprof/profile.h"
#include "fold/collapse.h"
#include "fold/sniff.h"
#include "lib/content.h"
#include "lib/message.h"
#include "lib/options.h"
#include "lib/prefetch.h"

/* No message of Protocol Buffers may be larger. */
#define MOST	((size_t)INT32_MAX)

static const char *type;
static struct option_list label_keys;
static struct native native = { .symfs = "" };

/*
 * The number of a stack, in a slot by the bytes of its locations' ids.  The
 * stack need not be read again until another one with the same slot replaces
 * it.
 */
struct recent_stack {
	struct str ids;			/* "": none so far */
	uint32_t number;
};

#define RECENT_STACKS	((size_t)1 << 16)

#define BATCH	16	/* samples that are read at once */

/* A sample that is read, and the slot of its stack. */
struct pending {
	struct profile_sample sample;
	struct recent_stack *known;
};

struct pprof {
	struct fold fold;
	struct text type;		/* "cpu/nanoseconds", of the first */
	struct text label;		/* the frame of a label */
	struct recent_stack *recent;
	size_t place;			/* of the value that counts */
	unsigned long long negative;	/* samples, which are left out */
	bool refused;			/* a profile was refused */
	struct text trouble;
};

static void
begin(struct fold *fold)
{
	(void)fold;
	native_init(&native);
}

/*
 * The type of values that counts.
 */

static struct str
name_of(const struct profile *profile, size_t place)
{
	return profile_string(profile, profile->types[place].name);
}

/* Adds "cpu/nanoseconds". */
static void
add_type(struct text *text, const struct profile *profile, size_t place)
{
	struct str unit = profile_string(profile, profile->types[place].unit);

	text_add(text, name_of(profile, place));
	text_add_char(text, '/');
	text_add(text, unit);
}

/* Finds the type of a name; false if there is none. */
static bool
find_type(const struct profile *profile, struct str name, size_t *place)
{
	size_t i;

	for (i = 0; i < profile->type_count; i++)
		if (str_equal(name_of(profile, i), name)) {
			*place = i;
			return true;
		}
	return false;
}

static const char *
end_trouble(struct pprof *pprof)
{
	text_add_char(&pprof->trouble, '\0');
	return pprof->trouble.data;
}

/* Returns a message: the profile lacks the wanted type, and has these. */
static const char *
refuse_name(struct pprof *pprof, const struct profile *profile)
{
	struct text *trouble = &pprof->trouble;
	size_t i;

	trouble->len = 0;
	text_add(trouble, STR("its samples have no "));
	message_add_shown(trouble, str_from(type));
	text_add(trouble, STR(", but "));
	for (i = 0; i < profile->type_count; i++) {
		if (i > 0)
			text_add(trouble, STR(", "));
		message_add_shown(trouble, name_of(profile, i));
	}
	return end_trouble(pprof);
}

/* Returns a message: the profiles before had another type. */
static const char *
refuse_other(struct pprof *pprof, struct str found)
{
	struct text *trouble = &pprof->trouble;

	trouble->len = 0;
	text_add(trouble, STR("its samples are of "));
	message_add_shown(trouble, found);
	text_add(trouble, STR(", not of "));
	message_add_shown(trouble, text_str(&pprof->type));
	text_add(trouble, STR(" as those before"));
	return end_trouble(pprof);
}

/*
 * Chooses the value that counts, the same for all profiles.  Returns NULL, or a
 * reason why that fails, which lives until the next call.
 */
static const char *
choose_type(struct pprof *pprof, const struct profile *profile)
{
	size_t *place = &pprof->place;
	struct text found = { 0 };
	const char *trouble = NULL;

	*place = profile->type_count - 1;
	if (type != NULL) {
		if (!find_type(profile, str_from(type), place))
			return refuse_name(pprof, profile);
	} else if (profile->default_type != 0)
		find_type(profile,
		    profile_string(profile, profile->default_type), place);
	add_type(&found, profile, *place);
	if (pprof->type.len == 0)
		text_add(&pprof->type, text_str(&found));
	else if (!str_equal(text_str(&found), text_str(&pprof->type)))
		trouble = refuse_other(pprof, text_str(&found));
	free(found.data);
	return trouble;
}

/*
 * Samples.
 */

enum { KEY = 1, TEXT = 2, NUMBER = 3, UNIT = 4 };	/* of a label */

/* Adds the value of a label, if it has the key. */
static void
add_value(struct text *name, const struct profile *profile, struct str key,
    struct protobuf label)
{
	struct protobuf_field field;
	uint64_t values[UNIT + 1] = { 0 };
	struct str text, unit;

	while (protobuf_next(&label, &field))
		if (field.number <= UNIT)
			values[field.number] = field.value;
	text = profile_string(profile, values[TEXT]);
	unit = profile_string(profile, values[UNIT]);
	if (!str_equal(profile_string(profile, values[KEY]), key))
		return;
	if (name->len > 0)
		text_add_char(name, ',');
	if (values[TEXT] != 0) {
		native_add_name(name, text);
		return;
	}
	text_add_format(name, "%lld", (long long)values[NUMBER]);
	if (unit.len > 0) {
		text_add_char(name, ' ');
		native_add_name(name, unit);
	}
}

/* Returns the frame of a sample's labels of one key. */
static struct calls
find_label(struct pprof *pprof, struct locations *locations,
    struct str sample, struct str key)
{
	struct protobuf message = protobuf_from(sample);
	struct protobuf_field field;
	const struct budget *budget = locations->budget;
	struct text *name = &pprof->label;

	name->len = 0;
	/* any number of labels may have one text */
	while (budget->made + name->len <= budget->most &&
	    protobuf_next(&message, &field))
		if (field.number == SAMPLE_LABEL)
			add_value(name, locations->profile, key,
			    protobuf_message(&field));
	if (name->len == 0) {
		text_add(name, STR("[no "));
		native_add_name(name, key);
		text_add_char(name, ']');
	}
	return namer_calls(locations->namer, text_str(name));
}

/*
 * Adds a frame for each key of --label to the stack of a sample: the values of
 * its labels with that key, joined by ',', and after a number its unit.
 * Returns false if the budget is spent.
 */
static bool
push_labels(struct pprof *pprof, struct locations *locations,
    struct str sample)
{
	bool good = true;
	size_t i;

	for (i = label_keys.count; i > 0; i--) {
		calls_push(&pprof->fold.stack, find_label(pprof, locations,
		    sample, str_from(label_keys.values[i - 1])));
		good &= budget_take(locations->budget, pprof->label.len);
	}
	return good;
}

/* Makes the stack of a sample's locations; false if it is damaged. */
static bool
push_locations(struct fold *fold, struct locations *locations,
    const struct profile_sample *sample)
{
	struct protobuf message = protobuf_from(sample->message);
	struct protobuf_field field;
	bool good = true;

	fold->stack.depth = 0;
	while (good && protobuf_next(&message, &field))
		if (field.number == SAMPLE_LOCATIONS)
			good = locations_push(locations, &field, &fold->stack);
	return good;
}

/* A long name that many frames have makes lines of any length. */
static bool
take_stack(struct locations *locations, const struct stack *stack)
{
	const struct str *names = locations->namer->names.keys;
	unsigned long long len = 0;
	size_t i;

	for (i = 0; i < stack->depth; i++)
		len += names[stack->frames[i]].len + 1;
	return budget_take(&locations->stacks, len);
}

/* Adds the labels to a sample's stack, and numbers it. */
static bool
number_stack(struct pprof *pprof, struct locations *locations,
    const struct pending *pending)
{
	const struct profile_sample *sample = &pending->sample;
	struct fold *fold = &pprof->fold;

	if (fold->stack.depth == 0)
		fold_frame(fold, STR("[unknown]"));
	if (!push_labels(pprof, locations, sample->message) ||
	    !take_stack(locations, &fold->stack))
		return false;
	*pending->known = (struct recent_stack){ sample->ids,
	    fold_number(fold) };
	return true;
}

/* Counts a sample; false if it is damaged, or its labels are too long. */
static bool
fold_sample(struct pprof *pprof, struct locations *locations,
    const struct pending *pending)
{
	const struct profile_sample *sample = &pending->sample;
	struct fold *fold = &pprof->fold;
	bool is_known = sample->ids.len > 0 &&
	    str_equal(pending->known->ids, sample->ids);

	if (!is_known && !push_locations(fold, locations, sample))
		return false;
	if (sample->value < 0)
		pprof->negative++;
	if (sample->value <= 0)
		return true;
	if (!is_known && !number_stack(pprof, locations, pending))
		return false;
	fold_count_number(fold, pending->known->number,
	    (unsigned long long)sample->value);
	return true;
}

/* Counts samples; first brings their recent stacks into the cache. */
static bool
fold_batch(struct pprof *pprof, struct locations *locations,
    const struct pending *batch, size_t count)
{
	bool good = true;
	size_t i;

	for (i = 0; i < count; i++)
		prefetch(batch[i].known->ids.data);
	for (i = 0; good && i < count; i++)
		good = fold_sample(pprof, locations, &batch[i]);
	return good;
}

/* Reads a sample; false if it is damaged. */
static bool
read_sample(const struct pprof *pprof, struct str message,
    struct pending *pending)
{
	struct profile_sample *sample = &pending->sample;

	if (!profile_sample_read(message, pprof->place, sample))
		return false;
	if (label_keys.count > 0)
		sample->ids = STR("");	/* labels are in the stack, too */
	pending->known = &pprof->recent[table_hash(sample->ids) %
	    RECENT_STACKS];
	prefetch(pending->known);
	return true;
}

/* Folds all samples; false if one cannot be. */
static bool
fold_all(struct pprof *pprof, struct locations *locations)
{
	struct protobuf fields = protobuf_from(locations->profile->message);
	struct protobuf_field field;
	struct pending batch[BATCH];
	size_t count = 0;
	bool good = true;

	while (good && protobuf_next(&fields, &field)) {
		if (field.number != PROFILE_SAMPLE)
			continue;
		good = read_sample(pprof, protobuf_text(&field),
		    &batch[count]);
		count += good;
		if (count == BATCH) {
			good = fold_batch(pprof, locations, batch, count);
			count = 0;
		}
	}
	return fold_batch(pprof, locations, batch, count) && good;
}

#define NAMES	32
#define STACKS	10	/* times as many bytes as a file may unpack to */

/*
 * Returns the budget for the names of frames: NAMES bytes for each byte of the
 * profile, but never more than may be made of the file.  A long path with each
 * line, or a query as each sample's label, may need as much.
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

/* Folds a profile; returns NULL, or the reason why it cannot. */
static const char *
fold_profile(struct pprof *pprof, const struct profile *profile)
{
	struct budget budget = names_budget(profile);
	struct locations locations = {
		.profile = profile, .namer = &pprof->fold.namer,
		.native = &native, .budget = &budget,
		.stacks = content_budget(STACKS * profile->size)
	};
	bool good;

	locations_init(&locations);
	pprof->recent = mem_array(RECENT_STACKS, sizeof(*pprof->recent));
	good = fold_all(pprof, &locations);
	free(pprof->recent);
	locations_free(&locations);
	if (budget.made > budget.most)
		return "the names of its frames add up to far more than its "
		    "size";
	if (locations.stacks.made > locations.stacks.most)
		return "its stacks add up to far more than its size";
	return good ? NULL : "it is damaged: a sample refers to a missing "
	    "location, or is cut short";
}

/* Returns a message for a file that is not a profile: what it looks like. */
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

/* True for text, whose bytes may be fields by chance; no profile begins so. */
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
		    reason : "it is not a profile in pprof's format");
	if (reason == NULL)
		reason = choose_type(pprof, &profile);
	if (reason == NULL)
		reason = fold_profile(pprof, &profile);
	profile_free(&profile);
	return reason;
}

static const char *
fold_file(struct fold *fold, const struct beginning *file)
{
	struct pprof *pprof = (struct pprof *)fold;
	struct content content;
	struct str message;
	const char *reason;

	collapse_begin_content(fold, file, &content);
	if (content_all(&content, &message, MOST))
		reason = fold_message(pprof, message, content.packed);
	else
		reason = content.trouble;
	content_end(&content);
	pprof->refused |= reason != NULL;
	return reason;
}

static void
report(struct fold *fold)
{
	const struct pprof *pprof = (const struct pprof *)fold;

	fold_report_lost(fold, "samples with a negative value, left out",
	    pprof->negative);
	if (fold->counts.samples == 0 && pprof->negative == 0 &&
	    !pprof->refused)
		message_warn("no sample has a value");
	native_report(&native);
}

static const struct format format = {
	.source = "a profiler of pprof",
	.sample = "sample",
	.size = sizeof(struct pprof),
	.begin = begin,
	.file = fold_file,
	.report = report,
	.adds_folded = true,
};

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

static const struct usage usage = {
	"[option ...] [file ...] > out.folded", NULL, options
};

int
main(int argc, char **argv)
{
	(void)argc;
	return collapse_main(&format, &usage, argv);
}
