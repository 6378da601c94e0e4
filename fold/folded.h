/*
 * folded: a line of folded stacks, "main;parse;read 12" or, for two profiles,
 * "main;parse;read 12 34".  See folded(5).
 */
#ifndef FOLDED_H
#define FOLDED_H

#include <stdint.h>

#include "lib/mem.h"
#include "lib/text.h"

/*
 * Cuts the last count off a line: one blank and DIGITS or DIGITS.DIGITS, where
 * the digits after the point may be missing.  *line keeps all before it.
 * Returns false, and leaves *line as it is, if it does not end in a count.
 */
bool folded_cut_count(struct str *line, struct str *count);

/* The unit of counts, from a comment "# unit: ns". */
struct folded_unit {
	char name[16];		/* empty: no comment has one */
	bool differs;		/* two comments differ */
};

/* Notes the unit in a comment, if there is one. */
void folded_note_unit(struct folded_unit *unit, struct str comment);

/* Returns the unit, or NULL if it is not known. */
const char *folded_unit_name(const struct folded_unit *unit);

/* Adds part of a frame's name; a ';' becomes ':', and a line end '_'. */
void folded_add_name(struct text *text, struct str name);

/*
 * Adds a source line to a frame's name, ":work.c:12", or ":work.c:?" where the
 * line is 0, for unknown; nothing without a file.
 */
void folded_add_line(struct text *text, struct str file, uint64_t line);

/* Returns the value of a count; HUGE_VAL if it is larger than any double. */
double folded_value(struct str count);

/* A count, or a sum of them, exact if all are whole; it begins as { 0 }. */
struct amount {
	unsigned long long whole;
	double part;		/* below 1 */
};

/* Reads a count; false, and it is as large as can be, if it is larger. */
bool amount_read(struct str count, struct amount *amount);

/* Adds another one; false, and it is as large as can be, if it overflows. */
bool amount_add(struct amount *amount, struct amount other);

static inline double
amount_value(struct amount amount)
{
	return (double)amount.whole + amount.part;
}

/* Adds a count as Perl prints it, but never as 1e-05: no tool reads that. */
void folded_add_value(struct text *text, double value);

#endif
