/*
 * gate: a condition that is to hold for no function of two profiles.
 *
 *	condition = both { "|" both }
 *	both = term { "&" term }
 *	term = "(" condition ")" | field ("<" | ">") number [unit]
 *	field = "self" | "total" | "before" | "after" | "sigma" |
 *	    "self-sigma" | "total-sigma"
 *	unit = "%" | "points"
 *
 * self and total are changes: in counts, in per cent of the counts before, or
 * in points, which are per cent of all.  before and after are the function's
 * total counts, or their per cent of all.  sigma is the size of a change in
 * standard errors: of the one that the condition is about.
 */
#ifndef GATE_H
#define GATE_H

#include "ranking.h"

/* It begins as { 0 }.  The condition is read anew for each function. */
struct gate {
	bool names_self, names_total;
	bool needs_sigmas;
	bool has_plain_sigma;
	size_t depth;			/* of brackets, while it is read */
	struct str text, rest;		/* all, and what is still to be read */
	const struct ranking *ranking;
	const struct function *function;	/* or NULL */
};

/* Reads a condition; ends the program with status 2 if it makes no sense. */
void gate_read(struct gate *gate, const char *condition);

/* True if the condition holds for a function. */
bool gate_holds(struct gate *gate, const struct ranking *ranking,
    const struct rank_row *row);

/* Says on standard error how a function has changed. */
void gate_report(const struct ranking *ranking, const struct rank_row *row);

#endif
