/*
 * event: the lines of perf script that begin a sample,
 *
 *	COMM PID[/TID] [CPU] SECONDS.FRACTION: PERIOD EVENT: REST
 *
 * An event line is known by its time stamp.  Everything before the numbers to
 * the left of it is the command's name, which may hold blanks, digits and
 * brackets.  Where perf was told not to print the time, the first number ends
 * the name.
 *
 * perf script -F +misc,+tod adds "U" and "2022-03-01 12:34:56.123456" before
 * the time, -L prints the CPU without brackets, and guests have "VM: 1234
 * VCPU:003" before the command: none of these is part of the name.
 */
#ifndef EVENT_H
#define EVENT_H

#include "../lib/str.h"

/* Slices of the line. */
struct event {
	struct str head;		/* COMM PID[/TID]; empty if untimed */
	struct str comm, pid, tid;	/* not pid: may be empty */
	struct str name;		/* of the event; empty if unknown */
	struct str period;		/* digits, or empty */
	struct str rest;		/* what follows "EVENT:" */
	bool record;			/* not a sample, see event_is_record */
};

/*
 * Whether the line tells of a record that is no sample, as perf script prints
 * when it is asked for task, mmap, switch and other such events:
 *
 *	sh  4680 17125.361872: PERF_RECORD_COMM exec: sh:4680/4680
 *	PERF_RECORD_FINISHED_ROUND
 */
bool event_is_record(struct str line);

/* False when line has no time stamp behind a process's number. */
bool event_parse(struct str line, struct event *event);

/*
 * The rest of an event line whose head came before, when it is of the event
 * `name` and plain:
 *
 *	 [000]   502.708183:     142857 cpu-clock:
 *
 * Its length, with the line end, and its period; 0 when it is otherwise, and
 * event_parse may see more in it.  A NUL must stand behind text.
 */
size_t event_parse_plain(struct str text, struct str name,
    unsigned long long *period);

/*
 * [COMM] PID[/TID] [CPU] [PERIOD] EVENT: REST, where no time is printed: as
 * event_parse does, but any numbers may be these.
 */
bool event_parse_counted(struct str line, struct event *event);

/* COMM PID[/TID] and anything: COMM ends before the first such numbers. */
bool event_parse_untimed(struct str line, struct event *event);

#endif
