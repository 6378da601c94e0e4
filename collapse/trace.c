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
#include "collapse/v8.h"
#include "collapse/weights.h"
#include "fold/collapse.h"
#include "lib/message.h"
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

/* Less is due to times that are rounded to microseconds. */
#define ROUNDING	1000	/* nanoseconds */

/*
 * An event of a thread that takes time.  It is within the one that it begins
 * in, until that one ends:
 *
 *	name	0    1    2    3    4    5
 *	Task	[-------------------)
 *	Parse	     [---------)
 *	Style	               [--------)	ends after Task
 *
 * This is Task;Parse 2, Task;Style 1 and Task 1.
 */
struct slice {
	uint64_t key;		/* first, for sort_by_number */
	uint64_t start, end;	/* nanoseconds */
	uint32_t name;
};

/* Where a slice begins or ends. */
struct slice_mark {
	uint64_t time;		/* first, for sort_by_number */
	uint32_t name;		/* SLICE_NO_NAME: an end without one */
	bool begins;
};

#define SLICE_NO_NAME	UINT32_MAX

/* The slices of a thread. */
struct slices {
	struct slice *list;
	size_t count, room;
	struct slice_mark *marks;
	size_t mark_count, mark_room;
	uint64_t first, last;	/* when the first begins, and the last ends;
				   `last` is below `first` without slices */
};

/* The event that is being read. */
struct event {
	struct str phase, name, pid, tid, id;
	int64_t time, duration;		/* nanoseconds, or NO_TIME */
	struct str args_name, args_detail;
	bool is_summary;
	struct str frame;		/* the id of a sample's, or caller's */
	struct v8_profile piece;	/* of a profile; last, and kept */
};

/*
 * A process, a thread in it, or a profile of V8 in a process: in pieces that
 * have its id, or the samples of a thread.
 */
struct task {
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
	struct event event;		/* being read */
	struct table ids;		/* of tasks, within others */
	struct task *tasks;		/* by the numbers of ids */
	size_t room;
	uint32_t profiles;		/* how many of the tasks are some */
	struct table frame_ids;
	struct v8_profile frames;	/* nodes for all that are sampled */
	struct arena arena;		/* for names of tasks */
	unsigned long long timeless;	/* events without a time */
	size_t sliced;			/* events with one */
};

struct trace {
	struct fold fold;
	struct json json;
	unsigned long long timeless, lost;
	unsigned long long passed_over;	/* events, for a profile */
	unsigned long long unended;	/* slices; they last until `last` */
	unsigned long long unbegun;	/* ends of slices, left out */
	unsigned long long cut;		/* slices, by their parent's end */
};

/* Returns the number of a task within another one. */
static uint32_t
find_task(struct trace_file *file, uint32_t within, char kind, struct str id)
{
	uint32_t known = file->ids.count, number;
	struct text *key = &file->fold->name;

	key->len = 0;
	text_add_number(key, within);
	text_add_char(key, kind);
	text_add(key, id);
	number = table_add(&file->ids, text_str(key));
	if (number == known)
		*LIST_AT(file->tasks, number, file->room) = (struct task){
			.within = within, .id = str_skip(
			    file->ids.keys[number], key->len - id.len),
			.slices = { .first = UINT64_MAX }
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

/* Returns the profile with an id in an event's process. */
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

/* Adds a slice that is known from its start to its end. */
static void
add_complete(struct slices *slices, uint64_t start, uint64_t end, uint32_t name)
{
	slices->list = mem_grow_small(slices->list, &slices->room,
	    slices->count + 1, sizeof(*slices->list));
	slices->list[slices->count++] = (struct slice){
		.start = start, .end = end, .name = name
	};
}

static void
read_time(struct json *json, void *time)
{
	if (!json_fixed(json, 3, time))
		*(int64_t *)time = NO_TIME;
}

#define AT(member)	offsetof(struct event, member)

/* The data of an event may be a piece of a profile. */
static const struct json_row data_rows[] = {
	{ "cpuProfile", NULL, AT(piece), v8_rows },
	{ "timeDeltas", json_to_column, AT(piece.times), NULL },
	{ "startTime", json_to_double, AT(piece.start), NULL },
	{ "endTime", json_to_double, AT(piece.end), NULL },
	{ NULL, NULL, 0, NULL }
};

static const struct json_row args_rows[] = {
	{ "name", json_to_str, AT(args_name), NULL },
	{ "detail", json_to_str, AT(args_detail), NULL },
	{ "data", NULL, 0, data_rows },
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
	struct text *name = &file->fold->name;

	if (!detail || event->args_detail.len == 0)
		return fold_name(file->fold, event->name.len > 0 ? event->name :
		    STR("(unnamed)"));
	name->len = 0;
	text_add(name, event->name);
	text_add_char(name, ' ');
	text_add(name, event->args_detail);
	return fold_name(file->fold, text_str(name));
}

/* Adds an event that takes time, or a beginning or an end. */
static void
add_slice(struct trace_file *file, const struct event *event, char phase)
{
	uint32_t thread = find_thread(file, event);
	struct slices *slices = &file->tasks[thread].slices;
	/* times before 0 are below 2^63 */
	uint64_t start = (uint64_t)event->time + ((uint64_t)1 << 63);
	int64_t duration = phase == COMPLETE ? event->duration : 0;
	uint64_t end = start + (uint64_t)duration;
	uint32_t name = SLICE_NO_NAME;

	if (event->time == NO_TIME || duration < 0 || end < start) {
		file->timeless++;
		return;
	}
	if (phase != ENDS || event->name.len > 0)
		name = name_event(file, event);
	if (phase == COMPLETE)
		add_complete(slices, start, end, name);
	else {
		slices->marks = mem_grow_small(slices->marks,
		    &slices->mark_room, slices->mark_count + 1,
		    sizeof(*slices->marks));
		slices->marks[slices->mark_count++] =
		    (struct slice_mark){ start, name, phase == BEGINS };
	}
	if (start < slices->first)
		slices->first = start;
	if (end > slices->last)
		slices->last = end;
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
			    begins), &event->piece);
		break;
	case '\0':
		return;
	}
	file->is_trace = true;
}

/* Reads an event, a sample or a frame; false for something else. */
static bool
read_event(struct json *json, struct trace_file *file)
{
	struct event *event = &file->event;

	memset(event, 0, offsetof(struct event, piece));
	event->time = event->duration = NO_TIME;
	v8_clear(&event->piece);
	return json_object(json, event_rows, event) && json->trouble == NULL;
}

static void
read_trace_event(struct json *json, void *file)
{
	struct arena before = json->texts;

	if (read_event(json, file))
		add_event(file, &((struct trace_file *)file)->event);
	arena_free_since(&json->texts, before);
}

/* Adds a sample to the profile of its thread. */
static void
read_sample(struct json *json, void *at)
{
	struct trace_file *file = at;
	const struct event *event = &file->event;
	struct arena before = json->texts;
	bool found = read_event(json, file);
	struct v8_profile *v8;

	file->is_trace |= found;
	file->timeless += found && event->time == NO_TIME;
	if (found && event->time != NO_TIME) {
		v8 = find_profile(file, event, SAMPLES, event->tid, false);
		column_add(&v8->samples, table_add(&file->frame_ids,
		    event->frame));
		column_add(&v8->times, event->time / 1000);
	}
	arena_free_since(&json->texts, before);
}

/* Reads { "1": { "name": "main" }, "2": { "name": "read", "parent": 1 } }. */
static void
read_frames(struct json *json, void *at)
{
	struct trace_file *file = at;
	const struct event *event = &file->event;
	struct arena before = json->texts;
	struct str key;
	uint32_t id;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key)) {
		id = table_add(&file->frame_ids, key);
		if (read_event(json, file))
			v8_add_node(&file->frames, id, event->frame.len == 0 ?
			    V8_NO_ID : table_add(&file->frame_ids,
			    event->frame), event->name);
		arena_free_since(&json->texts, before);
	}
}

static const struct json_row trace_rows[] = {
	{ "traceEvents", read_trace_event, 0, JSON_EACH },
	{ "samples", read_sample, 0, JSON_EACH },
	{ "stackFrames", read_frames, 0, NULL },
	{ "", read_trace_event, 0, NULL },	/* of an array in its place */
	{ NULL, NULL, 0, NULL }
};

/*
 * Slices.
 */

/*
 * Makes slices of the marks.  An end is that of the innermost slice with its
 * name, and of the slices inside, which have lost their own ends.
 */
static void
pair_marks(struct trace *trace, struct slices *slices)
{
	const struct slice_mark *mark = slices->marks;
	size_t left = slices->mark_count;
	size_t *begun = NULL, count = 0, room = 0;	/* numbers of slices */
	struct intmap names = { 0 };	/* how many begun have each, and 1 */
	struct slice *slice;
	uint32_t *of_name, name;

	sort_by_number(slices->marks, slices->mark_count,
	    sizeof(*slices->marks));
	for (; left > 0; left--, mark++) {
		if (mark->begins) {
			*LIST_ADD(begun, count, room) = slices->count;
			of_name = intmap_at(&names, mark->name);
			*of_name = *of_name == 0 ? 2 : *of_name + 1;
			add_complete(slices, mark->time, mark->time,
			    mark->name);
			continue;
		}
		name = mark->name == SLICE_NO_NAME && count > 0 ?
		    slices->list[begun[count - 1]].name : mark->name;
		if (intmap_find(&names, name) < 2) {
			trace->unbegun++;
			continue;
		}
		do {
			slice = &slices->list[begun[--count]];
			slice->end = mark->time;
			--*intmap_at(&names, slice->name);
			trace->unended += slice->name != name;
		} while (slice->name != name);
	}
	trace->unended += count;
	while (count > 0)
		slices->list[begun[--count]].end = slices->last;
	free(begun);
	intmap_free(&names);
}

/*
 * Sorts slices by their starts, and then by their ends, the last first.  Of
 * equal ones among the first `complete` the later is the outer one: programs
 * write these as they end.
 */
static void
sort_slices(struct slices *slices, size_t complete)
{
	struct slice slice;
	size_t i;

	for (i = 0; i < complete / 2; i++) {
		slice = slices->list[i];
		slices->list[i] = slices->list[complete - 1 - i];
		slices->list[complete - 1 - i] = slice;
	}
	for (i = 0; i < slices->count; i++)
		slices->list[i].key = UINT64_MAX - slices->list[i].end;
	sort_by_number(slices->list, slices->count, sizeof(*slices->list));
	for (i = 0; i < slices->count; i++)
		slices->list[i].key = slices->list[i].start;
	sort_by_number(slices->list, slices->count, sizeof(*slices->list));
}

/* Slices that the next one may be within, the innermost last. */
struct open_slice {
	uint32_t call;
	uint64_t end;
};

struct open_slices {
	struct trace *trace;
	struct open_slice *list;
	size_t depth, room;
	uint64_t at;		/* all time before it was counted */
	struct weights calls;
	uint32_t root;		/* the call that slices of a thread are in */
	struct lane lane;	/* of the thread, with --in-order */
	uint64_t begin;		/* of the trace */
};

/* Counts the innermost slice until a time. */
static void
count_until(struct open_slices *open, uint64_t end)
{
	uint32_t call;

	if (open->depth > 0 && end > open->at) {
		call = open->list[open->depth - 1].call;
		if (in_order) {
			weights_stack(&open->calls, call, &open->trace->fold);
			lane_add(&open->lane, &open->trace->fold.stack,
			    (double)(open->at - open->begin) * 1e-3,
			    (double)(end - open->begin) * 1e-3);
		} else
			weights_add(&open->calls, call,
			    (double)(end - open->at));
	}
	open->at = end;
}

/* Leaves the slices that end by this time, and counts the time passed. */
static void
pass(struct open_slices *open, uint64_t time)
{
	while (open->depth > 0 && open->list[open->depth - 1].end <= time) {
		count_until(open, open->list[open->depth - 1].end);
		open->depth--;
	}
	count_until(open, time);
}

/* Counts all slices of a thread. */
static void
count_slices(struct open_slices *open, struct slices *slices)
{
	size_t complete = slices->count, i;
	struct open_slice outer, inner;

	pair_marks(open->trace, slices);
	sort_slices(slices, complete);
	open->at = 0;
	for (i = 0; i < slices->count; i++) {
		pass(open, slices->list[i].start);
		outer = open->depth > 0 ? open->list[open->depth - 1] :
		    (struct open_slice){ open->root, UINT64_MAX };
		inner = (struct open_slice){ weights_call(&open->calls,
		    outer.call, slices->list[i].name), slices->list[i].end };
		if (inner.end > outer.end) {
			open->trace->cut += inner.end - outer.end > ROUNDING;
			inner.end = outer.end;
		}
		*LIST_ADD(open->list, open->depth, open->room) = inner;
	}
	pass(open, UINT64_MAX);
}

/* Returns the number of a root: its name, "pid 12", or "shop-12". */
static uint32_t
name_root(struct trace_file *file, uint32_t number, const char *what,
    bool numbered)
{
	const struct task *task = &file->tasks[number];
	struct text *root = &file->fold->name;
	bool named = task->name.len > 0;

	root->len = 0;
	text_add(root, named ? task->name : str_from(what));
	if (!named || numbered) {
		text_add_char(root, named ? '-' : ' ');
		text_add(root, task->id);
	}
	return fold_name(file->fold, text_str(root));
}

/* Makes the roots of a thread's stacks, the inner one first. */
static void
make_roots(struct trace_file *file, uint32_t thread, uint32_t roots[2])
{
	roots[0] = name_root(file, thread, "tid", tid);
	roots[1] = name_root(file, file->tasks[thread].within, "pid", pid);
}

/* Begins the lane of a thread, "main-12/34". */
static struct lane
begin_lane(struct trace_file *file, uint32_t number)
{
	const struct task *thread = &file->tasks[number];
	const struct task *process = &file->tasks[thread->within];
	struct text *name = &file->fold->name;

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

/* Counts the slices of all threads, or adds them to lanes with one clock. */
static void
fold_slices(struct trace *trace, struct trace_file *file)
{
	struct started *list = mem_array(file->ids.count, sizeof(*list));
	struct open_slices open = { .trace = trace };
	const struct slices *slices;
	size_t count = 0, i;
	uint32_t number, roots[2];

	for (number = 0; number < file->ids.count; number++) {
		slices = &file->tasks[number].slices;
		if (slices->first <= slices->last)
			list[count++] = (struct started){ slices->first,
			    number };
	}
	sort_by_number(list, count, sizeof(*list));
	for (i = 0; i < count; i++) {
		number = list[i].thread;
		open.begin = list[0].time;
		if (in_order)
			open.lane = begin_lane(file, number);
		else {
			make_roots(file, number, roots);
			open.root = weights_call(&open.calls, weights_call(
			    &open.calls, 0, roots[1]), roots[0]);
		}
		count_slices(&open, &file->tasks[number].slices);
	}
	weights_count(&open.calls, file->fold, 1e-3, NULL);
	weights_free(&open.calls);
	free(open.list);
	free(list);
}

/* Counts the profiles, or adds them to lanes that begin at the same time. */
static const char *
fold_profiles(struct trace *trace, struct trace_file *file)
{
	struct task *task, *end = file->tasks + file->ids.count;
	const char *reason;
	uint32_t roots[2];
	struct v8_profile *v8;
	struct lane lane;
	double begin = HUGE_VAL;

	if (file->profiles * (uint64_t)file->frames.count > MOST_NODES)
		return "it has too many threads with samples";
	trace->timeless += file->timeless;
	for (task = file->tasks; task < end; task++) {
		if ((v8 = task->v8) == NULL)
			continue;
		if (v8->has_stamps)	/* they are SAMPLES */
			v8_append(v8, &file->frames);
		reason = v8_weigh(v8, false);
		if (reason != NULL)
			return reason;
		if (in_order && v8_has_order(v8))
			begin = fmin(begin, v8_begin(v8));
	}
	for (task = file->tasks; task < end; task++) {
		if ((v8 = task->v8) == NULL)
			continue;
		if (!in_order) {
			make_roots(file, task->within, roots);
			v8_count(v8, &(struct stack){ roots, 2, 2 });
		} else if (v8_has_order(v8)) {
			lane = begin_lane(file, task->within);
			v8_order(v8, &lane, begin);
		} else
			trace->timeless += v8->samples.count;
		trace->lost += v8->lost;
		trace->timeless += v8->timeless;
	}
	trace->passed_over += file->sliced;
	return NULL;
}

static const char *
fold_trace(struct trace *trace, struct trace_file *file)
{
	uint32_t i;

	if (!file->is_trace)
		return "it is not " KIND ", but other JSON";
	for (i = 0; !events_wanted && i < file->ids.count; i++)
		if (file->tasks[i].v8 != NULL &&
		    file->tasks[i].v8->samples.count > 0)
			return fold_profiles(trace, file);
	trace->timeless += file->timeless;
	file->fold->counts.samples += file->sliced;
	fold_slices(trace, file);
	return NULL;
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct trace *trace = (struct trace *)fold;
	struct json *json = &trace->json;
	struct trace_file file = {
		.fold = fold, .frames = { .fold = fold },
		.event = { .piece = { .fold = fold, .lines = lines } }
	};
	const char *reason = jsonfile_read(json, fold, content, KIND,
	    trace_rows, &file);
	uint32_t i;

	/*
	 * Programs write the array as they run, so it need not end; an
	 * incomplete last event is left out.
	 */
	if (json->ends_early && json->ends[0] == ']' && file.is_trace &&
	    content->trouble == NULL) {
		if (json->depth > 1)
			fold_cut(fold);
		reason = NULL;
	}
	if (reason == NULL)
		reason = fold_trace(trace, &file);
	for (i = 0; i < file.ids.count; i++) {
		free(file.tasks[i].slices.list);
		free(file.tasks[i].slices.marks);
		if (file.tasks[i].v8 != NULL)
			v8_free(file.tasks[i].v8);
		free(file.tasks[i].v8);
	}
	free(file.tasks);
	v8_free(&file.event.piece);
	v8_free(&file.frames);
	arena_free(&file.arena);
	table_free(&file.ids);
	table_free(&file.frame_ids);
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
	    "or thread", trace->unended);
	fold_report_lost(fold, "end events without a beginning, left out",
	    trace->unbegun);
	message_count("events that outlast their parent, cut at its end",
	    trace->cut);
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
