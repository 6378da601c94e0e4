/*
 * event: parses the lines of perf script that begin a sample,
 *
 *	COMM PID[/TID] [CPU] SECONDS.FRACTION: PERIOD EVENT: REST
 *
 * An event line is known by its time stamp, left of which is whose sample it
 * is.  A period is a weight only where nothing follows, or an address: the
 * arguments of a tracepoint do not change its 1.
 */
#ifndef EVENT_H
#define EVENT_H

#include "perf/threadid.h"

/* Slices of the line. */
struct event {
	struct thread_id thread;
	struct str name;	/* empty if unknown */
	struct str time;	/* "115.109216", or empty */
	struct str period;	/* digits, or empty */
	struct str rest;	/* all behind "EVENT:", trimmed */
	struct str columns;	/* the same with the blanks around it */
	bool has_address;	/* one in its columns begins the rest */
	bool counts;		/* the period does: no arguments follow */
	bool aligned;		/* the time is as perf aligns it */
	bool record;		/* not a sample, see event_is_record */
};

/*
 * True if the line tells of a record that is no sample, as perf script prints
 * with --show-task-events, --show-mmap-events and the like:
 *
 *	sh  4680 17125.361872: PERF_RECORD_COMM exec: sh:4680/4680
 *	PERF_RECORD_FINISHED_ROUND
 */
bool event_is_record(struct str line);

/*
 * Parses a line with a time stamp; false if no time stamp is found.  Where perf
 * was told not to print the thread, it must be as perf aligns it.
 */
bool event_parse(struct str line, struct event *event);

/*
 * Parses a line of a sample without a call graph by its columns: the command is
 * aligned on the right of the first 16, or not printed at all.  A time stamp or
 * the frame's address must follow the numbers.
 */
bool event_parse_aligned(struct str line, struct event *event);

/* Other modules that parse event lines need these: */

#define EVENT_COMM_COLUMNS	16
#define EVENT_PERIOD_COLUMNS	10

/*
 * True if the time stamp between start and the ':' at `colon`, and a period
 * that follows it, are as perf aligns them.  More than the line may follow.
 */
bool event_is_aligned(struct str line, size_t start, size_t colon);

/*
 * Returns one past the colon of the event's name that s begins with,
 * "cycles:u:" or "raw 0x1a8:"; 0 if it begins with no name, as "140.25:" does.
 */
size_t event_name_end(struct str s);

#endif
