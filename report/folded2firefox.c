/*
 * folded2firefox: writes folded stacks as version 60 of the Firefox profiler:
 * JSON, in which a stack is a row of a table that all threads share:
 *
 *	main;parse;read 12	"stackTable": {"frame": [0, 1, 2],
 *	main 4			    "prefix": [null, 0, 1], "length": 3}
 *				"samples": {"stack": [2, 0], "time": [0, 12],
 *				    "weight": [12, 4], ... }
 *
 * Samples are side by side in time, each as long as its weight.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/json.h"
#include "lib/options.h"
#include "lib/output.h"
#include "report/tracks.h"

static const char *title = "folded stacks";
static struct tracks tracks = { .factor = 1 };

#define INTERVALS	1000	/* of a profile, unless they would be longer
				   than a millisecond */

/* Categories; the profiler colors frames by them. */
enum { OTHER, USER, KERNEL, COMPILED };

static const char categories[] =
    "[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
    "{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
    "{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
    "{\"name\":\"JIT\",\"color\":\"green\",\"subcategories\":[\"Other\"]}]";

static struct text json;
static struct marks marks;
static double per_millisecond = 1;	/* counts, on the axis of time */

static void
add(const char *text)
{
	text_add(&json, str_from(text));
}

static void
add_key(const char *name)
{
	add(",\"");
	add(name);
	add("\":");
}

/* A column of a table, whose rows have numbers, or all the same. */
struct column {
	const char *name;
	const char *same;
	const uint32_t *first;	/* NULL: the rows' own numbers */
	size_t step;		/* bytes from a row's number to the next one */
};

/* Adds the row of a stack.  Here stacks count from 1, in the file from 0. */
static void
add_stack_number(uint32_t stack)
{
	if (stack == 0)
		add("null");
	else
		text_add_number(&json, stack - 1);
}

static void
add_table(const char *name, uint32_t rows, const struct column *columns)
{
	const char *first;
	uint32_t i, number;

	add_key(name);
	add("{\"length\":");
	text_add_number(&json, rows);
	for (; columns->name != NULL; columns++) {
		add_key(columns->name);
		text_add_char(&json, '[');
		for (i = 0; i < rows; i++) {
			if (i > 0)
				text_add_char(&json, ',');
			number = i;
			first = (const char *)columns->first;
			if (first != NULL)
				memcpy(&number, first + i * columns->step,
				    sizeof(number));
			if (columns->same != NULL)
				add(columns->same);
			else if (strcmp(columns->name, "prefix") == 0)
				add_stack_number(number);
			else
				text_add_number(&json, number);
			output_drain(&json, stdout);
		}
		text_add_char(&json, ']');
	}
	text_add_char(&json, '}');
}

static uint32_t
category_of(struct str name)
{
	return str_ends(name, STR("_[k]")) ? KERNEL :
	    str_ends(name, STR("_[j]")) ? COMPILED :
	    str_equal(name, STR("-")) || str_equal(name, STR("--")) ? OTHER :
	    USER;
}

static void
add_shared(void)
{
	const struct table *functions = &marks.functions;
	const struct table *names = &tracks.stacks.names;
	const struct stack_row *rows = tracks.stacks.rows + 1;
	const size_t each = sizeof(uint32_t);
	uint32_t *colours = mem_array(names->count, each), i;
	const struct column stack_columns[] = {
		{ "frame", NULL, &rows->name, sizeof(*rows) },
		{ "prefix", NULL, &rows->caller, sizeof(*rows) },
		{ NULL, NULL, NULL, 0 }
	}, frame_columns[] = {
		{ "address", "-1", NULL, 0 },
		{ "inlineDepth", NULL, marks.is_inlined, each },
		{ "category", NULL, colours, each },
		{ "subcategory", "0", NULL, 0 },
		{ "func", NULL, marks.function_of, each },
		{ "nativeSymbol", "null", NULL, 0 },
		{ "innerWindowID", "null", NULL, 0 },
		{ "line", "null", NULL, 0 },
		{ "column", "null", NULL, 0 },
		{ NULL, NULL, NULL, 0 }
	}, function_columns[] = {
		{ "name", NULL, NULL, 0 },
		{ "isJS", "false", NULL, 0 },
		{ "relevantForJS", "false", NULL, 0 },
		{ "resource", "-1", NULL, 0 },
		{ "source", "null", NULL, 0 },
		{ "lineNumber", "null", NULL, 0 },
		{ "columnNumber", "null", NULL, 0 },
		{ NULL, NULL, NULL, 0 }
	};

	for (i = 0; i < names->count; i++)
		colours[i] = category_of(names->keys[i]);
	add(",\n\"shared\":{\"stringArray\":[");
	for (i = 0; i < functions->count; i++) {
		if (i > 0)
			text_add_char(&json, ',');
		json_add_string(&json, functions->keys[i]);
		output_drain(&json, stdout);
	}
	text_add_char(&json, ']');
	add_table("stackTable", tracks.stacks.count - 1, stack_columns);
	add_table("frameTable", names->count, frame_columns);
	add_table("funcTable", functions->count, function_columns);
	add(",\"resourceTable\":{\"length\":0,\"lib\":[],"
	    "\"name\":[],\"host\":[],\"type\":[]},"
	    "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],"
	    "\"address\":[],\"name\":[],\"functionSize\":[]},"
	    "\"sources\":{\"length\":0,\"uuid\":[],\"filename\":[]}}");
}

/* The parts of a thread's name, "make-41/42". */
struct thread_numbers {
	struct str process, pid, tid;
};

/* Finds the ids in a name that ends in -PID/TID or -TID. */
static struct thread_numbers
find_ids(struct str name)
{
	size_t dash = str_find_last(name, '-');
	struct str ids = str_skip(name, dash + (dash < name.len));
	size_t digits = str_digits(ids);
	struct thread_numbers id = { STR(""), STR("0"), STR("") };

	if (digits == 0)
		return id;
	id.tid = id.pid = str_take(ids, digits);
	ids = str_skip(ids, digits);
	if (str_starts(ids, STR("/"))) {
		id.tid = ids = str_skip(ids, 1);
		ids = str_skip(ids, str_digits(ids));
	}
	if (ids.len > 0 || id.tid.len == 0)
		return (struct thread_numbers){ STR(""), STR("0"), STR("") };
	id.process = str_take(name, dash);
	return id;
}

static void
add_text(const char *key, struct str text)
{
	add_key(key);
	json_add_string(&json, text);
}

/* Adds a thread's name, "make-41/41 (before)", and numbers. */
static void
add_ids(const struct track *track, int which, uint32_t number)
{
	struct thread_numbers id = find_ids(track->name);
	bool is_main = number == 0 || str_equal(id.pid, id.tid);
	struct text name = { 0 };

	text_add(&name, tracks.by_thread ? track->name : STR("all"));
	if (tracks.have_two)
		text_add_format(&name, " (%s)",
		    which == BEFORE ? "before" : "after");
	add("{\"name\":");
	json_add_string(&json, text_str(&name));
	free(name.data);
	if (id.process.len > 0)
		add_text("processName", id.process);
	add_text("pid", id.pid);
	add_key("tid");
	text_add_number(&json, number);
	add_key("isMainThread");
	add(is_main ? "true" : "false");
	add(",\"processType\":\"default\",\"processStartupTime\":0,"
	    "\"processShutdownTime\":null,\"registerTime\":0,"
	    "\"unregisterTime\":null,\"pausedRanges\":[]");
}

static void
add_time(struct amount amount)
{
	if (per_millisecond == 1)
		amount_write(&json, amount, tracks.factor);
	else
		json_add_number(&json, amount_value(amount) *
		    tracks.factor / per_millisecond);
}

/* Adds the samples, as long as their weights, and an empty one at the end. */
static void
add_samples(const struct track *track, int which)
{
	enum { STACK, TIME, WEIGHT, COLUMNS };
	static const char *const keys[] = { "stack", "time", "weight" };
	const struct track_unit *unit = tracks_unit(&tracks);
	const struct track_sample *sample;
	struct amount time, none = { 0, 0 };
	size_t i;
	int column;

	add_key("samples");
	add("{\"length\":");
	text_add_number(&json, track->count + 1);
	for (column = STACK; column < COLUMNS; column++) {
		if (column == WEIGHT)
			add_text("weightType", unit == NULL ?
			    STR("samples") : unit->per_millisecond > 0 ?
			    STR("tracing-ms") : STR("bytes"));
		add_key(keys[column]);
		text_add_char(&json, '[');
		time = none;
		sample = track->samples;
		for (i = 0; i < track->count; i++, sample++) {
			if (column == STACK)
				add_stack_number(sample->stack);
			else
				add_time(column == TIME ? time :
				    sample->counts[which]);
			text_add_char(&json, ',');
			if (column == TIME)
				amount_add(&time, sample->counts[which]);
			output_drain(&json, stdout);
		}
		if (column == STACK)
			add_stack_number(0);
		else
			add_time(column == TIME ? time : none);
		text_add_char(&json, ']');
	}
	text_add_char(&json, '}');
}

static void
add_meta(void)
{
	double longest = 0;
	uint32_t i;

	for (i = 0; i < tracks.count; i++)
		longest = fmax(longest,
		    amount_value(tracks.list[i].sums[AFTER]));
	longest *= tracks.factor / per_millisecond;
	add("{\"meta\":{\"version\":29,"
	    "\"preprocessedProfileVersion\":60,\"processType\":0,"
	    "\"startTime\":0,\"stackwalk\":1,"
	    "\"symbolicated\":true,\"symbolicationNotSupported\":true,"
	    "\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,"
	    "\"keepProfileThreadOrder\":true,\"importedFrom\":\"folded\","
	    "\"markerSchema\":[]");
	add_text("product", str_from(title));
	add_key("interval");
	/* the time between samples; for short profiles, a part of it */
	json_add_number(&json, longest > 0 && longest < INTERVALS ?
	    longest / INTERVALS : 1);
	add_key("categories");
	add(categories);
	add("},\n\"libs\":[]");
}

static void
write_profile(void)
{
	const struct track_unit *unit = tracks_unit(&tracks);
	const struct track *track = tracks.list;
	uint32_t number = 0;
	int which;

	marks_init(&marks, &tracks.stacks.names);
	if (unit != NULL && unit->per_millisecond > 0)
		per_millisecond = unit->per_millisecond;
	add_meta();
	add_shared();
	add_key("threads");
	text_add_char(&json, '[');
	for (; track < tracks.list + tracks.count; track++)
		for (which = tracks_first(&tracks); which <= AFTER; which++) {
			if (number > 0)
				add(",\n");
			add_ids(track, which, number++);
			add_samples(track, which);
			add(",\"markers\":{\"length\":0,\"data\":[],"
			    "\"name\":[],\"startTime\":[],\"endTime\":[],"
			    "\"phase\":[],\"category\":[]}}");
		}
	add("]}\n");
	output_flush(&json, stdout);
}

static const struct option options[] = {
	{ "title", OPTION_TEXT, &title, "TEXT",
	    "what was profiled (default: folded stacks)" },
	TRACKS_OPTIONS(tracks),
	TRACKS_IN_ORDER(tracks),
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] [file ...] > out.json", NULL, options
};

int
main(int argc, char **argv)
{
	(void)argc;
	return tracks_main(&tracks, &usage, argv, write_profile);
}
