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

/* Phases: the types of events, "ph". */
#define BEGINS	'B'
#define ENDS	'E'
#define COMPLETE	'X'
#define METADATA	'M'

#define NO_TIME	INT64_MIN

/* The event that is being read; its texts live until the next one. */
struct event {
	struct str phase, name, pid, tid, id;
	int64_t time, duration;		/* nanoseconds, or NO_TIME */
	struct str args_name, args_detail;
	bool is_summary;
	struct str frame;		/* the id of a sample's, or caller's */
	struct v8_profile *piece;	/* of a profile */
};

/*
 * A process, a thread in it, or a profile of V8 in a process: in pieces that
 * have its id, or the samples of a thread.
 */
struct task {
	char kind;
	uint32_t within;	/* a thread's process, or the thread that
				   begins a profile */
	struct str id, name;
	struct slices slices;		/* of a thread */
	struct v8_profile *v8;		/* of a profile */
};

/* The kinds of tasks. */
#define PROCESS	'p'
#define THREAD	't'
#define PROFILE	'v'
#define SAMPLES	's'

/* The content of a file. */
struct trace_file {
	struct fold *fold;
	bool is_trace;			/* it has events */
	bool is_cut;			/* it ends inside an event */
	struct v8_profile piece;	/* of the event being read */
	struct table ids;		/* of tasks, within others */
	struct task *tasks;		/* by the numbers of ids */
	size_t room;
	uint32_t profiles;		/* how many of the tasks are some */
	struct table frame_ids;
	struct v8_profile frames;	/* nodes for all that are sampled */
	struct arena arena;		/* for names of tasks */
	struct text key;		/* an id, or a name, while it is made */
	unsigned long long timeless;	/* events without a time */
	size_t sliced;			/* events with one */
};

struct trace {
	struct fold fold;
	struct json json;
	unsigned long long timeless, lost;
	unsigned long long passed_over;	/* events, for a profile */
	struct slice_oddities odd;
};

/*
 * Tasks.
 */

/* Returns the number of a task within another one; it may be new. */
static uint32_t
find_task(struct trace_file *file, uint32_t within, char kind, struct str id)
{
	uint32_t known = file->ids.count, number;

	file->key.len = 0;
	text_add_number(&file->key, within);
	text_add_char(&file->key, kind);
	text_add(&file->key, id);
	number = table_add(&file->ids, text_str(&file->key));
	if (number < known)
		return number;
	file->tasks = mem_grow(file->tasks, &file->room, (size_t)number + 1,
	    sizeof(*file->tasks));
	file->tasks[number] = (struct task){
		.kind = kind, .within = within, .id = str_skip(
		    file->ids.keys[number], file->key.len - id.len)
	};
	return number;
}

/* Returns the number of an event's thread. */
static uint32_t
find_thread(struct trace_file *file, const struct event *event)
{
	return find_task(file, find_task(file, 0, PROCESS, event->pid), THREAD,
	    event->tid);
}

/* Returns the profile with an id in an event's process; it may begin there. */
static struct v8_profile *
find_profile(struct trace_file *file, const struct event *event, char kind,
    struct str id, bool begins)
{
	uint32_t thread = find_thread(file, event);
	uint32_t number = find_task(file, file->tasks[thread].within, kind, id);
	struct task *task = &file->tasks[number];

	if (task->v8 == NULL || begins)
		task->within = thread;
	if (task->v8 == NULL) {
		task->v8 = mem_array(1, sizeof(*task->v8));
		task->v8->fold = file->fold;
		task->v8->has_stamps = kind == SAMPLES;
		file->profiles++;
	}
	return task->v8;
}

/*
 * Events.
 */

static void
read_time(struct json *json, void *time)
{
	if (!json_fixed(json, 3, time))
		*(int64_t *)time = NO_TIME;
}

/* The data of an event may be a piece of a profile. */
#define AT(member)	offsetof(struct v8_profile, member)

static const struct json_row data_rows[] = {
	{ "cpuProfile", NULL, 0, v8_rows },
	{ "timeDeltas", json_to_column, AT(times), NULL },
	{ "startTime", json_to_double, AT(start), NULL },
	{ "endTime", json_to_double, AT(end), NULL },
	{ NULL, NULL, 0, NULL }
};

static void
read_data(struct json *json, void *event)
{
	json_object(json, data_rows, ((struct event *)event)->piece);
}

#undef AT
#define AT(member)	offsetof(struct event, member)

static const struct json_row args_rows[] = {
	{ "name", json_to_str, AT(args_name), NULL },
	{ "detail", json_to_str, AT(args_detail), NULL },
	{ "data", read_data, 0, NULL },
	{ "avg ms", json_to_flag, AT(is_summary), NULL },
	{ NULL, NULL, 0, NULL }
};

static const struct json_row event_rows[] = {
	{ "pid", json_to_name, AT(pid), NULL },
	{ "tid", json_to_name, AT(tid), NULL },
	{ "ph", json_to_str, AT(phase), NULL },
	{ "ts", read_time, AT(time), NULL },
	{ "dur", read_time, AT(duration), NULL },
	{ "name", json_to_str, AT(name), NULL },
	{ "args", NULL, 0, args_rows },
	{ "id", json_to_name, AT(id), NULL },
	{ "sf", json_to_name, AT(frame), NULL },
	{ "parent", json_to_name, AT(frame), NULL },
	{ NULL, NULL, 0, NULL }
};

/* Returns the number of the name of an event that takes time. */
static uint32_t
name_event(struct trace_file *file, const struct event *event)
{
	struct text *name = &file->key;

	if (!detail || event->args_detail.len == 0)
		return fold_name(file->fold, event->name.len > 0 ? event->name :
		    STR("(unnamed)"));
	name->len = 0;
	text_add(name, event->name);
	text_add_char(name, ' ');
	text_add(name, event->args_detail);
	return fold_name(file->fold, text_str(name));
}

/* Adds an event that takes time, or begins or ends to. */
static void
add_slice(struct trace_file *file, const struct event *event, char phase)
{
	uint32_t thread = find_thread(file, event);
	struct slices *slices = &file->tasks[thread].slices;
	/* times before 0 are below 2^63 */
	uint64_t start = (uint64_t)event->time + ((uint64_t)1 << 63);

	if (event->time == NO_TIME || (phase == COMPLETE &&
	    (event->duration < 0 ||
	    (uint64_t)event->duration > UINT64_MAX - start))) {
		file->timeless++;
		return;
	}
	if (phase == COMPLETE)
		slices_add(slices, start, start + (uint64_t)event->duration,
		    name_event(file, event));
	else if (phase == ENDS && event->name.len == 0)
		slices_mark(slices, start, SLICE_NO_NAME, false);
	else
		slices_mark(slices, start, name_event(file, event),
		    phase == BEGINS);
	file->sliced += phase != ENDS;
}

static void
add_event(struct trace_file *file, const struct event *event)
{
	char phase = event->phase.len == 1 ? event->phase.data[0] : '\0';
	uint32_t number;
	bool begins;

	switch (phase) {
	case COMPLETE:
		if (!event->is_summary)
			add_slice(file, event, phase);
		break;
	case BEGINS:
	case ENDS:
		add_slice(file, event, phase);
		break;
	case METADATA:		/* the name of a process or a thread */
		number = find_thread(file, event);
		if (str_equal(event->name, STR("process_name")))
			number = file->tasks[number].within;
		else if (!str_equal(event->name, STR("thread_name")))
			break;
		file->tasks[number].name = arena_copy(&file->arena,
		    event->args_name);
		break;
	case 'P':		/* a piece of a profile */
	case 'I':
		begins = str_equal(event->name, STR("Profile")) ||
		    str_equal(event->name, STR("CpuProfile"));
		if (begins || str_equal(event->name, STR("ProfileChunk")))
			v8_append(find_profile(file, event, PROFILE, event->id,
			    begins), event->piece);
		break;
	case '\0':
		return;
	}
	file->is_trace = true;
}

/* Reads an event, a sample or a frame; false for something else. */
static bool
read_event(struct json *json, struct trace_file *file, struct event *event)
{
	*event = (struct event){
		.time = NO_TIME, .duration = NO_TIME, .piece = &file->piece
	};
	v8_clear(&file->piece);
	return json_object(json, event_rows, event) && json->trouble == NULL;
}

static void
read_trace_event(struct json *json, void *file)
{
	struct arena before = json->texts;
	struct event event;

	if (read_event(json, file, &event))
		add_event(file, &event);
	json_forget(json, before);
}

/* Adds a sample to the profile of its thread. */
static void
read_sample(struct json *json, void *at)
{
	struct trace_file *file = at;
	struct arena before = json->texts;
	struct event event;
	struct v8_profile *v8;

	if (read_event(json, file, &event)) {
		file->is_trace = true;
		file->timeless += event.time == NO_TIME;
		if (event.time != NO_TIME) {
			v8 = find_profile(file, &event, SAMPLES, event.tid,
			    false);
			column_add(&v8->samples, table_add(&file->frame_ids,
			    event.frame));
			column_add(&v8->times, event.time / 1000);
		}
	}
	json_forget(json, before);
}

/* Reads { "1": { "name": "main" }, "2": { "name": "read", "parent": 1 } }. */
static void
read_frames(struct json *json, void *at)
{
	struct trace_file *file = at;
	struct arena before = json->texts;
	struct event event;
	struct str key;
	uint32_t id;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key)) {
		id = table_add(&file->frame_ids, key);
		if (read_event(json, file, &event))
			v8_add_node(&file->frames, id, event.frame.len == 0 ?
			    V8_NO_ID : table_add(&file->frame_ids,
			    event.frame), event.name);
		json_forget(json, before);
	}
}

static const struct json_row trace_rows[] = {
	{ "traceEvents", read_trace_event, 0, JSON_EACH },
	{ "samples", read_sample, 0, JSON_EACH },
	{ "stackFrames", read_frames, 0, NULL },
	{ NULL, NULL, 0, NULL }
};

/*
 * Reads a trace.  Programs write the array as they run, so it need not end; an
 * incomplete last event is left out.
 */
static void
read_trace(struct json *json, struct trace_file *file)
{
	enum json_type type = json_value(json);

	if (type == JSON_OBJECT)
		json_members(json, trace_rows, file);
	if (type != JSON_ARRAY)
		return;
	while (json_element(json))
		read_trace_event(json, file);
	if (json->ends_early && file->is_trace) {
		file->is_cut = json->depth > 1;
		json->trouble = NULL;
	}
}

/*
 * Stacks.
 */

/* Returns the number of a root: its name, "pid 12", or "shop-12". */
static uint32_t
name_root(struct trace_file *file, uint32_t number, const char *what,
    bool numbered)
{
	const struct task *task = &file->tasks[number];
	struct text *root = &file->key;

	root->len = 0;
	if (task->name.len == 0)
		text_add_format(root, "%s ", what);
	text_add(root, task->name);
	if (task->name.len > 0 && numbered)
		text_add_char(root, '-');
	if (task->name.len == 0 || numbered)
		text_add(root, task->id);
	return fold_name(file->fold, text_str(root));
}

/* Makes the roots of a thread's stacks, the inner one first. */
static void
make_roots(struct trace_file *file, uint32_t thread, struct stack *roots)
{
	roots->depth = 0;
	stack_push(roots, name_root(file, thread, "tid", tid));
	stack_push(roots, name_root(file, file->tasks[thread].within, "pid",
	    pid));
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
	struct stack roots = { 0 };
	uint32_t i, root;

	for (i = 0; i < file->ids.count; i++) {
		if (file->tasks[i].kind != THREAD)
			continue;
		make_roots(file, i, &roots);
		root = weights_call(weights, 0, roots.frames[1]);
		root = weights_call(weights, root, roots.frames[0]);
		slices_visit(&file->tasks[i].slices, weights, root,
		    &trace->odd, weigh_span, weights);
	}
	weights_count(weights, file->fold, 1e-3, NULL);
	free(roots.frames);
}

/*
 * Order.
 */

/* Begins the lane of a thread, "main-12/34". */
static struct lane
begin_lane(struct trace_file *file, uint32_t number)
{
	const struct task *thread = &file->tasks[number];
	const struct task *process = &file->tasks[thread->within];
	struct text *name = &file->key;

	name->len = 0;
	text_add(name, thread->name.len > 0 ? thread->name : process->name);
	if (name->len > 0)
		text_add_char(name, '-');
	text_add(name, process->id);
	text_add_char(name, '/');
	text_add(name, thread->id);
	return (struct lane){ file->fold->timeline,
	    fold_name(file->fold, text_str(name)), 0 };
}

/* A thread with events, sorted by its first one. */
struct started {
	uint64_t time;
	uint32_t thread;
};

/* The lane of a thread, whose events are calls. */
struct event_lane {
	struct fold *fold;
	struct lane lane;
	struct weights *calls;
	uint64_t begin;		/* of the trace */
};

static void
add_span(void *context, uint32_t call, uint64_t start, uint64_t end)
{
	struct event_lane *events = context;

	weights_stack(events->calls, call, events->fold);
	lane_add(&events->lane, &events->fold->stack,
	    (double)(start - events->begin) * 1e-3,
	    (double)(end - events->begin) * 1e-3);
}

/* Adds the lanes of all threads with events, on one clock. */
static void
order_slices(struct trace *trace, struct trace_file *file,
    struct weights *calls)
{
	struct started *list = mem_array(file->ids.count, sizeof(*list));
	struct event_lane events = { .fold = file->fold, .calls = calls };
	struct slices *slices;
	size_t count = 0, i;
	uint32_t number;

	for (number = 0; number < file->ids.count; number++) {
		slices = &file->tasks[number].slices;
		if (slices->has_time)
			list[count++] = (struct started){ slices->first,
			    number };
	}
	sort_by_number(list, count, sizeof(*list));
	for (i = 0; i < count; i++) {
		events.begin = list[0].time;
		events.lane = begin_lane(file, list[i].thread);
		slices_visit(&file->tasks[list[i].thread].slices, calls, 0,
		    &trace->odd, add_span, &events);
	}
	free(list);
}

/* Counts a profile, or adds it to a lane; all lanes have the same begin. */
static void
fold_profile(struct trace *trace, struct trace_file *file,
    const struct task *task, double begin)
{
	struct v8_profile *v8 = task->v8;
	struct stack roots = { 0 };
	struct lane lane;

	if (!in_order) {
		make_roots(file, task->within, &roots);
		v8_count(v8, &roots);
		free(roots.frames);
	} else if (v8_has_order(v8)) {
		lane = begin_lane(file, task->within);
		v8_order(v8, &lane, begin);
	} else
		trace->timeless += v8->samples.count;
	trace->lost += v8->lost;
	trace->timeless += v8->timeless;
}

/* Folds the profiles, whose threads share a clock. */
static const char *
fold_profiles(struct trace *trace, struct trace_file *file)
{
	struct task *task, *end = file->tasks + file->ids.count;
	const char *reason = NULL;
	double begin = HUGE_VAL;

	if (file->profiles * (uint64_t)file->frames.count > MOST_NODES)
		return "it has too many threads with samples";
	trace->timeless += file->timeless;
	for (task = file->tasks; task < end; task++) {
		if (task->v8 == NULL)
			continue;
		if (task->kind == SAMPLES)
			v8_append(task->v8, &file->frames);
		reason = v8_weigh(task->v8, false);
		if (reason != NULL)
			return reason;
		if (in_order && v8_has_order(task->v8))
			begin = fmin(begin, v8_begin(task->v8));
	}
	for (task = file->tasks; task < end; task++)
		if (task->v8 != NULL)
			fold_profile(trace, file, task, begin);
	trace->passed_over += file->sliced;
	return NULL;
}

static const char *
fold_trace(struct trace *trace, struct trace_file *file)
{
	struct weights weights = { .count = 0 };
	uint32_t i;

	if (!file->is_trace)
		return "it is not " KIND ", but other JSON";
	if (file->is_cut)
		fold_cut(file->fold);
	for (i = 0; !events_wanted && i < file->ids.count; i++)
		if (file->tasks[i].v8 != NULL &&
		    file->tasks[i].v8->samples.count > 0)
			return fold_profiles(trace, file);
	if (in_order)
		order_slices(trace, file, &weights);
	else
		weigh_slices(trace, file, &weights);
	trace->timeless += file->timeless;
	file->fold->counts.samples += file->sliced;
	weights_free(&weights);
	return NULL;
}

static void
free_file(struct trace_file *file)
{
	uint32_t i;

	for (i = 0; i < file->ids.count; i++) {
		slices_free(&file->tasks[i].slices);
		if (file->tasks[i].v8 != NULL)
			v8_free(file->tasks[i].v8);
		free(file->tasks[i].v8);
	}
	free(file->tasks);
	v8_free(&file->piece);
	v8_free(&file->frames);
	arena_free(&file->arena);
	free(file->key.data);
	table_free(&file->ids);
	table_free(&file->frame_ids);
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct trace *trace = (struct trace *)fold;
	struct json *json = &trace->json;
	const char *reason = jsonfile_begin(json, fold, content, KIND, "{[");
	struct trace_file file = {
		.fold = fold, .frames = { .fold = fold },
		.piece = { .fold = fold, .lines = lines }
	};

	if (reason == NULL) {
		read_trace(json, &file);
		reason = jsonfile_end(json, fold, content);
	}
	if (reason == NULL)
		reason = fold_trace(trace, &file);
	free_file(&file);
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
}

static const struct option options[] = {
	{ "detail", OPTION_FLAG, &detail, NULL,
	    "add the detail of clang's events to their names" },
	{ "events", OPTION_FLAG, &events_wanted, NULL,
	    "fold events, where samples of V8 are among them" },
	COLLAPSE_IN_ORDER(&in_order),
	{ "lines", OPTION_FLAG, &lines, NULL,
	    "add file and line to the functions of samples" },
	{ "pid", OPTION_FLAG, &pid, NULL,
	    "add the process's number to its name" },
	{ "tid", OPTION_FLAG, &tid, NULL,
	    "add the thread's number to its name" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_TRACE], .size = sizeof(struct trace),
	.file = fold_file, .report = report,
	.nothing = "no event takes time",
	.options = options, .in_order = &in_order, .adds_folded = true,
};
