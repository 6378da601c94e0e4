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

/* Begins with all in front of `taken` set, and all else zero. */
struct samples {
	struct profile *profile;
	struct datafile *file;
	struct process *process;
	struct callchain *chains;
	struct select_tally *tally;	/* of samples left out, or NULL */
	bool surveys;			/* only tally: all are left out */

	/* To be set before each call; chains keep its words until a flush. */
	struct taken_record {
		const struct record *record;
		const struct block *block;	/* has it; NULL: parked... */
		uint64_t at;			/* ...from this place... */
		struct str words;		/* ...with this chain */
	} taken;
	struct attr *layout;		/* of the sample taken, or NULL */
	char number[16];		/* of a thread without a name */
	uint64_t last;			/* the newest time: waits end then */

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

/* Names the events, and learns them anew if attrs have changed. */
void samples_begin(struct samples *samples);

/* Takes the sample in `taken`. */
void samples_take(struct samples *samples);

/* Takes a switch-in or a loss from another record, if waits count. */
void samples_take_change(struct samples *samples, uint64_t time);

/* Notes that the record makes no sense. */
void samples_note_odd(struct samples *samples);

#endif
