/*
 * samples: chooses the samples of a recording that count, and tells how much
 * they count and whose they are.
 *
 * As in the folded text of perf script, samples of one event count, by their
 * periods, or 1 each where that event is a tracepoint.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "batches.h"
#include "filter.h"
#include "reader.h"
#include "taskroots.h"

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
	struct text *advice;	/* holds why a recording was refused */
};

/* Begins with the first six, the machine and roots set, and all else zero. */
struct samples {
	const struct recording_target *target;
	struct attrs *attrs;
	struct tasks *tasks;
	struct batches *batches;
	struct maps *kernel;
	struct module *const *kernel_module;	/* to NULL while not known */
	const struct attr *counted;	/* the event that counts, once known;
					   NULL again when attrs change */
	bool is_plain;			/* as attr_is_plain, and counts */
	bool has_frames;		/* perf script prints its frames */
	const struct unwind_machine *machine;	/* NULL: none that we know */
	uint64_t time;			/* of the sample, for a timeline */
	struct taskroots roots;		/* of their threads */
	const char *refused;		/* why the recording is, or NULL */
	unsigned long long guests;	/* samples of virtual machines */
	unsigned long long odd;		/* records that make no sense */
};

/*
 * Takes a sample whose time has come, and holds the block that it is in until
 * the batches release that.
 */
void samples_take(struct samples *samples, const struct record *record,
    struct block *block);

void samples_free(struct samples *samples);

#endif
