/*
 * sched: reads scheduler events from records: samples of the tracepoints
 * sched:sched_switch and sched:sched_waking or sched_wakeup, by their raw data;
 * samples of a clock, and of perf record --off-cpu, by their periods; and
 * records of switches and losses.
 *
 *	sched_switch	prev_pid  prev_state  next_pid
 *	sched_waking	pid
 *
 * The formats in the recording define where these fields are, and the bits of a
 * state.
 */
#ifndef SCHED_H
#define SCHED_H

#include "attr.h"
#include "formats.h"
#include "perf/waits.h"
#include "record.h"

/* Begins as { 0 }. */
struct sched {
	struct text lacking;
	uint64_t last;		/* the newest time of a record, at which waits
				   end */
};

/*
 * Finds the events that report changes.  Returns NULL, or what the recording
 * lacks and the command that records it, valid until the next call.
 */
const char *sched_learn(struct sched *sched, struct attrs *attrs,
    const struct formats *formats, const struct waits_options *options);

/*
 * Reads the change from a sample, except its count; false if it makes no sense.
 * Restores the ID in the sample of an exiting thread.
 */
bool sched_read(const struct sched_event *source,
    const struct record *record, const struct attr *attr,
    struct record_sample *sample, struct wait_event *event);

/* Reads the change from another record; false if it has none. */
bool sched_read_record(const struct record *record,
    const struct attr *attr, struct wait_event *event);

#endif
