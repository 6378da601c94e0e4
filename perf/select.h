/*
 * select: chooses samples by time, processor, process, thread and command, from
 * lists in perf script's syntax:
 *
 *	--time=12.5,13  --time='1,2 5,'  --time=10%/2  --time=0%-10%,40%-50%
 *	--cpus=0-3,7  --pids=41,42  --tids=41  --comms=make,cc1
 *
 * Times are in seconds, as perf script prints them.  Ranges include both ends;
 * without a start or an end they are open on that side.  Percentages are parts
 * of a file's time span, which select_resolve sets before samples are selected.
 */
#ifndef SELECT_H
#define SELECT_H

#include "lib/intmap.h"
#include "lib/table.h"
#include "sample.h"

/* Both ends are in it, in nanoseconds. */
struct select_range {
	uint64_t start, end;
};

/* A part of a file's time, from 0 to 1. */
struct select_share {
	double start, end;
};

/* Counts samples that were left out, by command; begins as { 0 }. */
struct select_tally {
	unsigned long long samples;
	uint64_t first, last;	/* their times in ns; both 0: none has one */
	struct table comms;
	unsigned long long *counts;	/* by the number of a command */
	size_t room;
};

/* Begins as { 0 }. */
struct select {
	unsigned by;			/* what is asked for: SAMPLE_HAS_... */
	struct select_range *ranges;	/* in order, none in another */
	size_t ranges_count;
	struct select_share *shares;	/* that ranges are made of, or NULL */
	size_t shares_count;
	struct table comms;
	struct intmap numbers[SAMPLE_FIELDS];	/* CPUs, pids and tids */
	bool clips;		/* select_clip selects times, not samples */
	size_t lacking[SAMPLE_FIELDS];	/* samples, by what they lack first */
	struct select_tally tally;	/* of samples not selected */
};

/*
 * Sets what lists ask for, by the bits of sample_has; NULL: its option is not
 * used.  Ends the program if a list is wrong.
 */
void select_ask(struct select *select, const char *const *lists);

/* Makes ranges of these, by the times of a file's first and last sample. */
void select_resolve(struct select *select, uint64_t first, uint64_t last);

/* True if samples of a time count; in perf, so does the time 0. */
bool select_wants_time(const struct select *select, uint64_t time);

/* True if selected.  Counts one that lacks a field.  NULL selects all. */
bool select_sample(struct select *select, const struct sample *sample);

/* Reports what samples of perf script's text lacked; true if any did. */
bool select_report(const struct select *select);

/* Counts a sample that is left out; a time of 0 is not known. */
void select_tally_add(struct select_tally *tally, struct str comm,
    uint64_t time);

/*
 * Says "--time and --pids left no sample; there are 12 from 1.000000000 to
 * 2.500000000, of make (8), cc1 (4)".
 */
void select_explain(const struct select *select);

/* Returns how much of a time is in the ranges; cuts *to to the last one. */
uint64_t select_clip(const struct select *select, uint64_t from, uint64_t *to);

#endif
