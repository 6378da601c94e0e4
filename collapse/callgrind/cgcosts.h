/*
 * cgcosts: the lines of costs in a file of callgrind's, of a number for each
 * position and then one for each event, of which those at the end may be left
 * out:
 *
 *	positions: instr line
 *	events: Ir Dr
 *	0x80001234 90 20 4
 *	+3 * 20
 */
#ifndef CGCOSTS_H
#define CGCOSTS_H

#include "events.h"

struct cgcosts {
	struct events events;
	size_t positions;	/* numbers before the costs */
};

void cgcosts_init(struct cgcosts *costs);
void cgcosts_free(struct cgcosts *costs);

/* Reads what is behind "positions:": as many words as there are numbers. */
void cgcosts_set_positions(struct cgcosts *costs, struct str value);

/* True if a line that begins so is one of costs. */
bool cgcosts_begin(char c);

/*
 * Stores what a line of costs tells of the event that was chosen; false if it
 * is odd.  A negative number is 0, and makes *negative true.
 */
bool cgcosts_read(const struct cgcosts *costs, struct str line,
    unsigned long long *cost, bool *negative);

/*
 * Takes lines of costs off a text that a NUL follows, `most` at most, as far
 * as they are whole and plain, and stores their sum; returns how many.  That
 * takes a third of the instructions of cgcosts_read.  The event was chosen.
 */
size_t cgcosts_take(const struct cgcosts *costs, struct str *text, size_t most,
    unsigned long long *sum);

#endif
