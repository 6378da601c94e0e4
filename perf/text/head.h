/*
 * head: parses the line of perf script that begins a sample,
 *
 *	COMM PID[/TID] [CPU] SECONDS.FRACTION: PERIOD EVENT: FIELDS
 *
 * Any of these may be missing (perf script -F).  A command may contain blanks,
 * digits, brackets and time stamps.  So fields are cut off from the right, from
 * the time leftwards, and the command is what remains.
 *
 * A number before the time is an ID.  It belongs to the command if perf printed
 * no IDs: other lines have none, or the line is aligned and the number does not
 * fill its columns.
 *
 * perf script -F +misc,+tod prints "U" and "2022-03-01 12:34:56.123456" before
 * the time, -L prints the CPU without brackets, and guests have
 * "VM: 1234 VCPU:003" before the command.
 */
#ifndef HEAD_H
#define HEAD_H

#include "lib/str.h"

/* How a file prints heads, as its first ones show: any of these. */
enum {
	HEAD_SQUEEZED = 1,	/* one blank between words, in no columns */
	HEAD_NUMBERLESS = 2,	/* no numbers of threads */
	HEAD_WEIGHTED = 4,	/* a period in each, where no time is */
	HEAD_TIMED = 8		/* a time: other lines are perf's messages */
};

/* Slices of the line. */
struct head {
	struct str thread;	/* "COMM PID[/TID]" */
	struct str comm;
	struct str pid, tid;	/* a lone number is the tid */
	struct str cpu;		/* digits, or empty */
	struct str time;	/* "115.109216", or empty */
	struct str period;	/* digits, or empty */
	struct str event;	/* its name, empty if unknown */
	struct str fields;	/* all after "EVENT:" */
	bool counts;		/* the period does: no arguments follow */
	bool in_columns;	/* the number of the thread fills its own */
	bool is_aligned;	/* the time is where perf aligns it */
};

#define HEAD_ID_COLUMNS	5	/* perf right-aligns numbers in them */

/* Parses a line with a time stamp; false if none is found. */
bool head_parse(struct str line, unsigned form, struct head *head);

/*
 * Parses [COMM] [PID[/TID]] [CPU] [PERIOD] [EVENT:] by the columns in which
 * perf aligns numbers.  False if the command is longer than 15 bytes.
 */
bool head_parse_columns(struct str line, unsigned form,
    struct head *head);

/*
 * Parses COMM PID[/TID] and anything, perhaps [PERIOD] [EVENT:] at its end, as
 * stackcollapse-perf.pl does: the command ends before the first numbers of that
 * form.
 */
bool head_parse_words(struct str line, unsigned form, struct head *head);

/*
 * True if an address of data begins the fields, right-aligned in 16 columns or
 * more after a blank.
 */
bool head_has_address(const struct head *head);

#define HEAD_NO_TIME	UINT64_MAX

/* Returns the time in nanoseconds. */
uint64_t head_time(const struct head *head);

#endif
