/*
 * selection: chooses the samples that count by their time, processor, process,
 * thread and command, by lists as perf script takes them:
 *
 *	--time=12.5,13  --time='1,2 5,'  --time=10%/2  --time=0%-10%,40%-50%
 *	--cpus=0-3,7  --pids=41,42  --tids=41  --comms=make,cc1
 *
 * A time is in seconds, as perf script prints it.  Both ends of a range are in
 * it; one without a start, or an end, has all before, or after.  Percentages
 * are parts of a file's time, which is told by selection_resolve before its
 * samples are asked about.
 */
#ifndef SELECTION_H
#define SELECTION_H

#include "lib/intmap.h"
#include "lib/table.h"
#include "lib/text.h"

/* What an option asks for. */
enum selection_by {
	SELECTION_TIME = 1 << 0,
	SELECTION_CPUS = 1 << 1,
	SELECTION_PIDS = 1 << 2,
	SELECTION_TIDS = 1 << 3,
	SELECTION_COMMS = 1 << 4
};

#define SELECTION_KINDS	5	/* of these */

/* Both ends are in it, in nanoseconds. */
struct selection_range {
	uint64_t start, end;
};

/* A part of a file's time, from 0 to 1. */
struct selection_share {
	double start, end;
};

#define SELECTION_CPUS_MOST	65536	/* 8 times as many as Linux's most */

/* All threads share this; it begins as { 0 }. */
struct selection {
	unsigned by;			/* of selection_by */
	struct selection_range *ranges;	/* in order, none in another */
	size_t ranges_count;
	struct selection_share *shares;	/* that ranges are made of, or NULL */
	size_t shares_count;
	struct table comms;
	struct intmap pids, tids;
	unsigned char *cpus;		/* a bit each */
	bool clips;		/* spans of time count, by selection_clip: so
				   samples of all times are wanted */
};

/*
 * Sets what is asked for.  These return NULL, or what is wrong with the list,
 * in words that follow it: "is not ...".
 */
const char *selection_ask_time(struct selection *selection, const char *list);
const char *selection_ask_cpus(struct selection *selection, const char *list);
const char *selection_ask_pids(struct selection *selection, const char *list);
const char *selection_ask_tids(struct selection *selection, const char *list);
const char *selection_ask_comms(struct selection *selection, const char *list);

/* Adds "--time and --pids", the options that were used, to a text. */
void selection_add_options(const struct selection *selection,
    struct text *text);

/* True if ranges depend on a file's time. */
static inline bool
selection_has_shares(const struct selection *selection)
{
	return selection->shares != NULL;
}

/* Makes ranges of these, by the times of a file's first and last sample. */
void selection_resolve(struct selection *selection, uint64_t first,
    uint64_t last);

/* Does the work of selection_wants_time for several ranges. */
bool selection_finds_time(const struct selection *selection, uint64_t time);

/* True if samples of a time count; in perf, so does the time 0. */
static inline bool
selection_wants_time(const struct selection *selection, uint64_t time)
{
	const struct selection_range *first = selection->ranges;

	if ((selection->by & SELECTION_TIME) == 0 || time == 0 ||
	    selection->clips)
		return true;
	if (selection->ranges_count != 1)
		return selection_finds_time(selection, time);
	return time >= first->start && time <= first->end;
}

static inline bool
selection_wants_cpu(const struct selection *selection, uint32_t cpu)
{
	return (selection->by & SELECTION_CPUS) == 0 ||
	    (cpu < SELECTION_CPUS_MOST &&
	    (selection->cpus[cpu / 8] >> cpu % 8 & 1) != 0);
}

/* True if samples of a thread with these numbers count. */
bool selection_wants_thread(const struct selection *selection, int32_t pid,
    int32_t tid);

/* True if samples of a thread count while it has this name. */
bool selection_wants_comm(const struct selection *selection, struct str comm);

/* Returns where the first range begins; 0: where the recording does. */
static inline uint64_t
selection_begin(const struct selection *selection)
{
	return selection->ranges_count > 0 ? selection->ranges->start : 0;
}

/* Returns the end of the last one; UINT64_MAX: the recording's. */
static inline uint64_t
selection_end(const struct selection *selection)
{
	return selection->ranges_count > 0 ?
	    selection->ranges[selection->ranges_count - 1].end : UINT64_MAX;
}

/* Returns how much of the time from `from` to `to` is in the ranges. */
uint64_t selection_clip(const struct selection *selection, uint64_t from,
    uint64_t to);

#endif
