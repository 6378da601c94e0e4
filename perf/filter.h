/*
 * filter: chooses the event whose samples count, which is the one asked for, or
 * the first that the input has.
 */
#ifndef FILTER_H
#define FILTER_H

#include "lib/input.h"
#include "lib/table.h"
#include "lib/text.h"

/* All threads share this; it begins as { 0 }. */
struct filter_notes {
	struct text event;	/* that counts; empty: not known yet */
	bool asked_for;
	bool others_told;	/* the user knows that others do not count */
	struct table *seen;	/* others, if one was asked for, or NULL */
};

/* A thread has one of these, which begins with the first three set. */
struct filter {
	const struct input *input;	/* whose order tells what comes first */
	struct filter_notes *notes;
	size_t *others;			/* counts samples of other events */
	struct text event;		/* as noted, or empty */
	bool others_told;
	struct table *seen;	/* others that this thread has noted, or NULL */
};

/* Sets the event that counts. */
void filter_ask(struct filter_notes *notes, struct str event);

/* Learns which event counts: this one, if it is the first of all. */
void filter_learn(struct filter *filter, struct str event);

/* True if it is known which event counts. */
bool filter_knows(struct filter *filter);

/* True if samples of this event count, or its name is empty: unknown. */
bool filter_wants(struct filter *filter, struct str event);

/*
 * Adds the names of other events that were seen to a text, ": cycles, faults",
 * in the order of the input, but not of too many.
 */
void filter_add_others(const struct filter_notes *notes, struct text *text);

void filter_free(struct filter *filter);
void filter_free_notes(struct filter_notes *notes);

#endif
