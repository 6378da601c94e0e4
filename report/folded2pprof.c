/*
 * folded2pprof: writes folded stacks as pprof's Protocol Buffers message:
 *
 *	main;square_[i] 30		sample	location 2, value 30
 *	main 7				sample	location 1, value 7
 *					location 1	main
 *					location 2	square, inlined in main
 *
 * The fields are those that collapse/pprof.c reads.
 */
#include <math.h>
#include <stdlib.h>

#include "lib/message.h"
#include "lib/options.h"
#include "lib/output.h"
#include "lib/protobuf.h"
#include "report/tracks.h"

enum {			/* fields of the whole */
	TYPE = 1, SAMPLE = 2, MAPPING = 3, LOCATION = 4, FUNCTION = 5,
	STRING = 6
};

enum { ID = 1, NAME = 2 };	/* of locations, functions and mappings */

#define MOST	INT64_MAX	/* of a value */

/* Each location lists what it is inlined into: quadratic without a limit. */
#define INLINED_MOST	256

static struct tracks tracks = { .factor = 1 };

/* A function, perhaps inlined into the one of another location. */
struct location {
	uint32_t into;			/* that one, or 0 */
	uint32_t function;
	uint32_t depth;			/* functions that it tells */
};

struct pprof_writer {
	struct table strings;
	struct marks marks;
	struct location *locations;	/* from 1 */
	uint32_t location_count;
	size_t location_room;
	uint32_t *of_function;		/* the location of a function alone */
	size_t function_room;
	struct intmap inlined;		/* the others, by both members */
	uint32_t *of_stack;		/* the location of a row's frame */
	struct text part;		/* of the profile */
	struct text message, packed;	/* a field of it, and one of that */
	unsigned long long rounded;	/* values */
	bool overflowed;
};

static void
add_field(struct pprof_writer *writer, unsigned field,
    const struct text *message)
{
	protobuf_add_bytes(&writer->part, field, text_str(message));
	output_drain(&writer->part, stdout);
}

static void
add_value_type(struct pprof_writer *writer, struct str type, struct str unit)
{
	struct text *message = &writer->message;

	message->len = 0;
	protobuf_add_number(message, 1, table_add(&writer->strings, type));
	protobuf_add_number(message, 2, table_add(&writer->strings, unit));
	add_field(writer, TYPE, message);
}

/* The types are samples/count, time/nanoseconds, or two of before and after. */
static void
add_types(struct pprof_writer *writer)
{
	const struct track_unit *unit = tracks_unit(&tracks);
	struct str whole = unit == NULL ? STR("count") :
	    str_from(unit->whole_name);
	struct str type = unit == NULL ? str_from(tracks.count_name) :
	    unit->per_millisecond > 0 ? STR("time") : STR("space");

	if (tracks.have_two) {
		add_value_type(writer, STR("before"), whole);
		type = STR("after");
	}
	add_value_type(writer, type, whole);
}

static uint32_t
find_location(struct pprof_writer *writer, struct location location)
{
	uint32_t *number;

	if (location.into != 0)
		number = intmap_at(&writer->inlined,
		    intmap_pair(location.into, location.function));
	else {
		writer->of_function = mem_grow_zero(writer->of_function,
		    &writer->function_room, (size_t)location.function + 1,
		    sizeof(*writer->of_function));
		number = &writer->of_function[location.function];
	}
	if (*number != 0)
		return *number;
	*number = ++writer->location_count;
	location.depth = location.into == 0 ? 1 :
	    writer->locations[location.into].depth + 1;
	*LIST_AT(writer->locations, *number, writer->location_room) = location;
	return *number;
}

/*
 * Finds the locations of all frames.  An inlined one may have no caller, or one
 * too many: its name keeps the mark then.
 */
static void
find_locations(struct pprof_writer *writer)
{
	const struct stack_table *stacks = &tracks.stacks;
	const struct stack_row *row;
	struct marks *marks = &writer->marks;
	uint32_t i, into, function;

	writer->of_stack = mem_array(stacks->count,
	    sizeof(*writer->of_stack));
	for (i = 1; i < stacks->count; i++) {
		row = &stacks->rows[i];
		into = marks->is_inlined[row->name] ?
		    writer->of_stack[row->caller] : 0;
		if (into != 0 &&
		    writer->locations[into].depth == INLINED_MOST)
			into = 0;
		function = marks->function_of[row->name];
		if (marks->is_inlined[row->name] && into == 0)
			function = table_add(&marks->functions,
			    stacks->names.keys[row->name]);
		writer->of_stack[i] = find_location(writer,
		    (struct location){ into, function, 0 });
	}
}

/* Writes the locations, each with its functions, innermost first. */
static void
add_locations(struct pprof_writer *writer)
{
	struct text *message = &writer->message, line = { 0 };
	uint32_t i, at;

	for (i = 1; i <= writer->location_count; i++) {
		message->len = 0;
		protobuf_add_number(message, ID, i);
		protobuf_add_number(message, 2, 1);
		for (at = i; at != 0; at = writer->locations[at].into) {
			line.len = 0;
			protobuf_add_number(&line, 1,
			    (uint64_t)writer->locations[at].function + 1);
			protobuf_add_bytes(message, 4, text_str(&line));
		}
		add_field(writer, LOCATION, message);
	}
	free(line.data);
}

static void
add_functions(struct pprof_writer *writer)
{
	const struct table *functions = &writer->marks.functions;
	struct text *message = &writer->message;
	uint32_t i;

	for (i = 0; i < functions->count; i++) {
		message->len = 0;
		protobuf_add_number(message, ID, (uint64_t)i + 1);
		protobuf_add_number(message, NAME,
		    table_add(&writer->strings, functions->keys[i]));
		add_field(writer, FUNCTION, message);
	}
}

static int64_t
round_value(struct pprof_writer *writer, struct amount amount)
{
	double value = amount_value(amount) * tracks.factor;
	double nearest = rint(value);

	if (tracks.factor == 1 && amount.part == 0 && amount.whole <= MOST)
		return (int64_t)amount.whole;
	writer->rounded += nearest != value;
	if (nearest < (double)MOST)
		return (int64_t)nearest;
	writer->overflowed = true;
	return MOST;
}

/* Adds a sample with the locations of its stack, the innermost first. */
static void
add_sample(struct pprof_writer *writer, const struct track_sample *sample,
    struct str label)
{
	struct text *message = &writer->message, *packed = &writer->packed;
	const struct stack_row *rows = tracks.stacks.rows;
	uint32_t stack = sample->stack, location;
	int i;

	message->len = packed->len = 0;
	for (; stack != 0; stack = rows[stack].caller) {
		location = writer->of_stack[stack];
		protobuf_add_packed(packed, location);
		/* The functions that it is inlined into are in it. */
		while (writer->locations[location].into != 0) {
			stack = rows[stack].caller;
			location = writer->of_stack[stack];
		}
	}
	protobuf_add_bytes(message, 1, text_str(packed));
	packed->len = 0;
	for (i = tracks_first(&tracks); i <= AFTER; i++)
		protobuf_add_packed(packed, (uint64_t)round_value(writer,
		    sample->counts[i]));
	protobuf_add_bytes(message, 2, text_str(packed));
	if (label.len > 0)
		protobuf_add_bytes(message, 3, label);
	add_field(writer, SAMPLE, message);
}

/* Adds the samples of a track, labelled if it is a thread. */
static void
add_track(struct pprof_writer *writer, const struct track *track)
{
	struct text label = { 0 };
	size_t i;

	if (tracks.by_thread) {
		protobuf_add_number(&label, 1,
		    table_add(&writer->strings, STR("thread")));
		protobuf_add_number(&label, 2,
		    table_add(&writer->strings, track->name));
	}
	for (i = 0; i < track->count; i++)
		add_sample(writer, &track->samples[i], text_str(&label));
	free(label.data);
}

static void
write_profile(void)
{
	static struct pprof_writer kept;	/* until the program ends */
	struct pprof_writer *writer = &kept;
	const unsigned has_functions = 7;
	uint32_t i;

	table_add(&writer->strings, STR(""));	/* it must be the first */
	marks_init(&writer->marks, &tracks.stacks.names);
	add_types(writer);
	find_locations(writer);
	for (i = 0; i < tracks.count; i++)
		add_track(writer, &tracks.list[i]);
	/* its functions are known: no one looks for a program to find them */
	writer->message.len = 0;
	protobuf_add_number(&writer->message, ID, 1);
	protobuf_add_number(&writer->message, has_functions, true);
	add_field(writer, MAPPING, &writer->message);
	add_locations(writer);
	add_functions(writer);
	for (i = 0; i < writer->strings.count; i++) {
		protobuf_add_bytes(&writer->part, STRING,
		    writer->strings.keys[i]);
		output_drain(&writer->part, stdout);
	}
	output_flush(&writer->part, stdout);
	if (writer->rounded > 0)
		message_warn("fractional values, rounded: "
		    "%llu", writer->rounded);
	if (writer->overflowed)
		message_warn("a value is larger than 2^63 - 1, and is written "
		    "as that");
}

static const struct option options[] = {
	TRACKS_OPTIONS(tracks),
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] [file ...] > out.pb",
	"folded2pprof out.folded > out.pb && go tool pprof -top out.pb",
	options
};

int
main(int argc, char **argv)
{
	(void)argc;
	return tracks_main(&tracks, &usage, argv, write_profile);
}
