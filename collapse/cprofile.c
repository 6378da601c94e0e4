/*
 * stackcollapse-cprofile: folds the files that Python's cProfile and profile
 * save.
 *
 * A file is a dictionary, as marshal writes it: the calls and times of each
 * function, and how many of these each caller caused:
 *
 *	{("a.py", 9, "parse"): (5, 5, 0.2, 0.5,
 *	    {("a.py", 1, "main"): (5, 5, 0.2, 0.5)}), ...}
 *
 * It has no stacks.  They are inferred: the time of parse is shared among its
 * callers in proportion to what each of them has spent in it.
 *
 *	a.py:1(main);a.py:9(parse) 200000
 */
#include <math.h>
#include <stdlib.h>

#include "collapse/callgraph/callgraph.h"
#include "collapse/cprofile/marshal.h"
#include "fold/collapse.h"
#include "lib/message.h"

static bool calls;	/* count calls instead of microseconds */
static bool paths;	/* name files with their full paths */

#define MOST_SECONDS	1.8e10	/* their nanoseconds fit 64 bits */

/* Of a function, or of its calls by one of its callers. */
struct times {
	uint64_t calls;
	double own, all;	/* seconds */
};

/* The profiles of a file, as one call graph. */
struct pystats {
	struct fold *fold;
	struct callgraph graph;
	struct table texts;		/* files and names */
	struct table functions;		/* by file, line and name */
	bool has_negative;		/* a time was below 0 */
	bool lacks_calls;		/* a number of calls was below 0 */
	struct budget budget;		/* for all frames' names */
};

/* Returns where the part of a path before an index begins. */
static size_t
part_start(struct str path, size_t before)
{
	while (before > 0 && path.data[before - 1] != '/' &&
	    path.data[before - 1] != '\\')
		before--;
	return before;
}

/* Adds s with a '?' for control characters. */
static void
add_line(struct text *text, struct str s)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		text_add_char(text, is_control(s.data[i]) ? '?' : s.data[i]);
}

/*
 * Adds the name of a frame to text:
 *
 *	/usr/lib/python3/json/decoder.py 343 raw_decode
 *					decoder.py:343(raw_decode)
 *	/usr/lib/python3/json/__init__.py 299 loads
 *					json/__init__.py:299(loads)
 *	~ 0 <built-in method time.sleep>
 *					<built-in method time.sleep>
 */
static void
add_name(struct text *text, struct str path, int64_t line, struct str name)
{
	size_t start = part_start(path, path.len);
	struct str file = str_skip(path, start);

	if (str_equal(path, STR("~")) && line == 0) {
		add_line(text, name);
		return;
	}
	/* many files have these names */
	if (start > 1 && (str_equal(file, STR("__init__.py")) ||
	    str_equal(file, STR("__main__.py"))))
		file = str_skip(path, part_start(path, start - 1));
	add_line(text, paths || str_starts(path, STR("<")) ? path : file);
	text_add(text, line < 0 ? STR(":-") : STR(":"));
	text_add_number(text, line < 0 ? 0 - (unsigned long long)line :
	    (unsigned long long)line);
	text_add_char(text, '(');
	add_line(text, name);
	text_add_char(text, ')');
}

/*
 * Functions.  The keys of the dictionary are functions: a file, a line and a
 * name.  The value of one is
 *
 *	(primitive calls, calls, own time, cumulative time, callers)
 *
 * The callers are such a dictionary, too, with values
 *
 *	(calls, primitive calls, own time, cumulative time)
 *
 * of cProfile, or, of profile, numbers of calls.
 */

static bool
is_tuple(const struct value *value, size_t count)
{
	return value->type == VALUE_TUPLE && value->as.items.count == count;
}

/* Stores a number of calls; false for another value.  Samplers write -1. */
static bool
read_calls(struct pystats *stats, const struct value *value, uint64_t *count)
{
	if (value->type != VALUE_INTEGER)
		return false;
	stats->lacks_calls |= value->as.integer < 0;
	*count = value->as.integer < 0 ? 0 : (uint64_t)value->as.integer;
	return true;
}

/* Stores a time, 0 where a clock went back; false for another value. */
static bool
read_seconds(struct pystats *stats, const struct value *value,
    double *seconds)
{
	if (value->type == VALUE_INTEGER)
		*seconds = (double)value->as.integer;
	else if (value->type == VALUE_FLOAT)
		*seconds = value->as.number;
	else
		return false;
	if (!(*seconds < MOST_SECONDS && *seconds > -MOST_SECONDS))
		return false;
	if (*seconds < 0) {
		stats->has_negative |= *seconds < -1e-6;
		*seconds = 0;
	}
	return true;
}

static uint64_t
in_units(double seconds, double units)
{
	return (uint64_t)floor(seconds * units + 0.5);
}

/* Returns the number of a text; many functions may have it. */
static uint32_t
number_text(struct pystats *stats, struct value *value)
{
	if (value->mark == 0)
		value->mark = table_add(&stats->texts, value->as.text) + 1;
	return value->mark - 1;
}

/* Stores the number of a function, ("a.py", 12, "f"), perhaps a new one. */
static bool
find_function(struct pystats *stats, struct value *key, uint32_t *number)
{
	struct value *const *items = key->as.items.list;
	struct text *frame = &stats->fold->name;
	struct str file, name;
	struct {
		int64_t line;
		uint32_t file, name;
	} place;

	if (!is_tuple(key, 3) || items[0]->type != VALUE_TEXT ||
	    items[1]->type != VALUE_INTEGER || items[2]->type != VALUE_TEXT)
		return false;
	place.line = items[1]->as.integer;
	file = items[0]->as.text;
	name = items[2]->as.text;
	place.file = number_text(stats, items[0]);
	place.name = number_text(stats, items[2]);
	*number = table_add(&stats->functions, (struct str){
	    (const char *)&place, sizeof(place) });
	if (*number == stats->graph.count) {
		frame->len = 0;
		if (budget_take(&stats->budget, file.len + name.len))
			add_name(frame, file, place.line, name);
		callgraph_add(&stats->graph,
		    fold_name(stats->fold, text_str(frame)));
	}
	return true;
}

static bool
read_caller(struct pystats *stats, const struct value *value,
    struct times *times)
{
	struct value *const *items = value->as.items.list;

	*times = (struct times){ 0 };
	if (value->type == VALUE_INTEGER)
		return read_calls(stats, value, &times->calls);
	return is_tuple(value, 4) &&
	    read_calls(stats, items[0], &times->calls) &&
	    read_seconds(stats, items[2], &times->own) &&
	    read_seconds(stats, items[3], &times->all);
}

/* Adds times, or numbers of calls, to the weights of a call. */
static void
weigh(const struct times *times, bool has_times, unsigned long long *cost,
    unsigned long long *self)
{
	uint64_t own = has_times ? in_units(times->own, 1e9) : times->calls;
	uint64_t all = has_times ? in_units(times->all, 1e9) :
	    call_sum(own, own);

	*cost = call_sum(*cost, all > own ? all : own);
	*self = call_sum(*self, own);
}

/*
 * Adds the calls of a function that spent `left`; false if they are odd.  What
 * its callers do not account for has no caller.
 */
static bool
add_callers(struct pystats *stats, uint32_t function,
    const struct value *callers, struct times left)
{
	struct value *const *items = callers->as.items.list;
	bool has_times = !calls;
	struct call_function *callee;
	struct times times;
	struct graph_call *call;
	uint32_t caller;
	size_t i;

	for (i = 1; i < callers->as.items.count; i += 2)
		has_times &= items[i]->type != VALUE_INTEGER;
	for (i = 0; i < callers->as.items.count; i += 2) {
		if (!find_function(stats, items[i], &caller) ||
		    !read_caller(stats, items[i + 1], &times))
			return false;
		left.calls -= times.calls < left.calls ? times.calls :
		    left.calls;
		left.own -= times.own < left.own ? times.own : left.own;
		left.all -= times.all < left.all ? times.all : left.all;
		call = callgraph_call(&stats->graph, caller, function);
		weigh(&times, has_times, &call->cost, &call->self);
	}
	callee = &stats->graph.functions[function];
	if (left.calls > 0 || (stats->lacks_calls && left.all > 0))
		weigh(&left, has_times, &callee->root, &callee->root_self);
	return true;
}

/*
 * Adds a function.  Python never writes a dictionary of callers twice; a small
 * file could give many callers to many functions.
 */
static bool
add_function(struct pystats *stats, struct value *key,
    const struct value *value)
{
	struct value *const *items = value->as.items.list;
	struct times times;
	uint32_t function;

	if (!find_function(stats, key, &function) || !is_tuple(value, 5) ||
	    !read_calls(stats, items[1], &times.calls) ||
	    !read_seconds(stats, items[2], &times.own) ||
	    !read_seconds(stats, items[3], &times.all) ||
	    items[4]->type != VALUE_DICTIONARY ||
	    (items[4]->as.items.count > 0 && items[4]->mark++ > 0))
		return false;
	callgraph_spend(&stats->graph, function, calls ?
	    times.calls : in_units(times.own, 1e6));
	return add_callers(stats, function, items[4], times);
}

/* Adds the profiles of a file; joined files have several. */
static const char *
add_profiles(struct pystats *stats, struct marshal *marshal)
{
	struct value *profile;
	bool good = true;
	size_t i;

	while (bytes_left(&marshal->bytes) > 0 && good) {
		marshal_forget(marshal);
		good = (*marshal->bytes.next & 0x7f) == '{';
		profile = good ? marshal_read(marshal) : NULL;
		good = profile != NULL;
		for (i = 0; good && i < profile->as.items.count; i += 2)
			good = add_function(stats, profile->as.items.list[i],
			    profile->as.items.list[i + 1]);
	}
	if (marshal->trouble == NULL)
		return good ? NULL : "it is not a profile of functions";
	if (marshal->bytes.failed)
		return "it ends inside a profile";
	return fold_reason(stats->fold, "byte %lu %s",
	    (unsigned long)marshal->at + 1, marshal->trouble);
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct pystats stats = {
		.fold = fold, .graph = { .is_detailed = true }
	};
	struct marshal marshal = { .trouble = NULL };
	const char *trouble;
	struct str bytes;

	if (!content_all(content, &bytes, SIZE_MAX))
		return content->trouble;
	stats.budget = content_budget(bytes.len);
	marshal.bytes = bytes_from(bytes);
	trouble = add_profiles(&stats, &marshal);
	if (stats.budget.made > stats.budget.most)
		trouble = "the names of its functions add up to more than "
		    "400 times its size";
	if (trouble == NULL && calls && stats.lacks_calls)
		trouble = "it has no numbers of calls, which --calls needs";
	if (trouble == NULL && stats.graph.overflowed)
		trouble = "it adds up to more than 2^64 - 1";
	if (trouble == NULL) {
		fold->counts.samples += stats.graph.count;
		callpaths_add(&stats.graph, &fold->stacks);
		if (stats.has_negative)
			message_warn("%s: times below 0 are left out",
			    fold->input.name);
		fold->input.failed |= stats.has_negative;
	}
	callgraph_free(&stats.graph);
	table_free(&stats.texts);
	table_free(&stats.functions);
	marshal_free(&marshal);
	return trouble;
}

/* True for a dictionary whose first key is a tuple, or that is empty. */
static bool
is_profile(const struct beginning *file)
{
	struct str bytes = file->bytes;

	return bytes.len > 1 && (bytes.data[0] & 0x7f) == '{' &&
	    memchr("()0", bytes.data[1] & 0x7f, 3) != NULL;
}

static const struct option options[] = {
	{ "calls", OPTION_FLAG, &calls, NULL,
	    "count calls (default: microseconds)" },
	{ "paths", OPTION_FLAG, &paths, NULL,
	    "name files with their whole paths" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_CPROFILE], .size = sizeof(struct fold),
	.file = fold_file, .is_file = is_profile,
	.nothing = "no function was found",
	.options = options,
};
