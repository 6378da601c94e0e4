/*
 * samples: chooses the samples of a recording that count, and tells how much
 * they count and whose they are.
 *
 * As in the folded text of perf script, samples of one event count, by their
 * periods, or 1 each where that event is a tracepoint.  They come in their
 * order, and the tasks are as they are, or in slices of a phase.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "chain.h"
#include "perf/filter.h"
#include "phase.h"

/* The stacks, and the names in them, which all recordings share. */
struct recording_target {
	struct frames *frames;
	struct roots *roots;
	struct filter *filter;
	struct stacks *stacks;
	struct timeline *timeline;	/* NULL: no order is kept */
	size_t *samples;	/* the number of those that were counted */
	size_t *losses;		/* one more for a recording of which some is
				   missing at its end */
	bool *failed;		/* set if some of one could not be read */
	struct text *advice;	/* holds why a recording was refused */
};

/* Samples of an event that does not count. */
struct other_event {
	size_t attr, count;
	struct moment first;
};

/*
 * A thread has one of these, which begins with all in front of `phase` set, and
 * all else zero.
 */
struct samples {
	const struct recording_target *target;
	struct attrs *attrs;
	struct tasks *tasks;
	struct taskroots *roots;	/* of their threads */
	struct maps *kernel;
	struct module *const *kernel_module;	/* to NULL while not known; for
						   those that come in order */
	struct chains *chains;
	struct batch *batch;		/* of their chains */
	const struct unwind_machine *machine;	/* NULL: none that we know */
	bool is_pipe;

	const struct phase *phase;	/* NULL: they come in their order */
	const struct sampled *last;	/* thread of it, or NULL */
	const struct slice *slice;	/* of it */
	uint64_t number;		/* of the sample's record */
	const struct attr *counted;	/* the event that counts, once known;
					   NULL again when attrs change */
	bool is_plain;			/* as attr_is_plain, and counts */
	bool has_frames;		/* perf script prints its frames */
	uint64_t time;			/* of the sample, for a timeline */

	size_t count;			/* of those that count */
	const char *refused;		/* why the recording is, or NULL */
	unsigned long long guests;	/* samples of virtual machines */
	unsigned long long odd;		/* records that make no sense... */
	uint64_t odd_number, odd_at;	/* ...the first of them, and where in
					   the file it is */
	struct other_event *others;	/* that were met in a phase */
	size_t others_count, others_room;
	size_t *others_by_attr;		/* which of them it is, plus one, or 0;
					   NULL: none since attrs changed */
};

/* Takes a sample whose time has come, which is in a block. */
void samples_take(struct samples *samples, const struct record *record,
    const struct block *block);

/* Notes that a record makes no sense. */
void samples_note_odd(struct samples *samples, const struct record *record,
    const struct block *block);

/* Samples come in slices of a phase from now on; NULL: in their order. */
void samples_begin_phase(struct samples *samples, const struct phase *phase);

/* Takes the samples of a slice of the phase. */
void samples_take_slice(struct samples *samples, const struct slice *slice);

/* Counts the samples that were taken: what they are made of may change. */
void samples_fold(struct samples *samples);

/*
 * True if samples may come in slices, whatever their order, from this one on:
 * which event counts is known, or told by it, and no sample tells how far a
 * counter got.
 */
bool samples_need_no_order(struct samples *samples,
    const struct record *record);

/* Names all events, before threads need their names. */
void samples_name_events(struct samples *samples);

/* Moves the other events that a thread has met to those of another one. */
void samples_move_others(struct samples *samples, struct samples *from);

/* Notes the other events that were met, in order, and forgets them. */
void samples_note_others(struct samples *samples);

void samples_free(struct samples *samples);

#endif
