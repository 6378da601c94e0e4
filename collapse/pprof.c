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

#include "collapse/pprof/labels.h"
#include "collapse/pprof/locations.h"
#include "collapse/pprof/profilesample.h"
#include "collapse/pprof/recent.h"
#include "collapse/pprof/valuetype.h"
#include "fold/collapse.h"
#include "fold/sniff.h"
#include "lib/content.h"
#include "lib/message.h"
#include "lib/options.h"
#include "lib/prefetch.h"

/* No message of Protocol Buffers may be larger. */
#define MOST	((size_t)INT32_MAX)

static struct value_type type;
static struct option_list label_keys;
static struct native native = { .symfs = "" };

struct pprof {
	struct fold fold;
	struct labels labels;
	struct recent recent;
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

#define BATCH	16	/* samples that are read at once */
#define NAMES	32	/* times the size of a profile */

/* A sample that is read, and where its stack may be known. */
struct pending {
	struct profile_sample sample;
	struct recent_text *known;
};

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

/* Numbers a stack that was made, with the sample's labels. */
static bool
number_stack(struct pprof *pprof, struct locations *locations,
    const struct pending *pending)
{
	const struct profile_sample *sample = &pending->sample;
	struct fold *fold = &pprof->fold;

	if (fold->stack.depth == 0)
		fold_frame(fold, STR("[unknown]"));
	if (!labels_push(&pprof->labels, locations->profile, sample->message,
	    &fold->namer, &fold->stack))
		return false;
	*pending->known = (struct recent_text){ sample->ids,
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
	bool is_known = recent_has(pending->known, sample->ids);

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

/* Counts samples; the memory that tells their stacks is brought near before. */
static bool
fold_batch(struct pprof *pprof, struct locations *locations,
    const struct pending *batch, size_t count)
{
	bool good = true;
	size_t i;

	for (i = 0; i < count; i++)
		prefetch(batch[i].known->text.data);
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
		sample->ids = STR("");	/* do not tell all of the stack */
	pending->known = recent_slot(&pprof->recent, sample->ids);
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

/* Folds a profile; returns NULL, or what is wrong. */
static const char *
fold_profile(struct pprof *pprof, const struct profile *profile)
{
	struct budget budget = names_budget(profile);
	struct locations locations = {
		.profile = profile, .namer = &pprof->fold.namer,
		.native = &native, .budget = &budget
	};
	bool good;

	pprof->labels.budget = &budget;
	locations_init(&locations);
	recent_init(&pprof->recent);
	good = fold_all(pprof, &locations);
	recent_free(&pprof->recent);
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

	content_begin(&content, file->name, file->bytes, file->fd);
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
	.file = fold_file,
	.report = report,
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
