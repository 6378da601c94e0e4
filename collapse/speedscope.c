/*
 * stackcollapse-speedscope: folds files of speedscope, which py-spy, rbspy,
 * dotnet-trace and others write.
 *
 *	{"shared":{"frames":[{"name":"main"},{"name":"read"}]},
 *	"profiles":[
 *	{"type":"sampled","name":"all","unit":"none",
 *	"samples":[[0],[0,1]],"weights":[4,12]},
 *	{"type":"evented","name":"io","unit":"none","endValue":12,"events":[
 *	{"type":"O","frame":1,"at":0},{"type":"C","frame":1,"at":12}]}
 *	]}
 *
 * Of several profiles each has its name as the root of its stacks:
 *
 *	all;main 4
 *	all;main;read 12
 *	io;read 12
 *
 * The frames may come after the profiles, so stacks are made of their numbers.
 */
#include <math.h>
#include <stdlib.h>

#include "collapse/jsonfile.h"
#include "collapse/weights.h"
#include "fold/collapse.h"
#include "lib/message.h"

static bool in_order, lines;

#define KIND	"a file of speedscope"

#define MOST_FRAMES	((double)(UINT32_MAX / 2))	/* in `shared` */

/* What weights are of. */
enum unit { NO_UNIT, BYTES, SECONDS, MILLISECONDS, MICROSECONDS, NANOSECONDS,
	UNITS };

static const struct {
	const char *name;
	uint32_t size;		/* nanoseconds; 1 if it is not a time */
} units[UNITS] = {
	{ "none", 1 }, { "bytes", 1 }, { "seconds", 1000000000 },
	{ "milliseconds", 1000000 }, { "microseconds", 1000 },
	{ "nanoseconds", 1 },
};

/*
 * A time in which a call was the innermost one, in the profile's unit after its
 * `base`: a double cannot hold the nanoseconds since 1970.
 */
struct span {
	uint32_t call;
	double start, end;
};

/* A time: integer units, and the rest. */
struct moment {
	bool is_there;
	int64_t whole;
	double part;
};

struct profile {
	struct speedscope *speedscope;
	struct str name, unit_name;
	struct moment start, end;
	enum unit unit;
	struct weights weights;	/* whose names are numbers of frames */
	size_t count;		/* of samples or events */
	bool has_base;		/* a time was read */
	int64_t base;		/* the first one, without its fraction */
	double begin;
	double scale;		/* from its unit to counts; 0: another kind */
	double at_base;		/* count after the first profile's base */
	struct span *spans;	/* with --in-order: all of it */
	size_t span_count, span_room;
	/* While it is read: */
	struct stack samples;		/* their calls; 0: no frame */
	double *values;			/* their weights */
	size_t value_count, value_room;
	struct stack open;		/* calls of frames that are open */
	struct intmap frames;		/* how often each is open, and 1 */
	double at;			/* the last event */
};

/* The content of a file. */
struct speedscope_file {
	struct stack names;		/* of the frames in `shared` */
	struct profile *profiles;
	size_t profile_count, profile_room;
	bool is_speedscope;		/* it has profiles */
	bool damaged;			/* a frame's number is none */
};

/* What was odd, of files that were folded. */
struct tallies {
	unsigned long long negative, others;
	unsigned long long unweighed;	/* samples without a weight */
	unsigned long long unsampled;	/* weights without a sample */
	unsigned long long unopened, unclosed, backward;
};

struct speedscope {
	struct fold fold;
	struct json json;
	struct speedscope_file file;
	bool has_unit;			/* a profile was folded */
	enum unit unit;			/* that of the counts */
	struct tallies tallies;
};

/* A frame that is being read, { "name": "main", "file": "a.c", "line": 12 }. */
struct frame {
	struct str name, file;
	double line;
};

static const struct json_row frame_rows[] = {
	{ "name", json_to_str, offsetof(struct frame, name), NULL },
	{ "file", json_to_str, offsetof(struct frame, file), NULL },
	{ "line", json_to_double, offsetof(struct frame, line), NULL },
	{ NULL, NULL, 0, NULL }
};

static void
read_frame(struct json *json, void *at)
{
	struct speedscope *speedscope = at;
	struct text *name = &speedscope->fold.name;
	struct arena before = json->texts;
	struct frame frame = { .line = 0 };

	json_object(json, frame_rows, &frame);
	name->len = 0;
	folded_add_name(name, frame.name.len > 0 ? frame.name :
	    STR("(unnamed)"));
	if (lines)
		folded_add_line(name, str_base(frame.file), frame.line > 0 &&
		    frame.line < MOST_FRAMES ? (uint64_t)frame.line : 0);
	stack_push(&speedscope->file.names,
	    fold_name(&speedscope->fold, text_str(name)));
	arena_free_since(&json->texts, before);
}

/* Reads a time, with as many digits of its fraction as fit. */
static void
read_moment(struct json *json, void *at)
{
	int64_t fixed, scale = 1000000000;
	enum json_type type = json_value(json);
	int places = 9;

	json_leave(json, type);
	if (type != JSON_NUMBER && type != JSON_TEXT)
		return;
	for (; !str_fixed(json->text, places, &fixed); places -= 3) {
		if (places == 0)
			return;
		scale /= 1000;
	}
	*(struct moment *)at = (struct moment){ true, fixed / scale,
	    (double)(fixed % scale) / (double)scale };
}

/* Returns a time after the profile's base, or `missing`. */
static double
since_base(struct profile *profile, const struct moment *moment,
    double missing)
{
	if (!moment->is_there)
		return missing;
	if (!profile->has_base)
		profile->base = moment->whole;
	profile->has_base = true;
	return (double)(int64_t)((uint64_t)moment->whole -
	    (uint64_t)profile->base) + moment->part;
}

/* Gives a call the time of a span. */
static void
add_span(struct profile *profile, uint32_t call, double start, double weight)
{
	weights_add(&profile->weights, call, weight);
	if (!in_order)
		return;
	*LIST_ADD(profile->spans, profile->span_count, profile->span_room) =
	    (struct span){ call, start, start + weight };
}

/*
 * Samples.
 */

static uint32_t
frame_number(struct profile *profile, double number)
{
	if (number >= 0 && number < MOST_FRAMES)
		return (uint32_t)number;
	profile->speedscope->file.damaged = true;
	return 0;
}

/* Reads a sample, a stack: [0, 1]. */
static void
read_sample(struct json *json, void *at)
{
	struct profile *profile = at;
	uint32_t call = 0;
	double number;

	if (json_enters(json, JSON_ARRAY))
		while (json_element(json)) {
			number = -1;
			json_to_double(json, &number);
			call = weights_call(&profile->weights, call,
			    frame_number(profile, number));
		}
	stack_push(&profile->samples, call);
}

static void
read_weight(struct json *json, void *at)
{
	struct profile *profile = at;
	double *value = LIST_ADD(profile->values, profile->value_count,
	    profile->value_room);

	*value = 0;
	json_to_double(json, value);
}

/* Gives the samples their weights. */
static void
weigh_samples(struct profile *profile)
{
	struct speedscope *speedscope = profile->speedscope;
	const struct stack *samples = &profile->samples;
	double at = profile->begin, weight;
	size_t i;

	if (profile->value_count > samples->depth)
		speedscope->tallies.unsampled += profile->value_count -
		    samples->depth;
	for (i = 0; i < samples->depth; i++) {
		weight = i < profile->value_count ? profile->values[i] : -1;
		if (i >= profile->value_count)
			speedscope->tallies.unweighed++;
		else if (weight < 0)
			speedscope->tallies.negative++;
		else if (samples->frames[i] != 0) {
			add_span(profile, samples->frames[i], at, weight);
			profile->count++;
		}
		if (weight > 0)
			at += weight;
	}
}

/*
 * Events.
 */

/* Gives the time since the last event to the innermost open frame. */
static void
pass_time(struct profile *profile, double at)
{
	const struct stack *open = &profile->open;
	double passed = at - profile->at;

	if (open->depth > 0 && passed > 0)
		add_span(profile, open->frames[open->depth - 1],
		    profile->at, passed);
	if (isnan(at) || (open->depth > 0 && passed < 0))
		profile->speedscope->tallies.backward++;
	else
		profile->at = at;
}

/* An event that is being read, { "type": "O", "frame": 1, "at": 0 }. */
struct event {
	struct str type;
	double frame;
	struct moment at;
};

static const struct json_row event_rows[] = {
	{ "type", json_to_str, offsetof(struct event, type), NULL },
	{ "frame", json_to_double, offsetof(struct event, frame), NULL },
	{ "at", read_moment, offsetof(struct event, at), NULL },
	{ NULL, NULL, 0, NULL }
};

static void
read_event(struct json *json, void *at)
{
	struct profile *profile = at;
	struct tallies *tallies = &profile->speedscope->tallies;
	struct stack *open = &profile->open;
	struct arena before = json->texts;
	struct event event = { .frame = -1 };
	uint32_t frame, innermost, call, *times;

	json_object(json, event_rows, &event);
	frame = frame_number(profile, event.frame);
	/* an event without a time is at the start, if nothing is before it */
	since_base(profile, &profile->start, 0);
	pass_time(profile, since_base(profile, &event.at, NAN));
	if (str_equal(event.type, STR("O"))) {
		times = intmap_at(&profile->frames, frame);
		*times = *times == 0 ? 2 : *times + 1;
		stack_push(open, weights_call(&profile->weights,
		    open->depth > 0 ? open->frames[open->depth - 1] : 0,
		    frame));
	} else if (intmap_find(&profile->frames, frame) < 2)
		tallies->unopened++;
	else {
		/* the frames in it lack their own ends */
		do {
			call = open->frames[--open->depth];
			innermost = profile->weights.calls[call - 1].name;
			--*intmap_at(&profile->frames, innermost);
			tallies->unclosed += innermost != frame;
		} while (innermost != frame);
	}
	profile->count++;
	arena_free_since(&json->texts, before);
}

/*
 * Profiles.
 */

static const struct json_row profile_rows[] = {
	{ "name", json_to_str, offsetof(struct profile, name), NULL },
	{ "unit", json_to_str, offsetof(struct profile, unit_name), NULL },
	{ "startValue", read_moment, offsetof(struct profile, start), NULL },
	{ "endValue", read_moment, offsetof(struct profile, end), NULL },
	{ "samples", read_sample, 0, JSON_EACH },
	{ "weights", read_weight, 0, JSON_EACH },
	{ "events", read_event, 0, JSON_EACH },
	{ NULL, NULL, 0, NULL }
};

static void
read_profile(struct json *json, void *at)
{
	struct speedscope *speedscope = at;
	struct speedscope_file *file = &speedscope->file;
	struct profile *profile;
	enum unit unit;
	double end;

	if (!json_enters(json, JSON_OBJECT))
		return;
	profile = LIST_ADD(file->profiles, file->profile_count,
	    file->profile_room);
	*profile = (struct profile){ .speedscope = speedscope };
	json_members(json, profile_rows, profile);
	for (unit = 0; unit < UNITS; unit++)
		if (str_equal(profile->unit_name, str_from(units[unit].name)))
			profile->unit = unit;
	profile->begin = since_base(profile, &profile->start,
	    -(double)profile->base);
	weigh_samples(profile);
	/* frames that are still open are closed */
	end = since_base(profile, &profile->end, -HUGE_VAL);
	speedscope->tallies.unclosed += profile->open.depth;
	if (profile->open.depth > 0 && end > profile->at)
		pass_time(profile, end);
	free(profile->samples.frames);
	free(profile->values);
	free(profile->open.frames);
	intmap_free(&profile->frames);
}

static void
read_profiles(struct json *json, void *at)
{
	struct speedscope *speedscope = at;

	speedscope->file.is_speedscope |= json_each(json, read_profile, at);
}

static const struct json_row shared_rows[] = {
	{ "frames", read_frame, 0, JSON_EACH },
	{ NULL, NULL, 0, NULL }
};

static const struct json_row file_rows[] = {
	{ "shared", NULL, 0, shared_rows },
	{ "profiles", read_profiles, 0, NULL },
	{ NULL, NULL, 0, NULL }
};

/* Returns a unit's factor to the counts'; 0 if they differ in kind. */
static double
find_scale(struct speedscope *speedscope, enum unit unit)
{
	enum unit *counted = &speedscope->unit;

	if (!speedscope->has_unit)
		/* there would be fractions */
		*counted = unit == SECONDS || unit == MILLISECONDS ?
		    MICROSECONDS : unit;
	speedscope->has_unit = true;
	if (unit != *counted && (unit < SECONDS || *counted < SECONDS))
		return 0;
	return (double)units[unit].size / units[*counted].size;
}

/* Counts a profile, or adds it to a lane of its own. */
static void
fold_profile(struct speedscope *speedscope, struct profile *profile,
    double begin)
{
	struct fold *fold = &speedscope->fold;
	double scale = profile->scale;
	struct lane lane = { .timeline = fold->timeline };
	struct stack roots = { &lane.root,
	    speedscope->file.profile_count > 1, 0 };
	const struct span *span = profile->spans;
	size_t left = profile->span_count;

	if (scale == 0) {
		speedscope->tallies.others += profile->count;
		return;
	}
	lane.root = fold_name(fold, profile->name.len > 0 ? profile->name :
	    STR("(unnamed)"));
	if (!in_order)
		weights_count(&profile->weights, fold, scale, &roots);
	for (; left > 0; left--, span++) {
		weights_stack(&profile->weights, span->call, fold);
		lane_add(&lane, &fold->stack, span->start * scale - begin,
		    span->end * scale - begin);
	}
	fold->counts.samples += profile->count;
}

/* Folds all profiles; returns NULL, or the reason why it cannot. */
static const char *
fold_profiles(struct speedscope *speedscope)
{
	struct speedscope_file *file = &speedscope->file;
	struct profile *profile = file->profiles;
	uint32_t *name;
	uint64_t base, first = 0;	/* in nanoseconds, if it is time */
	double begin = HUGE_VAL;
	size_t i, at;

	if (!file->is_speedscope)
		return "it is not " KIND ", but other JSON";
	/* the names of calls are numbers of frames so far */
	for (at = 0; at < file->profile_count; at++, profile++)
		for (i = 0; i < profile->weights.count &&
		    !file->damaged; i++) {
			name = &profile->weights.calls[i].name;
			file->damaged = *name >= file->names.depth;
			if (!file->damaged)
				*name = file->names.frames[*name];
		}
	if (file->damaged)
		return "it is damaged: a stack refers to a missing frame";
	/* find the count at which the first profile begins */
	profile = file->profiles;
	for (at = 0; at < file->profile_count; at++, profile++) {
		if (profile->count == 0)
			continue;
		profile->scale = find_scale(speedscope, profile->unit);
		base = (uint64_t)profile->base * units[profile->unit].size;
		if (begin == HUGE_VAL)
			first = base;
		profile->at_base = (double)(int64_t)(base - first) /
		    units[speedscope->unit].size;
		if (profile->scale > 0)
			begin = fmin(begin, profile->begin * profile->scale +
			    profile->at_base);
	}
	profile = file->profiles;
	for (at = 0; at < file->profile_count; at++, profile++)
		if (profile->count > 0)
			fold_profile(speedscope, profile,
			    begin - profile->at_base);
	return NULL;
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct speedscope *speedscope = (struct speedscope *)fold;
	struct speedscope_file *file = &speedscope->file;
	struct tallies before = speedscope->tallies;
	size_t i;
	const char *reason = jsonfile_read(&speedscope->json, fold, content,
	    KIND, file_rows, speedscope);

	if (reason == NULL)
		reason = fold_profiles(speedscope);
	if (reason != NULL)
		speedscope->tallies = before;
	for (i = 0; i < file->profile_count; i++) {
		weights_free(&file->profiles[i].weights);
		free(file->profiles[i].spans);
	}
	free(file->profiles);
	free(file->names.frames);
	*file = (struct speedscope_file){ .profile_count = 0 };
	return reason;
}

static void
report(struct fold *fold)
{
	const struct speedscope *speedscope = (const struct speedscope *)fold;
	const struct tallies *tallies = &speedscope->tallies;

	fold_report_lost(fold, "samples with a negative weight, left out",
	    tallies->negative);
	fold_report_lost(fold, "samples without a weight, left out",
	    tallies->unweighed);
	fold_report_lost(fold, "weights without a sample, left out",
	    tallies->unsampled);
	fold_report_lost(fold, "samples or events with another unit than the "
	    "first, left out", tallies->others);
	message_count("close events without an open one, ignored",
	    tallies->unopened);
	message_count("open events that are never closed, ended with their "
	    "parent", tallies->unclosed);
	message_count("events without a time, or earlier than the one before, "
	    "given its time", tallies->backward);
}

static const struct option options[] = {
	COLLAPSE_IN_ORDER(&in_order),
	{ "lines", OPTION_FLAG, &lines, NULL,
	    "add file and line to the functions" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_SPEEDSCOPE], .size = sizeof(struct speedscope),
	.file = fold_file, .report = report,
	.nothing = "no sample has a stack",
	.options = options, .in_order = &in_order, .adds_folded = true,
};
