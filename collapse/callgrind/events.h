/*
 * events: what a file of callgrind's counts, and how much of the event that is
 * asked for a line of costs tells.
 *
 *	event: Sum = Ir + 2 Dw : all that takes time
 *	events: Ir Dr Dw
 *	12 300 40 5		of Sum: 310
 *
 * An event that other events make has a formula; one without costs at the end
 * of a line has none there.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include "lib/table.h"
#include "lib/text.h"

#define EVENTS_MOST	64	/* that are counted, and with a formula */

/* Begins with events_init. */
struct events {
	struct table names;	/* that are counted, by column */
	struct table made;	/* that have a formula */
	struct str formulas[EVENTS_MOST];
	struct arena arena;	/* for these */
	/* How often each column counts for the event, once it is chosen. */
	unsigned long long factors[EVENTS_MOST];
	size_t needed;		/* columns that are to be read */
	bool is_plain;		/* the event is that of one column... */
	size_t column;		/* ...this */
};

void events_init(struct events *events);
void events_free(struct events *events);

/*
 * Read what is behind "events:" and behind "event:", of which they keep copies;
 * false if it is odd.
 */
bool events_list(struct events *events, struct str names);
bool events_define(struct events *events, struct str definition);

/*
 * Chooses an event, NULL for the first; false if there is none of the name, or
 * if its formula is odd.
 */
bool events_choose(struct events *events, const char *name);

/*
 * Stores the cost that a line tells behind its positions; false if that is not
 * numbers.  A negative number is 0, and makes *negative true.
 */
bool events_cost(const struct events *events, struct str line,
    unsigned long long *cost, bool *negative);

/* Adds the names of all events, with ", " between them. */
void events_add_names(const struct events *events, struct text *text);

#endif
