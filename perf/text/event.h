/*
 * event: parses the lines of perf script that begin a sample,
 *
 *	COMM PID[/TID] [CPU] SECONDS.FRACTION: PERIOD EVENT: REST
 *
 * Any of these may be missing (perf script -F). A command may contain blanks,
 * digits and time stamps, so the command and IDs are found leftwards from the
 * time stamp, or else from the columns in which perf aligns numbers.
 *
 * A number before the time is an ID. It belongs to the command if perf printed
 * no IDs: other lines have none, or the line is aligned and the number does not
 * fill its columns.
 *
 * A period is a weight only if nothing or an address follows: a tracepoint with
 * arguments counts 1.
 */
#ifndef EVENT_H
#define EVENT_H

#include <stdint.h>

#include "perf/threadid.h"

/* How an input prints event lines, as its first ones show: any of these. */
enum {
	EVENT_SQUEEZED = 1,	/* one blank between words, in no columns */
	EVENT_NUMBERLESS = 2,	/* no numbers of threads */
	EVENT_WEIGHTED = 4,	/* a period where no time is: all have one */
	EVENT_TIMED = 8		/* a time: other lines are perf's messages */
};

/* Slices of the line. */
struct event {
	struct thread_id thread;
	struct str name;	/* empty if unknown */
	struct str time;	/* "115.109216", or empty */
	struct str period;	/* digits, or empty */
	struct str rest;	/* all after "EVENT:", trimmed */
	struct str columns;	/* the same with the blanks around it */
	bool has_address;	/* one in its columns begins the rest */
	bool counts;		/* the period does: no arguments follow */
	bool aligned;		/* the time is as perf aligns it */
	bool record;		/* not a sample, see event_is_record */
};

/*
 * True for a record other than a sample, as perf script prints with
 * --show-task-events, --show-mmap-events and the like:
 *
 *	sh  4680 17125.361872: PERF_RECORD_COMM exec: sh:4680/4680
 *	PERF_RECORD_FINISHED_ROUND
 */
bool event_is_record(struct str line);

/*
 * Parses a line with a time stamp; false if none is found.  Where no thread is
 * printed, its fraction must be as long as perf's.
 */
bool event_parse(struct str line, unsigned form, struct event *event);

/*
 * Parses a line of a sample without a call graph by its columns: the command is
 * aligned on the right of the first 16, or not printed at all.  A time stamp or
 * the frame's address must follow the numbers.
 */
bool event_parse_aligned(struct str line, unsigned form, struct event *event);

/*
 * Parses a line without a time stamp by its columns: [COMM] [PID[/TID]] [CPU]
 * [PERIOD] [EVENT:]. False if the command is longer than 15 bytes.
 */
bool event_parse_untimed(struct str line, unsigned form, struct event *event);

/*
 * Parses COMM PID[/TID] and anything, perhaps [PERIOD] [EVENT:] at its end, as
 * stackcollapse-perf.pl does: the command ends before the first numbers of that
 * form.
 */
bool event_parse_words(struct str line, unsigned form, struct event *event);

#define EVENT_NO_TIME	UINT64_MAX

/* Returns "115.109216" in nanoseconds; further digits are cut off. */
uint64_t event_nanoseconds(struct str time);

/*
 * Finds a field of a tracepoint in what follows its name, where the kernel
 * chooses how it is printed:
 *
 *	kmem:kmalloc: call_site=do_open+0x3c bytes_req=120 bytes_alloc=128
 *	syscalls:sys_enter_write: fd: 0x00000003, buf: 0x7f00, count: 0x00000040
 *	syscalls:sys_exit_write: 0x40
 *	raw_syscalls:sys_exit: NR 1 = 64
 *
 * The last two are the field ret.  Stores its number, one of 2^63 or more as
 * the same bits; false if the line has no such field, or it is no number.
 */
bool event_field(const struct event *event, struct str field, int64_t *number);

#endif
