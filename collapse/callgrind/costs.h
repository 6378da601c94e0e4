/*
 * costs: the events of a file of callgrind's, and its lines of costs.  A line
 * has a number for each position, and then one for each event; zeros at the end
 * may be left out:
 *
 *	positions: instr line
 *	event: Sum = Ir + 2 Dw : all that takes time
 *	events: Ir Dr Dw
 *	0x80001234 90 300 40 5		of Sum: 310
 *	+3 * 20				of Sum: 20
 *
 * Sum is made of other events, by a formula.
 */
#ifndef COSTS_H
#define COSTS_H

#include "lib/table.h"
#include "lib/text.h"

#define COSTS_MOST	64	/* events that are counted, or have formulas */

/* It begins as { .positions = 1 }. */
struct costs {
	struct table names;	/* of events that are counted, by column */
	struct table made;	/* names of events that have a formula */
	struct str formulas[COSTS_MOST];
	struct arena arena;	/* for these */
	size_t positions;	/* numbers before the costs */
	/* the times that each column counts for the chosen event */
	unsigned long long factors[COSTS_MOST];
	size_t needed;		/* columns that are to be read */
	size_t column;		/* the only one that counts, if is_plain */
	bool is_plain;
};

void costs_free(struct costs *costs);

/* Reads the words after "positions:", one for each number. */
void costs_set_positions(struct costs *costs, struct str value);

/*
 * Read the text after "events:" and after "event:", and keep a copy of it;
 * false if it is odd.
 */
bool costs_list_events(struct costs *costs, struct str names);
bool costs_define_event(struct costs *costs, struct str definition);

/*
 * Chooses an event, NULL for the first; false if it does not exist, or if its
 * formula is invalid.
 */
bool costs_choose(struct costs *costs, const char *name);

/* Adds the names of all events, with ", " between them. */
void costs_add_names(const struct costs *costs, struct text *text);

/* True if a line that begins with c is one of costs. */
bool costs_begin(char c);

/*
 * Store the cost of the chosen event from a line of costs, or from totals,
 * without positions; false if the line is invalid.  A negative number counts as
 * 0, and sets `negative`.
 */
bool costs_read(const struct costs *costs, struct str line,
    unsigned long long *cost, bool *negative);
bool costs_read_totals(const struct costs *costs, struct str line,
    unsigned long long *cost, bool *negative);

/*
 * Takes up to `most` complete, plain lines of costs off a text; a NUL must
 * follow it.  Stores their sum, and returns their number.  This takes a third
 * of the instructions of costs_read.
 */
size_t costs_take(const struct costs *costs, struct str *text, size_t most,
    unsigned long long *sum);

#endif
