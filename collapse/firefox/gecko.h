/*
 * gecko: reads a profile of the Firefox profiler from its JSON.  Tables refer
 * to each other by the numbers of their rows:
 *
 *	samples: stack -> stackTable: prefix, frame -> frameTable: func ->
 *	    funcTable: name -> stringArray
 *
 * In the form that Firefox itself writes, the frameTable has a location, which
 * is a text of the stringTable, instead of a func.  Newer versions have tables
 * that all threads share; before that each thread has its own.
 */
#ifndef GECKO_H
#define GECKO_H

#include "collapse/jsontable.h"
#include "lib/intmap.h"

/* A program or library. */
struct gecko_lib {
	struct str path, name;
	struct str build_id;		/* in hexadecimal, or "" */
	struct str breakpad_id;		/* a part of it, in another form */
	uint64_t start, end;		/* addresses in a process, or 0 */
	uint64_t offset;		/* of `start` in the file */
};

/* It begins as { 0 }. */
struct gecko_libs {
	struct gecko_lib *list;	/* in the profile's order */
	size_t count, room;
	const struct gecko_lib **order;	/* by start; NULL until it is needed */
};

/* The tables of a thread, or shared tables; they begin as { 0 }. */
struct gecko_tables {
	struct column stack_prefix, stack_offset, stack_frame;
	struct column frame_func, frame_location, frame_address, frame_depth;
	struct column frame_lib, frame_line;
	struct column func_name, func_resource, func_js, func_file;
	struct column func_source, func_line, func_column;
	struct column resource_lib;
	struct column source_file;
	struct texts strings;
};

/* The unit of samples' weights. */
enum gecko_weight { WEIGHT_SAMPLES, WEIGHT_MILLISECONDS, WEIGHT_BYTES };

struct gecko_thread {
	struct str name, process, pid, tid;
	struct gecko_tables *tables;	/* its own, or NULL if all share one */
	struct gecko_libs libs;
	size_t of;			/* the number of its process */
	struct intmap stacks;		/* numbers those with samples, from 1 */
	struct counted_stack *counts;	/* by that number less 1 */
	size_t room;
	enum gecko_weight weight;
	size_t samples;			/* how many count */
	unsigned long long idle;	/* samples without a stack */
	unsigned long long negative;	/* samples that do not count */
	unsigned long long clamped;	/* weights that are too large */
};

struct counted_stack {
	int64_t stack;
	unsigned long long count;
};

/* A process: part of a profile, or the entire profile. */
struct gecko_process {
	struct gecko_libs libs;
	struct str product;		/* the program */
};

/* It begins as { 0 }. */
struct gecko {
	struct gecko_thread *list;	/* threads with samples that count */
	size_t count, room;
	struct gecko_process *processes;
	size_t process_count, process_room;
	struct gecko_tables shared;
	bool is_profile;		/* it has a version */
	unsigned long long idle;	/* samples without a stack */
	unsigned long long negative;	/* samples that do not count */
	unsigned long long clamped;	/* weights that are too large */
};

/*
 * Reads a profile, the next value.  Short texts stay in json->texts.  Sets
 * json->trouble if the profile is damaged.
 */
void gecko_read(struct json *json, struct gecko *gecko);

void gecko_free(struct gecko *gecko);

/* Returns the library at an address of its process, or NULL. */
const struct gecko_lib *gecko_find_lib(struct gecko_libs *libs,
    uint64_t address);

#endif
