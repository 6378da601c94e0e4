/*
 * sched: what records tell of threads that wait: samples of tracepoints,
 * sched:sched_switch and sched:sched_waking, or sched_wakeup, by their raw
 * data; those of a clock, and of bpf-output that perf record --off-cpu makes,
 * by their periods; and records of switches and losses.
 *
 *	sched_switch	prev_pid  prev_state  next_pid
 *	sched_waking	pid
 *
 * Where these fields are, and what bits of a state mean, is told by the formats
 * in the recording.
 */
#ifndef SCHED_H
#define SCHED_H

#include "attr.h"
#include "formats.h"
#include "perf/waits.h"
#include "record.h"

/* An event. */
struct sched_source {
	enum wait_change change;	/* that its samples tell */
	struct raw_field prev, state, next;	/* of its raw data */
	uint64_t states;	/* bits of the state that tell why it is not
				   running... */
	uint64_t ended, uninterruptible;	/* ...and of these reasons */
};

/* Begins as { 0 }. */
struct sched {
	struct sched_source *sources;	/* by the place of their attrs */
	size_t count;
	struct text lacking;
	uint64_t last;		/* the newest time of a record, at which waits
				   end */
};

/*
 * Learns which of the events count.  Returns NULL, or what the recording lacks,
 * with the command that records it, which lives until the next call.
 */
const char *sched_learn(struct sched *sched,
    const struct attrs *attrs, const struct formats *formats,
    const struct waits_options *options);

/* Forgets the events, as attrs change. */
void sched_forget(struct sched *sched);

/* Returns the source of an event, which has a place in the list. */
static inline const struct sched_source *
sched_source(const struct sched *sched, size_t place)
{
	return &sched->sources[place];
}

/*
 * Reads what a sample tells, of an event that tells something: all but its
 * count; false if it makes no sense.  A thread that ends gets its number back
 * in the sample.
 */
bool sched_read(const struct sched_source *source,
    const struct record *record, const struct attr *attr,
    struct record_sample *sample, struct wait_event *event);

/* The same of a record that is no sample; false if it tells nothing. */
bool sched_read_record(const struct record *record,
    const struct attr *attr, struct wait_event *event);

void sched_free(struct sched *sched);

#endif
