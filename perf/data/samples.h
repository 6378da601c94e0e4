/*
 * samples: chooses the samples of a recording that count, and tells how much
 * they count and whose they are.
 *
 * As in the folded text of perf script, samples of one event count, by their
 * periods, or 1 each where that event is a tracepoint.
 *
 * Whatever the order in which they come, each finds in the history what was at
 * its own moment.  Flame charts, and counters whose samples tell how far they
 * got, need their order: these samples are sorted once they have stacks.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "chain.h"
#include "formats.h"
#include "history.h"
#include "ordered.h"
#include "perf/select.h"
#include "perf/fieldcount.h"
#include "perf/filter.h"
#include "perf/root.h"
#include "perf/select.h"
#include "reader.h"
#include "switches.h"

/* Some records in a row, whose samples are folded together. */
struct slice {
	struct block *block;	/* which it holds */
	struct str records;
	uint64_t number;	/* of the first one, as they are read */
	uint64_t oldest, newest;	/* of its samples' times */
};

struct slices {
	struct slice *list;
	size_t count, room;
};

/* The stacks, and the names in them, which all recordings share. */
struct recording_target {
	struct frames *frames;
	struct roots *roots;
	struct filter *filter;
	struct select *select;	/* NULL: all samples count */
	struct select_tally *tally;		/* of those that it leaves out, which
					   tells all if it leaves nothing */
	struct stacks *stacks;
	struct timeline *timeline;	/* NULL: no order is kept */
	size_t *samples;	/* the number of those that were counted */
	size_t *frameless;	/* of those that have no frame, and do not */
	size_t *losses;		/* one more for a recording of which some is
				   missing at its end */
	bool *failed;		/* set if some of one could not be read */
	struct text *advice;	/* holds why a recording was refused */
	struct fieldcount *fields;	/* that samples count by; NULL: none */
	struct waits *waits;	/* that count instead; NULL: samples do.  Then
				   stacks are those that it is told */
};

/* Samples of an event that does not count. */
struct other_event {
	size_t attr, count;
	struct moment first;
};

#define SAMPLES_ROOTS	64	/* those of many processors take turns */

/* The root of a thread that was met lately. */
struct known_root {
	const struct history_name *name;
	int32_t pid, tid;
	bool is_known, java;
	uint32_t frame;
	uint64_t cgroup;	/* its number, if cgroups are asked for... */
	uint32_t cgroup_frame;	/* ...and its frame, plus one; else 0 */
};

/*
 * A thread has one of these, which begins with all in front of `number` set,
 * and all else zero.
 */
struct samples {
	const struct recording_target *target;
	struct attrs *attrs;
	const struct formats *formats;	/* of tracepoints */
	const struct history *history;
	struct roots roots;
	struct namer *namer;		/* of its frames */
	struct chains *chains;
	struct batch *batch;		/* of their chains */
	const struct unwind_machine *machine;	/* NULL: none that we know */
	bool is_pipe;
	bool stitches;			/* stacks, if there are copies */
	const struct select *select;	/* the target's */
	struct select_tally *tally;		/* of samples that are left out, or
					   NULL... */
	bool surveys;			/* ...of all, which are left out */

	uint64_t number;		/* of the sample's record */
	const struct slice *slice;	/* in which it is */
	int32_t pid, tid;		/* of the last sample... */
	struct history_thread thread;	/* ...and what that is */
	bool has_thread;
	struct known_root known[SAMPLES_ROOTS];	/* by tid */
	const struct attr *counted;	/* the event that counts, once known;
					   NULL again when attrs change */
	uint32_t event;			/* its frame, plus one, if stacks begin
					   with events; else 0 */
	struct raw_field field;		/* by which it counts, if... */
	bool has_field;			/* ...it has that */
	bool is_plain;			/* as attr_is_plain, and counts */
	bool has_frames;		/* perf script prints its frames */
	struct ordered ordered;		/* those that need their order */
	struct switches switches;	/* the events, if waits count... */
	bool knows_switches;		/* ...unless attrs have changed */
	uint64_t last;			/* the time of all that was told then,
					   at which waits end */

	size_t count;			/* of those that count */
	size_t frameless;		/* that have no frame to print */
	struct fieldcount fields;	/* what was left out for them */
	const char *refused;		/* why the recording is, or NULL; see
					   ONLY_PERF */
	unsigned long long guests;	/* samples of virtual machines */
	unsigned long long odd;		/* records that make no sense... */
	uint64_t odd_number, odd_at;	/* ...the first of them, and where in
					   the file it is */
	struct other_event *others;	/* those met since the last look, by the
					   places of attrs; NULL: none */
};

/* True if samples are to be taken in their order. */
static inline bool
samples_stitch(const struct samples *samples)
{
	return samples->stitches &&
	    (samples->attrs->fields & SAMPLE_USER_STACK) != 0;
}

/* True if samples are counted in their order, by one thread. */
static inline bool
samples_keep_order(const struct samples *samples)
{
	return samples->target->timeline != NULL ||
	    samples->target->waits != NULL || samples_stitch(samples) ||
	    (samples->attrs->fields & SAMPLE_READ) != 0;
}

/*
 * Takes a record that is no sample, if it tells of threads that come to a
 * processor, or of what was lost, and waits count.
 */
void samples_take_change(struct samples *samples, const struct record *record,
    struct moment moment);

/*
 * True if a sample is left out by its time, and nothing else of it is needed:
 * the values of counters are.
 */
static inline bool
samples_pass_over(const struct samples *samples, const struct record *record,
    uint64_t *time)
{
	const struct attrs *attrs = samples->attrs;

	if (samples->select == NULL || samples->tally != NULL ||
	    attrs->time_at == 0 || (attrs->fields & SAMPLE_READ) != 0 ||
	    record->bytes.len < attrs->time_at + ATTR_WORD)
		return false;
	*time = attr_word(record->bytes.data + attrs->time_at);
	return !select_wants_time(samples->select, *time);
}

/* Notes that a record, of this number, makes no sense. */
void samples_note_odd(struct samples *samples, const struct record *record,
    const struct block *block, uint64_t number);

/*
 * Names all events, before threads need their names; and chooses which event
 * counts, if that is not known: that of the oldest sample in the slices.
 */
void samples_choose_event(struct samples *samples, const struct slices *slices);

/*
 * Notes the files in which addresses of samples in a slice are, so that all can
 * be read at once (dso_want); not those that only unwinding finds.
 */
void samples_want(struct samples *samples, const struct slice *slice);

/* Forgets what may have changed since slices were taken. */
void samples_begin(struct samples *samples);

/* Takes the samples of a slice. */
void samples_take(struct samples *samples, const struct slice *slice);

/* Counts the samples that were taken, except those that need their order. */
void samples_fold(struct samples *samples);

/*
 * Counts those in their order, up to a time: all samples that are older were
 * taken.
 */
void samples_fold_ordered(struct samples *samples, uint64_t time);

/* Adds what a thread has counted to what another one has. */
void samples_move(struct samples *samples, struct samples *from);

/* Tells the filter of the other events that were met, in order. */
void samples_note_others(struct samples *samples);

/* Forgets which event counts, as attrs change. */
void samples_forget_event(struct samples *samples);

void samples_free(struct samples *samples);

#endif
