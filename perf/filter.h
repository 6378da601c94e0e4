/*
 * filter: chooses the event whose samples count, which is the one asked for, or
 * the first that the input has.
 */
#ifndef FILTER_H
#define FILTER_H

#include "../lib/input.h"
#include "../lib/table.h"
#include "../lib/text.h"

/* All threads share this; it begins as { 0 }. */
struct filter_notes {
	struct text event;	/* that counts; empty: not known yet */
	bool asked_for;
	bool others_told;	/* the user knows that others do not count */
};

/* A thread has one of these, which begins with the first three set. */
struct filter {
	const struct input *input;	/* whose order tells what comes first */
	struct filter_notes *notes;
	size_t *others;			/* counts samples of other events */
	struct text event;		/* as noted, or empty */
	bool others_told;
	struct table *seen;	/* others, if one was asked for, or NULL */
};

/* Sets the event that counts. */
void filter_ask(struct filter_notes *notes, struct str event);

/* True if samples of this event count, or its name is empty: unknown. */
bool filter_wants(struct filter *filter, struct str event);

/* Adds the other events that a filter has seen to those of another one. */
void filter_merge(struct filter *filter, const struct filter *from);

/* Adds their names to a text, ": cycles, faults", but not of too many. */
void filter_add_others(const struct filter *filter, struct text *text);

void filter_free(struct filter *filter);

#endif
