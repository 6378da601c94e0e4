/*
 * locations: names the locations of a profile of pprof or OpenTelemetry: lines,
 * one inlined into the next, or an address, whose functions are looked up in
 * the file that was mapped there.  The profile's tables have these messages:
 *
 *	mapping		{ 1 start, 2 limit, 3 offset, 4 file }
 *	location	{ 1 mapping, 2 address, 3 line { 1 function, 2 line } }
 *	function	{ 1 name, 2 system name, 3 file }
 *
 * OpenTelemetry refers to an entry by its place, and the first one is empty.
 * In pprof an entry has an id in front of its fields, whose numbers are one
 * higher for that, and a mapping has 6 build id.  Strings have places in both.
 */
#ifndef LOCATIONS_H
#define LOCATIONS_H

#include "collapse/native.h"
#include "fold/calls.h"
#include "lib/content.h"
#include "lib/intmap.h"
#include "lib/protobuf.h"

/* The tables, by their fields in OpenTelemetry's dictionary. */
enum { MAPPINGS = 1, LOCATIONS, FUNCTIONS, STRINGS = 5, STACKS = 7, TABLES };

struct entries {
	struct str *list;	/* messages or texts, in the profile's memory */
	size_t count, room;
	struct intmap ids;	/* places from 1, of entries with ids */
};

/* It begins with its first three members set. */
struct locations {
	bool has_ids;		/* the profile is pprof's */
	struct namer *namer;
	struct native *native;
	struct entries tables[TABLES];
	struct budget names;	/* bytes of the names of frames */
	struct budget stacks;	/* bytes of stacks */
	bool damaged;		/* an entry is cut short, or missing */
	struct calls *known;	/* by place; without frames if not read yet */
	/*
	 * By location number below `most`: the frame, plus one, of a location
	 * with a single one.  This takes a fifth off the time of new stacks.
	 */
	uint32_t *single;
	size_t most;
	struct arena arena;
	struct text name;	/* of the location being read */
	struct str *lines;
	size_t line_room;
};

void locations_free(struct locations *locations);

/* Adds an entry to a table; its bytes must outlive the locations. */
void locations_add(struct locations *locations, int table, struct str entry);

/*
 * Begins to name locations of a profile of `size` bytes, `packed` in its file;
 * no more entries follow.
 */
void locations_begin(struct locations *locations, size_t size, size_t packed);

/*
 * Returns the entry for a number, "" if it is missing: damage, except for the
 * number 0, or for pprof's strings.
 */
struct str locations_find(struct locations *locations, int table,
    uint64_t number);

/* True if names or stacks are far more than the file is meant to have. */
static inline bool
locations_spent(const struct locations *locations)
{
	return locations->names.made > locations->names.most ||
	    locations->stacks.made > locations->stacks.most;
}

/*
 * Takes the bytes of a stack's line from the budget, since many frames may have
 * a long name; false if it is spent.
 */
bool locations_take(struct locations *locations, const struct stack *stack);

/*
 * Adds the frames of the locations in a repeated field to a stack.  Returns
 * false if one is damaged, or if a budget is spent.
 */
bool locations_push(struct locations *locations, struct protobuf_field *field,
    struct stack *stack);

#endif
