/*
 * threadid: finds the command and IDs at the start of a line of perf script,
 *
 *	COMM PID[/TID] [CPU]
 *
 * A command may contain blanks, digits and brackets, so numbers are found from
 * the right, and the command is everything left of them.
 *
 * perf script -F +misc,+tod adds "U" and "2022-03-01 12:34:56.123456" after
 * them, -L prints the CPU without brackets, and guests have "VM: 1234 VCPU:003"
 * before the command: none of these is part of it.
 */
#ifndef THREADID_H
#define THREADID_H

#include "lib/str.h"

#define THREAD_ID_COLUMNS	5	/* perf right-aligns numbers in them */

/* Slices of the line. */
struct thread_id {
	struct str text;	/* all but the CPU */
	struct str comm;
	struct str pid, tid;	/* may be empty; a lone number is the pid */
	bool certain;		/* whatever follows, text means the same */
};

/* Parses [COMM] PID[/TID] [CPU]; false, and *id is any, if s is not that. */
bool thread_id_parse(struct str s, struct thread_id *id);

/*
 * Parses [COMM] [CPU]; a number at the end belongs to the command.  False if
 * the command is longer than 15 bytes.
 */
bool thread_id_parse_command(struct str s, struct thread_id *id);

/*
 * Parses [COMM] [PID[/TID]] [CPU] as perf script aligns it, with any field
 * missing: a number is an ID if it fills five columns.  False if the command is
 * longer than 15 bytes.
 */
bool thread_id_parse_columns(struct str s, struct thread_id *id);

/* Returns the digits of [CPU] at the end of s, or an empty slice. */
struct str thread_id_cpu(struct str s);

/* Returns s without "U" of +misc and the date of +tod at its end. */
struct str thread_id_trim(struct str s);

/* Returns how many bytes of the start of s these two take. */
size_t thread_id_extras(struct str s);

#endif
