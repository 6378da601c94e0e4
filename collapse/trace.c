/*
 * stackcollapse-trace: folds traces in Chrome's format: those of clang's
 * -ftime-trace, of Chrome, of Node.js, and of many other programs.
 *
 *	{"traceEvents":[
 *	{"ph":"X","pid":1,"tid":1,"ts":0,"dur":50,"name":"Frontend"},
 *	{"ph":"X","pid":1,"tid":1,"ts":10,"dur":30,"name":"Source"},
 *	{"ph":"M","pid":1,"tid":1,"name":"process_name",
 *	    "args":{"name":"clang"}}]}
 *
 * An event that lies within another one in time is called by it.  Each counts
 * its own microseconds, in its stack, which begins with process and thread:
 *
 *	clang;tid 1;Frontend 20
 *	clang;tid 1;Frontend;Source 30
 *
 * Where samples of V8 are among the events, as in recordings of DevTools, these
 * are folded instead: v8.h has their form.  So are those of Hermes:
 *
 *	"samples":[{"pid":1,"tid":"1","ts":"20","sf":2}],
 *	"stackFrames":{"1":{"name":"main"},"2":{"name":"read","parent":1}}
 */
#include <math.h>
#include <stdlib.h>

#include "collapse/jsonfile.h"
#include "collapse/lane.h"
#include "collapse/trace/slices.h"
#include "collapse/v8.h"
#include "collapse/weights.h"
#include "fold/collapse.h"
#include "lib/message.h"
#include "lib/options.h"
#include "lib/sort.h"

static bool detail, events_wanted, in_order, lines, pid, tid;

#define KIND	"a trace in Chrome's format"

#define MOST_NODES	((uint64_t)1 << 22)	/* copies of samples' frames */

/* Phases, which are the types of events, "ph". */
#define BEGINS	'B'
#define ENDS	'E'
#define COMPLETE	'X'
#define METADATA	'M'

/* An event as it is read; the texts keep their memory for the next one. */
struct event {
	char phase;
	bool has_time, has_duration, is_summary;
	int64_t time, duration;	/* nanoseconds */
	struct text name, pid, tid, id;
	struct text args_name, args_detail;
	struct text frame;		/* the id of a sample's, or caller's */
	struct v8_profile piece;	/* of a profile */
};

struct trace_process {
	struct str id;
	struct text name;
};

struct trace_thread {
	uint32_t process;
	struct str id;
	struct text name;
	struct slices slices;
};

/*
 * A profile of V8, in pieces that have its process and its id, or the samples
 * of a thread.
 */
struct trace_profile {
	bool is_sampled;
	uint32_t thread;		/* in which it was begun */
	struct v8_profile v8;
};

/* The content of a file. */
struct trace_file {
	struct fold *fold;
	bool is_trace;			/* it has events */
	bool is_cut;			/* it ends inside an event */
	struct event event;
	struct table process_ids, thread_ids, profile_ids;
	struct table frame_ids;
	struct v8_profile frames;	/* nodes for all that are sampled */
	struct trace_process *processes;
	struct trace_thread *threads;
	struct trace_profile *profiles;
	size_t process_room, thread_room, profile_room;
	struct text key;
	unsigned long long timeless;	/* events without a time */
	size_t sliced;			/* events with one */
};

struct trace {
	struct fold fold;
	struct jsonfile json;
	struct timeline timeline;	/* with --in-order */
	bool refused;			/* a trace was refused */
	unsigned long long timeless, lost, cut;
	unsigned long long passed_over;	/* events, for a profile */
	struct slice_oddities odd;
};

/*
 * Processes, threads and profiles.
 */

static uint32_t
find_process(struct trace_file *file)
{
	uint32_t known = file->process_ids.count;
	uint32_t number = table_add(&file->process_ids,
	    text_str(&file->event.pid));

	if (number < known)
		return number;
	file->processes = mem_grow(file->processes, &file->process_room,
	    (size_t)number + 1, sizeof(*file->processes));
	file->processes[number] = (struct trace_process){
		.id = file->process_ids.keys[number]
	};
	return number;
}

/* Makes a key of a process and of an id within it. */
static struct str
make_key(struct trace_file *file, uint32_t process, struct str id)
{
	file->key.len = 0;
	text_add_number(&file->key, process);
	text_add_char(&file->key, ' ');
	text_add(&file->key, id);
	return text_str(&file->key);
}

static uint32_t
find_thread(struct trace_file *file)
{
	uint32_t process = find_process(file), known = file->thread_ids.count;
	struct str key = make_key(file, process, text_str(&file->event.tid));
	uint32_t number = table_add(&file->thread_ids, key);

	if (number < known)
		return number;
	file->threads = mem_grow(file->threads, &file->thread_room,
	    (size_t)number + 1, sizeof(*file->threads));
	key = file->thread_ids.keys[number];
	file->threads[number] = (struct trace_thread){
		.process = process, .id = str_skip(key, str_find(key, ' ') + 1)
	};
	return number;
}

static struct trace_profile *
find_profile(struct trace_file *file, bool begins)
{
	uint32_t thread = find_thread(file), known = file->profile_ids.count;
	uint32_t number = table_add(&file->profile_ids, make_key(file,
	    file->threads[thread].process, text_str(&file->event.id)));
	struct trace_profile *profile;

	file->profiles = mem_grow(file->profiles, &file->profile_room,
	    (size_t)number + 1, sizeof(*file->profiles));
	profile = &file->profiles[number];
	if (number == known) {
		*profile = (struct trace_profile){
			.thread = thread, .v8 = { .fold = file->fold }
		};
		v8_init(&profile->v8);
	} else if (begins)
		profile->thread = thread;
	return profile;
}

/*
 * Events.
 */

/* Reads an id, which is a number or a text. */
static void
read_id(struct json *json, struct text *id)
{
	enum json_type type = json_value(json);
	int64_t number;

	id->len = 0;
	if (type == JSON_NUMBER && str_fixed(json->text, 0, &number))
		text_add_format(id, "%lld", (long long)number);
	else if (type == JSON_TEXT || type == JSON_NUMBER)
		text_add(id, json->text);
	else
		json_leave(json, type);
}

/* Reads the data of an event, which may be a piece of a profile. */
static void
read_data(struct json *json, struct v8_profile *piece)
{
	struct str key;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key))
		if (str_equal(key, STR("cpuProfile")))
			v8_read(json, piece);
		else if ((!str_equal(key, STR("timeDeltas")) &&
		    !str_equal(key, STR("startTime")) &&
		    !str_equal(key, STR("endTime"))) ||
		    !v8_read_member(json, piece, key))
			json_skip(json);
}

static void
read_args(struct json *json, struct event *event)
{
	struct str key;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key))
		if (str_equal(key, STR("name")))
			json_copy_text(json, &event->args_name);
		else if (str_equal(key, STR("detail")))
			json_copy_text(json, &event->args_detail);
		else if (str_equal(key, STR("data")))
			read_data(json, &event->piece);
		else {
			event->is_summary |= str_equal(key, STR("avg ms"));
			json_skip(json);
		}
}

/* Reads the type of an event, a letter. */
static char
read_phase(struct json *json)
{
	struct str phase;

	return json_text(json, &phase) && phase.len == 1 ? phase.data[0] :
	    '\0';
}

static void
read_member(struct json *json, struct event *event, struct str key)
{
	if (str_equal(key, STR("name")))
		json_copy_text(json, &event->name);
	else if (str_equal(key, STR("ph")))
		event->phase = read_phase(json);
	else if (str_equal(key, STR("ts")))
		event->has_time = json_fixed(json, 3, &event->time);
	else if (str_equal(key, STR("dur")))
		event->has_duration = json_fixed(json, 3, &event->duration);
	else if (str_equal(key, STR("pid")))
		read_id(json, &event->pid);
	else if (str_equal(key, STR("tid")))
		read_id(json, &event->tid);
	else if (str_equal(key, STR("id")))
		read_id(json, &event->id);
	else if (str_equal(key, STR("sf")) || str_equal(key, STR("parent")))
		read_id(json, &event->frame);
	else if (str_equal(key, STR("args")))
		read_args(json, event);
	else
		json_skip(json);
}

static void
clear_event(struct event *event)
{
	event->phase = '\0';
	event->has_time = event->has_duration = event->is_summary = false;
	event->time = event->duration = 0;
	event->name.len = event->pid.len = event->tid.len = event->id.len = 0;
	event->args_name.len = event->args_detail.len = 0;
	event->frame.len = 0;
	v8_clear(&event->piece);
}

/* Returns the number of the name of an event that takes time. */
static uint32_t
name_event(struct trace_file *file)
{
	struct event *event = &file->event;

	if (detail && event->args_detail.len > 0) {
		text_add_char(&event->name, ' ');
		text_add(&event->name, text_str(&event->args_detail));
	}
	return fold_name(file->fold, event->name.len > 0 ?
	    text_str(&event->name) : STR("(unnamed)"));
}

/* Adds an event that takes time, or begins or ends to. */
static void
add_slice(struct trace_file *file)
{
	struct event *event = &file->event;
	uint32_t thread = find_thread(file);
	struct slices *slices = &file->threads[thread].slices;
	/* times before 0 are below 2^63 */
	uint64_t start = (uint64_t)event->time + ((uint64_t)1 << 63);

	if (!event->has_time || (event->phase == COMPLETE &&
	    (!event->has_duration || event->duration < 0 ||
	    (uint64_t)event->duration > UINT64_MAX - start))) {
		file->timeless++;
		return;
	}
	if (event->phase == COMPLETE)
		slices_add(slices, start, start + (uint64_t)event->duration,
		    name_event(file));
	else if (event->phase == ENDS && event->name.len == 0)
		slices_mark(slices, start, SLICE_NO_NAME, false);
	else
		slices_mark(slices, start, name_event(file),
		    event->phase == BEGINS);
	file->sliced += event->phase != ENDS;
}

/* Notes the name of a process or a thread. */
static void
add_metadata(struct trace_file *file)
{
	const struct event *event = &file->event;
	uint32_t thread = find_thread(file);
	struct text *name;

	if (str_equal(text_str(&event->name), STR("process_name")))
		name = &file->processes[file->threads[thread].process].name;
	else if (str_equal(text_str(&event->name), STR("thread_name")))
		name = &file->threads[thread].name;
	else
		return;
	name->len = 0;
	text_add(name, text_str(&event->args_name));
}

/* Adds a piece of a profile, if the event is one. */
static void
add_piece(struct trace_file *file)
{
	const struct event *event = &file->event;
	bool begins = str_equal(text_str(&event->name), STR("Profile")) ||
	    str_equal(text_str(&event->name), STR("CpuProfile"));

	if (begins || str_equal(text_str(&event->name), STR("ProfileChunk")))
		v8_append(&find_profile(file, begins)->v8, &event->piece);
}

static void
add_event(struct trace_file *file)
{
	switch (file->event.phase) {
	case COMPLETE:
		if (!file->event.is_summary)
			add_slice(file);
		break;
	case BEGINS:
	case ENDS:
		add_slice(file);
		break;
	case METADATA:
		add_metadata(file);
		break;
	case 'P':
	case 'I':
		add_piece(file);
		break;
	case '\0':
		return;
	}
	file->is_trace = true;
}

/* Adds a sample to the profile of its thread. */
static void
add_sample(struct trace_file *file)
{
	struct event *event = &file->event;
	struct trace_profile *profile;

	file->is_trace = true;
	if (!event->has_time) {
		file->timeless++;
		return;
	}
	event->id.len = 0;
	text_add_format(&event->id, "thread ");
	text_add(&event->id, text_str(&event->tid));
	profile = find_profile(file, false);
	profile->is_sampled = profile->v8.has_stamps = true;
	column_add(&profile->v8.samples, table_add(&file->frame_ids,
	    text_str(&event->frame)));
	column_add(&profile->v8.times, event->time / 1000);
}

/* Reads an event, a sample or a frame; false if it is none. */
static bool
read_event(struct json *json, struct trace_file *file)
{
	struct str key;

	if (!json_enters(json, JSON_OBJECT))
		return false;
	clear_event(&file->event);
	while (json_member(json, &key))
		read_member(json, &file->event, key);
	return json->trouble == NULL;
}

/* Reads the rest of an array of events, or of samples. */
static void
read_events(struct json *json, struct trace_file *file,
    void (*add)(struct trace_file *file))
{
	while (json_element(json))
		if (read_event(json, file))
			add(file);
}

/* Reads { "1": { "name": "main" }, "2": { "name": "read", "parent": 1 } }. */
static void
read_frames(struct json *json, struct trace_file *file)
{
	const struct event *event = &file->event;
	struct str key;
	uint32_t id;

	while (json_member(json, &key)) {
		id = table_add(&file->frame_ids, key);
		if (read_event(json, file))
			v8_add_node(&file->frames, id, event->frame.len == 0 ?
			    V8_NO_ID : table_add(&file->frame_ids,
			    text_str(&event->frame)), text_str(&event->name));
	}
}

/*
 * Reads a trace.  An array need not end, since programs write it as they run:
 * where it ends inside an event, that one is left out.
 */
static void
read_trace(struct json *json, struct trace_file *file)
{
	enum json_type type = json_value(json);
	struct str key;

	if (type == JSON_ARRAY) {
		read_events(json, file, add_event);
		if (json->ends_early && file->is_trace) {
			file->is_cut = json->depth > 1;
			json->trouble = NULL;
		}
	}
	if (type != JSON_OBJECT)
		return;
	while (json_member(json, &key))
		if (str_equal(key, STR("stackFrames"))) {
			if (json_enters(json, JSON_OBJECT))
				read_frames(json, file);
		} else if (str_equal(key, STR("samples"))) {
			if (json_enters(json, JSON_ARRAY))
				read_events(json, file, add_sample);
		} else if (!str_equal(key, STR("traceEvents")))
			json_skip(json);
		else if (json_enters(json, JSON_ARRAY))
			read_events(json, file, add_event);
}

/*
 * Stacks.
 */

/* Returns the number of a root: its name, "pid 12", or "shop-12". */
static uint32_t
name_root(struct fold *fold, const struct text *name, struct str id,
    const char *what, bool numbered)
{
	struct text root = { 0 };
	uint32_t number;

	if (name->len == 0)
		text_add_format(&root, "%s ", what);
	else {
		text_add(&root, text_str(name));
		if (numbered)
			text_add_char(&root, '-');
	}
	if (name->len == 0 || numbered)
		text_add(&root, id);
	number = fold_name(fold, text_str(&root));
	free(root.data);
	return number;
}

/* Makes the roots of a thread's stacks, the inner one first. */
static void
make_roots(struct trace_file *file, const struct trace_thread *thread,
    struct stack *roots)
{
	const struct trace_process *process =
	    &file->processes[thread->process];

	roots->depth = 0;
	stack_push(roots, name_root(file->fold, &thread->name, thread->id,
	    "tid", tid));
	stack_push(roots, name_root(file->fold, &process->name, process->id,
	    "pid", pid));
}

static void
weigh_span(void *weights, uint32_t call, uint64_t start, uint64_t end)
{
	weights_add(weights, call, (double)(end - start));
}

static void
weigh_slices(struct trace *trace, struct trace_file *file,
    struct weights *weights)
{
	static const struct stack no_roots = { 0 };
	struct stack roots = { 0 };
	uint32_t i, root;

	for (i = 0; i < file->thread_ids.count; i++) {
		make_roots(file, &file->threads[i], &roots);
		root = weights_call(weights, 0, roots.frames[1]);
		root = weights_call(weights, root, roots.frames[0]);
		slices_visit(&file->threads[i].slices, weights, root,
		    &trace->odd, weigh_span, weights);
	}
	weights_count(weights, file->fold, 1e-3, &no_roots);
	free(roots.frames);
}

/*
 * Order.
 */

/* Returns the number of the name of a thread's lane, "main-12/34". */
static uint32_t
name_lane(struct trace_file *file, const struct trace_thread *thread)
{
	const struct trace_process *process =
	    &file->processes[thread->process];
	const struct text *name = thread->name.len > 0 ? &thread->name :
	    &process->name;
	struct text made = { 0 };
	uint32_t number;

	text_add(&made, text_str(name));
	if (name->len > 0)
		text_add_char(&made, '-');
	text_add(&made, process->id);
	text_add_char(&made, '/');
	text_add(&made, thread->id);
	number = fold_name(file->fold, text_str(&made));
	free(made.data);
	return number;
}

/* A thread with events, by the begin of its first one, for sort_by_number. */
struct started {
	uint64_t time;
	uint32_t thread;
};

/* Returns the threads with events in their order; stores how many there are. */
static struct started *
sort_threads(const struct trace_file *file, size_t *count)
{
	struct started *list = mem_array(file->thread_ids.count,
	    sizeof(*list));
	const struct slices *slices;
	uint32_t i;

	*count = 0;
	for (i = 0; i < file->thread_ids.count; i++) {
		slices = &file->threads[i].slices;
		if (slices->has_time)
			list[(*count)++] = (struct started){ slices->first, i };
	}
	sort_by_number(list, *count, sizeof(*list));
	return list;
}

/* The lane of a thread, whose events are calls. */
struct event_lane {
	struct lane lane;
	struct weights *calls;
	uint64_t begin;		/* of the trace */
};

static void
add_span(void *context, uint32_t call, uint64_t start, uint64_t end)
{
	struct event_lane *events = context;

	weights_stack(events->calls, call, &events->lane.fold->stack);
	lane_add(&events->lane, (double)(start - events->begin) * 1e-3,
	    (double)(end - events->begin) * 1e-3);
}

/* Adds the lanes of all threads with events, which share a clock. */
static void
order_slices(struct trace *trace, struct trace_file *file,
    struct weights *calls)
{
	size_t count, i;
	struct started *list = sort_threads(file, &count);
	struct event_lane events = { .calls = calls };
	struct trace_thread *thread;

	for (i = 0; i < count; i++) {
		thread = &file->threads[list[i].thread];
		events.begin = list[0].time;
		events.lane = lane_begin(file->fold, name_lane(file, thread));
		slices_visit(&thread->slices, calls, 0, &trace->odd, add_span,
		    &events);
	}
	free(list);
}

static void
fold_slices(struct trace *trace, struct trace_file *file)
{
	struct weights weights;

	weights_init(&weights);
	if (in_order)
		order_slices(trace, file, &weights);
	else
		weigh_slices(trace, file, &weights);
	trace->cut += weights.cut;
	trace->timeless += file->timeless;
	file->fold->counts.samples += file->sliced;
	weights_free(&weights);
}

/* Counts a profile, which was weighed, in its thread. */
static void
count_profile(struct trace_file *file, struct trace_profile *profile)
{
	struct stack roots = { 0 };

	make_roots(file, &file->threads[profile->thread], &roots);
	v8_count(&profile->v8, &roots);
	free(roots.frames);
}

/* Adds the lanes of all profiles, which were weighed, and share a clock. */
static void
order_profiles(struct trace_file *file)
{
	double begin = HUGE_VAL;
	struct trace_profile *profile, *end = file->profiles +
	    file->profile_ids.count;
	struct lane lane;

	for (profile = file->profiles; profile < end; profile++)
		if (v8_has_order(&profile->v8))
			begin = fmin(begin, v8_begin(&profile->v8));
	for (profile = file->profiles; profile < end; profile++) {
		if (!v8_has_order(&profile->v8))
			continue;
		lane = lane_begin(file->fold, name_lane(file,
		    &file->threads[profile->thread]));
		v8_order(&profile->v8, &lane, begin);
	}
}

static const char *
fold_profiles(struct trace *trace, struct trace_file *file)
{
	struct trace_profile *profile;
	const char *reason = NULL;
	uint32_t i;

	if (file->profile_ids.count * (uint64_t)file->frames.count > MOST_NODES)
		return "it has too many threads with samples";
	trace->timeless += file->timeless;
	for (i = 0; i < file->profile_ids.count; i++) {
		profile = &file->profiles[i];
		if (profile->is_sampled)
			v8_append(&profile->v8, &file->frames);
		reason = v8_weigh(&profile->v8, false);
		if (reason != NULL)
			return reason;
	}
	if (in_order)
		order_profiles(file);
	for (i = 0; i < file->profile_ids.count; i++) {
		profile = &file->profiles[i];
		if (!in_order)
			count_profile(file, profile);
		else if (!v8_has_order(&profile->v8))
			trace->timeless += profile->v8.samples.count;
		trace->lost += profile->v8.lost;
		trace->timeless += profile->v8.timeless;
		trace->cut += profile->v8.cut;
	}
	trace->passed_over += file->sliced;
	return NULL;
}

static bool
has_profiles(const struct trace_file *file)
{
	uint32_t i;

	for (i = 0; i < file->profile_ids.count; i++)
		if (file->profiles[i].v8.samples.count > 0)
			return true;
	return false;
}

static const char *
fold_trace(struct trace *trace, struct trace_file *file)
{
	if (!file->is_trace)
		return "it is not " KIND ", but other JSON";
	if (file->is_cut)
		fold_cut(file->fold);
	if (!events_wanted && has_profiles(file))
		return fold_profiles(trace, file);
	fold_slices(trace, file);
	return NULL;
}

static void
init_file(struct trace_file *file, struct fold *fold)
{
	*file = (struct trace_file){ .fold = fold };
	table_init(&file->process_ids);
	table_init(&file->thread_ids);
	table_init(&file->profile_ids);
	table_init(&file->frame_ids);
	file->frames.fold = fold;
	v8_init(&file->frames);
	file->event.piece = (struct v8_profile){
		.fold = fold, .lines = lines
	};
	v8_init(&file->event.piece);
}

static void
free_file(struct trace_file *file)
{
	struct event *event = &file->event;
	uint32_t i;

	for (i = 0; i < file->process_ids.count; i++)
		free(file->processes[i].name.data);
	for (i = 0; i < file->thread_ids.count; i++) {
		slices_free(&file->threads[i].slices);
		free(file->threads[i].name.data);
	}
	for (i = 0; i < file->profile_ids.count; i++)
		v8_free(&file->profiles[i].v8);
	v8_free(&event->piece);
	v8_free(&file->frames);
	free(event->frame.data);
	free(event->name.data);
	free(event->pid.data);
	free(event->tid.data);
	free(event->id.data);
	free(event->args_name.data);
	free(event->args_detail.data);
	free(file->processes);
	free(file->threads);
	free(file->profiles);
	free(file->key.data);
	table_free(&file->process_ids);
	table_free(&file->thread_ids);
	table_free(&file->profile_ids);
	table_free(&file->frame_ids);
}

static const char *
fold_file(struct fold *fold, const struct beginning *beginning)
{
	struct trace *trace = (struct trace *)fold;
	const char *reason = jsonfile_begin(&trace->json, fold, beginning,
	    KIND, "{[");
	struct trace_file file;

	init_file(&file, fold);
	if (reason == NULL) {
		read_trace(&trace->json.json, &file);
		reason = jsonfile_finish(&trace->json);
	}
	if (reason == NULL)
		reason = fold_trace(trace, &file);
	free_file(&file);
	jsonfile_end(&trace->json);
	trace->refused |= reason != NULL;
	return reason;
}

static void
report(struct fold *fold)
{
	const struct trace *trace = (const struct trace *)fold;

	message_count("events beside samples, left out; --events folds them "
	    "instead", trace->passed_over);
	fold_report_lost(fold, "events or samples without a time, left out",
	    trace->timeless);
	message_count("begin events without an end, ended with their parent "
	    "or thread", trace->odd.unended);
	fold_report_lost(fold, "end events without a beginning, left out",
	    trace->odd.unbegun);
	message_count("events that outlast their parent, cut at its end",
	    trace->odd.cut);
	fold_report_lost(fold, "samples that refer to a missing node, left out",
	    trace->lost);
	message_count("stacks of more than 4,096 frames, cut off at their root",
	    trace->cut);
	if (fold->counts.samples == 0 && !trace->refused)
		message_warn("no event takes time");
}

static void
begin(struct fold *fold)
{
	if (in_order)
		lane_prepare(fold, &((struct trace *)fold)->timeline);
}

static const struct format format = {
	.source = "a program that traces",
	.sample = "trace event",
	.size = sizeof(struct trace),
	.begin = begin,
	.file = fold_file,
	.report = report,
	.adds_folded = true,
};

static const struct option options[] = {
	{ "detail", OPTION_FLAG, &detail, NULL,
	    "add the detail of clang's events to their names" },
	{ "events", OPTION_FLAG, &events_wanted, NULL,
	    "fold events, where samples of V8 are among them" },
	LANE_OPTION(&in_order),
	{ "lines", OPTION_FLAG, &lines, NULL,
	    "add file and line to the functions of samples" },
	{ "pid", OPTION_FLAG, &pid, NULL,
	    "add the process's number to its name" },
	{ "tid", OPTION_FLAG, &tid, NULL,
	    "add the thread's number to its name" },
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
