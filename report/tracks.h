/*
 * tracks: the samples of folded text as other tools have them, for the programs
 * that write their formats.  They are in one track, or each thread has its own:
 *
 *	make-41/41;main;read 20		make-41/41	main;read 20
 *	cc-42/42;main;parse 40		cc-42/42	main;parse 40
 *
 * Equal stacks of a track are one sample; where the order is that of time only
 * if they follow one another.
 */
#ifndef TRACKS_H
#define TRACKS_H

#include "fold/folded.h"
#include "fold/trail.h"
#include "lib/intmap.h"
#include "lib/options.h"
#include "lib/table.h"

/*
 * A row for each stack: its innermost frame, and the row of the calling stack,
 * which comes before it.  Row 0 has no frames.
 *
 *				caller	name
 *	main;parse;read		1	0	main
 *	main;print		2	1	parse
 *				3	2	read
 *				4	1	print
 */
struct stack_row {
	uint32_t caller;	/* a row, or 0 */
	uint32_t name;		/* a number of the names */
	uint32_t callee;	/* the first row that it calls, or 0 */
};

struct stack_table {
	struct table names;	/* clean (utf8_clean) */
	struct stack_row *rows;	/* rows[0] is no stack */
	uint32_t count;		/* of rows, with that one */
	size_t room;
	struct intmap known;	/* by caller and name, all rows but the first
				   of their caller: most have no sibling */
	struct trail trail;
};

enum { BEFORE, AFTER };		/* the two counts; of one, AFTER is used */

struct track_sample {
	uint32_t stack;		/* a row of the table */
	struct amount counts[2];
};

struct track {
	struct str name;	/* of the thread, clean; "" if there is one */
	struct track_sample *samples;
	size_t count, room;
	struct amount sums[2];
};

struct tracks {
	/* set by options */
	const char *count_name;	/* NULL: the unit of the input */
	double factor;		/* by which counts are multiplied */
	bool by_thread;		/* a stack's outermost frame is its thread */
	bool in_order;		/* of time */
	/* what was read */
	struct stack_table stacks;
	struct track *list;	/* at least one */
	uint32_t count;
	size_t room;
	struct table threads;
	struct intmap known;	/* samples, from 1, by track and stack */
	bool have_two;		/* a line has two counts */
	bool overflowed;	/* a sum is larger than it can be */
};

/* The rows of the option table that set static tracks. */
#define TRACKS_OPTIONS(tracks) \
	{ "countname", OPTION_TEXT, &(tracks).count_name, "TEXT", \
	    "what is counted: ns, us, ms, s, bytes or any other\n" \
	    "(default: the unit of the input, or samples)" }, \
	{ "factor", OPTION_DECIMAL, &(tracks).factor, "NUMBER", \
	    "write counts multiplied by this" }, \
	{ "threads", OPTION_FLAG, &(tracks).by_thread, NULL, \
	    "the outermost frame of a stack is its thread" }
#define TRACKS_IN_ORDER(tracks) \
	{ "flamechart", OPTION_FLAG, &(tracks).in_order, NULL, \
	    "keep the order of the input: it is that of time" }

/*
 * Does a program's work: reads the operands that options leave of argv, and
 * calls write() unless they have no stack.  Returns the status to exit with.
 */
int tracks_main(struct tracks *tracks, const struct usage *usage, char **argv,
    void (*write)(void));

/* Returns the first of the counts to write, up to AFTER. */
static inline int
tracks_first(const struct tracks *tracks)
{
	return tracks->have_two ? BEFORE : AFTER;
}

/* A unit that other tools know. */
struct track_unit {
	const char *name;		/* "ns" */
	const char *whole_name;		/* "nanoseconds" */
	double per_millisecond;		/* 0: it is no time */
};

/* Returns the unit of the counts, or NULL. */
const struct track_unit *tracks_unit(const struct tracks *tracks);

/* Adds the amount times a factor to JSON, with all its digits. */
void amount_write(struct text *json, struct amount amount, double factor);

/* The names of functions that were inlined into their callers: "square_[i]". */
struct marks {
	struct table functions;	/* names without the mark */
	uint32_t *function_of;	/* by the number of a name */
	uint32_t *is_inlined;	/* the same; 0 or 1 */
};

/* Scans all names of a table.  The table must outlive the marks. */
void marks_init(struct marks *marks, const struct table *names);

#endif
