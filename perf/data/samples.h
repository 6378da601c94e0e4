/*
 * samples: selects the samples of a recording, in time order, weighs them and
 * finds their threads.  As with perf script, samples of one event count by
 * their periods, or 1 each for a tracepoint.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "callchain.h"
#include "datafile.h"
#include "process.h"

/* Begins with all in front of `record` set, and all else zero. */
struct samples {
	struct profile *profile;
	struct datafile *file;
	struct process *process;
	struct callchain *chains;
	struct select_tally *tally;	/* of samples left out, or NULL */
	bool surveys;			/* only tally: all are left out */

	struct taken_sample {
		const struct record *record;
		const struct block *block;	/* has it; NULL: parked... */
		uint64_t at;			/* ...from this place... */
		struct str words;		/* ...with this chain */
	} taken;
	char number[16];		/* of a thread without a name */
	uint64_t last;			/* the newest time of a record, at which
					   waits end */
	bool has_learned;		/* of events; attrs hold it */

	const char *refused;		/* why the recording is, or NULL */
	unsigned long long guests;	/* samples of virtual machines */
	unsigned long long odd;		/* records that make no sense... */
	uint64_t odd_at;		/* ...the first place of them */
};

/* True if a sample is left out by its time, and has no counter values. */
static inline bool
samples_pass_over(const struct samples *samples, const struct record *record,
    uint64_t *time)
{
	const struct attrs *attrs = &samples->file->attrs;
	const struct select *select = samples->profile->options->select;

	if (select == NULL || samples->tally != NULL ||
	    attrs->time_at == 0 || (attrs->fields & SAMPLE_READ) != 0 ||
	    record->bytes.len < attrs->time_at + ATTR_WORD)
		return false;
	*time = attr_word(record->bytes.data + attrs->time_at);
	return !select_wants_time(select, *time);
}

/* Begins with samples whose attrs may have changed: names their events. */
void samples_begin(struct samples *samples);

/*
 * Takes a sample in a block.  A parked one is in none, but was at a place in
 * its file; `words` replace its chain, and must stay until chains are flushed.
 */
void samples_take(struct samples *samples, const struct record *record,
    const struct block *block, uint64_t at, struct str words);

/* Takes a switch-in or a loss from another record, if waits count. */
void samples_take_change(struct samples *samples, const struct record *record,
    uint64_t time);

/* Notes that the record at a place makes no sense. */
void samples_note_odd(struct samples *samples, uint64_t at);

/* Forgets what is known of events, as attrs change. */
void samples_forget_events(struct samples *samples);

/*
 * sched.c: finds the events that report changes.  Returns NULL, or what the
 * recording lacks and the command that records it, valid as long as its file.
 */
const char *sched_learn(struct samples *samples);

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
