#include <math.h>
#include <stdlib.h>

#include "pystats.h"

#define MOST_SECONDS	1.8e10	/* whose nanoseconds fit 64 bits */

/* The numbers of a function, or of its calls by one of its callers. */
struct times {
	uint64_t calls;
	double own, all;	/* seconds */
};

static const char *const trouble = "it is no profile of functions";

void
pystats_init(struct pystats *stats)
{
	callgraph_init(&stats->graph, true);
	table_init(&stats->texts);
	table_init(&stats->functions);
}

void
pystats_free(struct pystats *stats)
{
	callgraph_free(&stats->graph);
	table_free(&stats->texts);
	table_free(&stats->functions);
}

/* True for a tuple of so many items. */
static bool
is_tuple(const struct value *value, size_t count)
{
	return value->type == VALUE_TUPLE && value->as.items.count == count;
}

/* Stores a number of calls; false if it is none. */
static bool
read_calls(const struct value *value, uint64_t *calls)
{
	if (value->type != VALUE_INTEGER || value->as.integer < 0)
		return false;
	*calls = (uint64_t)value->as.integer;
	return true;
}

/* Stores a time, which is 0 where a clock went back; false if it is none. */
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

/* Returns the number of a text, of which many functions may have the same. */
static uint32_t
number_text(struct pystats *stats, struct value *value)
{
	if (value->mark == 0)
		value->mark = table_add(&stats->texts, value->as.text) + 1;
	return value->mark - 1;
}

/* Stores the number of a function, ("a.py", 12, "f"), which may be new. */
static bool
find_function(struct pystats *stats, struct value *key, uint32_t *number)
{
	struct value *const *items = key->as.items.list;
	struct {
		int64_t line;
		uint32_t file, name;
	} place;

	if (key->type == VALUE_TUPLE && key->mark > 0) {
		*number = key->mark - 1;
		return true;
	}
	if (!is_tuple(key, 3) || items[0]->type != VALUE_TEXT ||
	    items[1]->type != VALUE_INTEGER || items[2]->type != VALUE_TEXT)
		return false;
	place.line = items[1]->as.integer;
	place.file = number_text(stats, items[0]);
	place.name = number_text(stats, items[2]);
	*number = table_add(&stats->functions, (struct str){
	    (const char *)&place, sizeof(place) });
	if (*number == stats->graph.count)
		callgraph_add(&stats->graph, stats->frame(stats->context,
		    items[0]->as.text, items[1]->as.integer,
		    items[2]->as.text));
	key->mark = *number + 1;
	return true;
}

/* Reads what a caller has: (3, 3, 0.1, 0.2), or a number of calls alone. */
static bool
read_caller(struct pystats *stats, const struct value *value,
    struct times *times)
{
	struct value *const *items = value->as.items.list;

	*times = (struct times){ 0, 0, 0 };
	if (value->type == VALUE_INTEGER)
		return read_calls(value, &times->calls);
	return is_tuple(value, 4) && read_calls(items[0], &times->calls) &&
	    read_seconds(stats, items[2], &times->own) &&
	    read_seconds(stats, items[3], &times->all);
}

/* Stores the weights that times have, or calls. */
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

/* Takes what a caller has from what is left without a caller. */
static void
subtract(struct times *left, const struct times *times)
{
	left->calls -= times->calls < left->calls ? times->calls : left->calls;
	left->own -= times->own < left->own ? times->own : left->own;
	left->all -= times->all < left->all ? times->all : left->all;
}

/* True if no caller has a number of calls alone. */
static bool
have_times(const struct value *callers)
{
	size_t i;

	for (i = 1; i < callers->as.items.count; i += 2)
		if (callers->as.items.list[i]->type == VALUE_INTEGER)
			return false;
	return true;
}

/* Adds the calls of a function, which spent so much; false if they are none. */
static bool
add_callers(struct pystats *stats, uint32_t function,
    const struct value *callers, struct times left)
{
	struct value *const *items = callers->as.items.list;
	bool has_times = !stats->counts_calls && have_times(callers);
	struct call_function *callee;
	struct times times;
	struct call *call;
	uint32_t caller;
	size_t i;

	for (i = 0; i < callers->as.items.count; i += 2) {
		if (!find_function(stats, items[i], &caller) ||
		    !read_caller(stats, items[i + 1], &times))
			return false;
		subtract(&left, &times);
		call = callgraph_call(&stats->graph, caller, function);
		weigh(&times, has_times, &call->cost, &call->self);
	}
	callee = &stats->graph.functions[function];
	if (left.calls > 0)
		weigh(&left, has_times, &callee->root, &callee->root_self);
	return true;
}

/*
 * True if callers are those of no function before.  Python never writes them
 * twice; a small file could name many callers for each of many functions.
 */
static bool
is_own(struct value *callers)
{
	return callers->as.items.count == 0 || callers->mark++ == 0;
}

/* Adds a function: (1, 2, 0.1, 0.2, callers). */
static bool
add_function(struct pystats *stats, struct value *key,
    const struct value *value)
{
	struct value *const *items = value->as.items.list;
	struct times times;
	uint32_t function;

	if (!find_function(stats, key, &function) || !is_tuple(value, 5) ||
	    !read_calls(items[1], &times.calls) ||
	    !read_seconds(stats, items[2], &times.own) ||
	    !read_seconds(stats, items[3], &times.all) ||
	    items[4]->type != VALUE_DICTIONARY || !is_own(items[4]))
		return false;
	callgraph_spend(&stats->graph, function, stats->counts_calls ?
	    times.calls : in_units(times.own, 1e6));
	return add_callers(stats, function, items[4], times);
}

const char *
pystats_add(struct pystats *stats, struct marshal *marshal)
{
	struct value *key, *value;

	if (!marshal_begin(marshal))
		return trouble;
	while (marshal_next(marshal, &key, &value))
		if (!add_function(stats, key, value))
			return trouble;
	return NULL;
}
