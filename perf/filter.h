/*
 * filter: chooses the event whose samples count: the one asked for, or the
 * first in the input; or two events, or all of them.
 *
 * With several events each stack begins with a frame that names its event.
 * Event names may contain commas: "a,b,c" is the event "a,b,c" if there is one,
 * else the events "a" and "b,c", or "a,b" and "c". This is resolved at the end
 * of the input.
 *
 * Hybrid processors have a PMU for each kind of core, and count one event under
 * two names: "cpu_core/cycles/" and "cpu_atom/cycles/". Both count if either is
 * the first event, or if "cycles" is asked for.
 */
#ifndef FILTER_H
#define FILTER_H

#include "lib/table.h"
#include "lib/text.h"

/* Begins as { 0 }, but for the number of other samples. */
struct filter {
	size_t *others;		/* counts samples of other events */
	struct text event;	/* that counts; empty: not known yet */
	bool asked_for;
	bool each;		/* all events count */
	struct table *choices;	/* the name asked for, and the parts before and
				   after each comma; NULL without a comma */
	bool *met;		/* choices that are events, by number */
	struct table *seen;	/* others, if one was asked for, or NULL */
};

/* Sets the event that counts, or two that do, with a comma between them. */
void filter_ask(struct filter *filter, struct str event);

/* True if stacks begin with the names of their events. */
static inline bool
filter_keeps_events(const struct filter *filter)
{
	return filter->each || filter->choices != NULL;
}

/*
 * Returns the frame for an event: the name of the choice it matches, its own
 * name, or "unknown" if text lacks it.
 */
uint32_t filter_frame(const struct filter *filter, struct table *names,
    struct str event);

/* Notes that an event exists, though it may have no samples. */
void filter_meet(struct filter *filter, struct str event);

/*
 * True if samples of this event count.  An empty name is an unknown event, and
 * counts.
 */
bool filter_wants(struct filter *filter, struct str event);

/*
 * Stores the names of the events asked for, once all input was read.  Returns
 * their number: 1 or 2, or 0 if none of the choices is an event.
 */
size_t filter_resolve(const struct filter *filter, struct str names[2]);

/*
 * Adds the names of other events that were seen to a text, ": cycles, faults",
 * in the order of the input, but not of too many.
 */
void filter_add_others(const struct filter *filter, struct text *text);

/* Adds the choices that exist, and then those others. */
void filter_add_events(const struct filter *filter, struct text *text);

/*
 * Reports, in the original's words, that other events are left out, and how
 * many samples they have.  Silent if an event was asked for.
 */
void filter_report(const struct filter *filter, size_t others);

#endif
