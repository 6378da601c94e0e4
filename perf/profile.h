/*
 * profile: makes folded stacks of samples, in one chain for both readers:
 *
 *	reader -> select (--time, --cpus, --pids, --tids, --comms)
 *	       -> filter (--event-filter, --each-event)
 *	       -> weigh  (the period, or --weight)
 *	       -> stack  (frames, the command, its cgroup, its event)
 *	       -> stacks, timeline (--in-order) or waits (--off-cpu, --wall)
 *
 * Readers ask select and filter first: frames of a sample that is left out are
 * never named.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include "fold/collapse.h"
#include "frames.h"
#include "select.h"
#include "waits.h"

/* Chooses the events that count; see filter.c.  Begins with others set. */
struct filter {
	size_t *others;		/* counts samples of other events */
	bool asked_for;
	bool each;		/* all events count */
	struct table choices;	/* the event that counts; if it has commas, also
				   what is before and after each of them */
	struct table met;	/* if one was asked for: choices that are
				   events, and a few others */
};

/* Sets the event that counts, or two that do, with a comma between them. */
void filter_ask(struct filter *filter, struct str event);

/* True if two events may count, with a comma between them. */
static inline bool
filter_is_list(const struct filter *filter)
{
	return filter->choices.count > 1;
}

/* True if stacks begin with the names of their events. */
static inline bool
filter_keeps_events(const struct filter *filter)
{
	return filter->each || filter_is_list(filter);
}

/* Returns the frame of an event, plus one; 0 if stacks have none. */
uint32_t filter_frame(const struct filter *filter, struct fold *fold,
    struct str event);

/* Notes that an event exists, though it may have no samples. */
void filter_meet(struct filter *filter, struct str event);

/* True if samples of this event count.  An unknown event, "", counts. */
bool filter_wants(struct filter *filter, struct str event);

/* At the end, stores the events that count; returns how many, 0 to 2. */
size_t filter_resolve(const struct filter *filter, struct str names[2]);

/* Adds the choices that exist, if wanted, and a few other events: ": a, b". */
void filter_add_events(const struct filter *filter, bool has_choices,
    struct text *text);

/* Reports samples of other events, unless an event was asked for. */
void filter_report(const struct filter *filter);

/* The options of the command line. */
struct profile_options {
	bool pid, tid, cgroup;		/* frames around the stack */
	bool kernel, jit;		/* mark these functions */
	bool addresses;			/* of unknown functions */
	bool inlined, context;		/* --inline of text, and its lines */
	bool source_lines;		/* perf script -F +srcline prints */
	bool in_order;			/* of time, thread by thread */
	struct str weight;		/* a field; empty: periods count */
	uint64_t gap;			/* nanoseconds; 0: no gaps are shown */
	const struct waits_options *waits;	/* NULL: samples count */
	struct filter filter;
	struct select *select;		/* NULL: all samples count */
	bool no_unit;			/* print no unit of the counts */
};

struct profile {
	struct fold *fold;		/* takes the stacks */
	struct profile_options *options;
	struct frames frames;
	struct text name;		/* room for one that is being made */
	struct timeline timeline;	/* if their order is kept */
	struct waits waits;		/* if they count */
	unsigned changes;		/* wait_changes of text, a bit each */
	bool reads_recording;		/* one was folded */
	struct text advice;		/* why one was refused */
	size_t frameless;		/* samples of tracepoints without -g */
	size_t without_cgroup;		/* samples without what is asked for */
	size_t without_event;
	size_t without_field;
	size_t negative;		/* samples in which it is below 0 */
	unsigned long long *seconds;	/* counts of a second event, by stack */
	size_t seconds_room;
};

void profile_init(struct profile *profile, struct fold *fold,
    struct profile_options *options);

/* Sets the frame of a sample's command: COMM, COMM-PID or COMM-PID/TID. */
void profile_root(struct profile *profile, struct sample *sample);

/* Returns the frame of a cgroup, plus one; 0 if none is asked for. */
uint32_t profile_cgroup(struct profile *profile, struct str path);

/* True if samples count by a field of their tracepoint, not by their period. */
static inline bool
profile_counts_field(const struct profile *profile)
{
	return profile->options->weight.len > 0;
}

/*
 * Stores how much a sample counts by the value of its field; false, after
 * noting why, if it is left out.  A hexadecimal number in text has no sign; it
 * is negative if the highest bit of its 8 bytes is set.
 */
bool profile_weigh(struct profile *profile, bool is_found, int64_t value,
    uint64_t *count);

/* Counts a sample, whose frames are on the stack of `fold`. */
void profile_add(struct profile *profile, const struct sample *sample);

/* Reports problems of the samples, and why none was found. */
void profile_report(struct profile *profile);

/* Ends the stacks; false, after a message, if they must not be printed. */
bool profile_finish(struct profile *profile);

/* Adds a stack's counts to a line: one, or two if two events count. */
void profile_add_counts(const struct profile *profile, uint32_t number,
    struct text *line);

#endif
