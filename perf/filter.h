/*
 * filter: chooses the event whose samples count, which is the one asked for, or
 * the first that the input has; or two events, or all of them.
 *
 * Then each stack begins with a frame, the name of its sample's event.  Which
 * names are asked for is known once all was read, since events have commas in
 * their names, too: "a,b,c" is the event "a,b,c" if there is one, else the
 * events "a" and "b,c", or "a,b" and "c".
 *
 * Hybrid processors have a PMU for each kind of core, which count one event
 * under two names: "cpu_core/cycles/" and "cpu_atom/cycles/".  Both count where
 * the first one met does, or where "cycles" is asked for.
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
	struct table *choices;	/* the name that was asked for, and the parts
				   before and after each comma, in turn; NULL if
				   there is none */
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
 * Returns the frame of an event among names, called like the choice that means
 * it, if one does; "unknown" if it has no name, as text may lack it.
 */
uint32_t filter_frame(const struct filter *filter, struct table *names,
    struct str event);

/* Notes that an event exists, though it may have no samples. */
void filter_meet(struct filter *filter, struct str event);

/* True if it is known which event counts. */
static inline bool
filter_knows(const struct filter *filter)
{
	return filter_keeps_events(filter) || filter->event.len > 0;
}

/* True if samples of this event count, or its name is empty: unknown. */
bool filter_wants(struct filter *filter, struct str event);

/*
 * Stores the names that were asked for, once all was read; returns how many
 * they are: 1, 2, or 0 if there were choices, and none is of events.
 */
size_t filter_resolve(const struct filter *filter, struct str names[2]);

/*
 * Adds the names of other events that were seen to a text, ": cycles, faults",
 * in the order of the input, but not of too many.
 */
void filter_add_others(const struct filter *filter, struct text *text);

/* The same with the choices that exist. */
void filter_add_events(const struct filter *filter, struct text *text);

/*
 * Says, in the original's words, that other events do not count, unless one was
 * asked for; and how many samples of them there are.
 */
void filter_report(const struct filter *filter, size_t others);

#endif
