/*
 * costs: the events of a file of callgrind's, and its lines of costs.  These
 * have a number for each position and then one for each event; numbers at the
 * end may be left out, and are 0:
 *
 *	positions: instr line
 *	event: Sum = Ir + 2 Dw : all that takes time
 *	events: Ir Dr Dw
 *	0x80001234 90 300 40 5		of Sum: 310
 *	+3 * 20				of Sum: 20
 *
 * An event that is made of others has a formula.
 */
#ifndef COSTS_H
#define COSTS_H

#include "lib/table.h"
#include "lib/text.h"

#define COSTS_MOST	64	/* events that are counted, or have formulas */

struct costs {
	struct table names;	/* of events that are counted, by column */
	struct table made;	/* of events that have a formula */
	struct str formulas[COSTS_MOST];
	struct arena arena;	/* for these */
	size_t positions;	/* numbers before the costs */
	/* How often each column counts for the chosen event. */
	unsigned long long factors[COSTS_MOST];
	size_t needed;		/* columns that are to be read */
	size_t column;		/* if is_plain, the only one that counts */
	bool is_plain;
};

void costs_init(struct costs *costs);
void costs_free(struct costs *costs);

/* Reads the words after "positions:", one for each number. */
void costs_set_positions(struct costs *costs, struct str value);

/*
 * Read the text after "events:" and after "event:", of which they keep copies;
 * false if it is odd.
 */
bool costs_list_events(struct costs *costs, struct str names);
bool costs_define_event(struct costs *costs, struct str definition);

/*
 * Chooses an event, NULL for the first; false if there is none of the name, or
 * if its formula is odd.
 */
bool costs_choose(struct costs *costs, const char *name);

/* Adds the names of all events, with ", " between them. */
void costs_add_names(const struct costs *costs, struct text *text);

/* True if a line that begins with c is one of costs. */
bool costs_begin(char c);

/*
 * Store the cost of the chosen event, of a line of costs and of totals, which
 * have no positions; false if it is odd.  A negative number is 0, and makes
 * *negative true.
 */
bool costs_read(const struct costs *costs, struct str line,
    unsigned long long *cost, bool *negative);
bool costs_read_totals(const struct costs *costs, struct str line,
    unsigned long long *cost, bool *negative);

/*
 * Takes lines of costs off a text that a NUL follows, `most` at most, as far
 * as they are whole and plain.  Stores their sum, and returns their number.
 * This takes a third of the instructions of costs_read.
 */
size_t costs_take(const struct costs *costs, struct str *text, size_t most,
    unsigned long long *sum);

#endif
