/*
 * geckothreads: what a profile of the Firefox profiler tells of its threads,
 * read from its JSON.  Tables refer to each other by the numbers of their
 * rows:
 *
 *	samples: stack -> stackTable: prefix, frame -> frameTable: func ->
 *	    funcTable: name -> stringArray
 *
 * In the form that Firefox itself writes, the frameTable has a location, which
 * is a text of the stringTable, instead of a func.  Newer versions have tables
 * that all threads share; before that each thread has its own.
 */
#ifndef GECKOTHREADS_H
#define GECKOTHREADS_H

#include "collapse/ids.h"
#include "jsontable.h"
#include "libs.h"

/* The tables of a thread, or those that all share; they begin as { 0 }. */
struct thread_tables {
	struct column stack_prefix, stack_offset, stack_frame;
	struct column frame_func, frame_location, frame_address, frame_depth;
	struct column frame_lib, frame_line;
	struct column func_name, func_resource, func_js, func_file;
	struct column func_source, func_line, func_column;
	struct column resource_lib;
	struct column source_file;
	struct texts strings;
};

/* The meaning of samples' weights, in the profile's word. */
enum thread_weight { WEIGHT_SAMPLES, WEIGHT_MILLISECONDS, WEIGHT_BYTES };

struct thread {
	struct text name, process, pid, tid;
	struct thread_tables *tables;	/* its own, or NULL */
	struct libs libs;
	size_t of;			/* the number of its process */
	struct ids stacks;		/* of which there are samples... */
	struct counted_stack *counts;	/* ...by their number */
	size_t room;
	enum thread_weight weight;
	size_t samples;			/* that count */
	unsigned long long idle;	/* samples without a stack */
	unsigned long long negative;	/* samples that do not count */
};

struct counted_stack {
	int64_t stack;
	unsigned long long count;
};

/* Part of a profile, by a process, or all of it. */
struct thread_process {
	struct libs libs;
	struct text product;		/* the program */
};

/* It begins as { 0 }. */
struct threads {
	struct thread *list;		/* those with samples that count */
	size_t count, room;
	struct thread_process *processes;
	size_t process_count, process_room;
	struct thread_tables shared;
	bool is_profile;		/* it told its version */
	unsigned long long idle;	/* samples without a stack */
	unsigned long long negative;	/* samples that do not count */
};

/*
 * Reads a profile, the next value, of which it keeps copies; what is wrong with
 * it is told by json->trouble.
 */
void threads_read(struct json *json, struct threads *threads);

void threads_free(struct threads *threads);

#endif
