/*
 * column: the numbers of a table, one for each of its rows.  Columns of samples
 * may be packed: those that follow one another and are the same need 2 bytes or
 * so, and can only be read one after another.
 */
#ifndef COLUMN_H
#define COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/text.h"

#define COLUMN_NONE	INT64_MIN	/* there is no number in a row */

/* It begins as { 0 }, but for `packed`. */
struct column {
	bool packed;
	size_t count;
	int64_t *values;	/* unless they are packed */
	size_t room;
	struct text runs;	/* if they are: differences and lengths */
	int64_t last;		/* value, which comes... */
	uint64_t repeated;	/* ...so often and is not in runs yet */
	int64_t before;		/* the value that is there last */
};

/* Adds a row with a number, or COLUMN_NONE. */
void column_add(struct column *column, int64_t value);

void column_free(struct column *column);

/*
 * Returns the number in a row of a column that is not packed, COLUMN_NONE where
 * there is none.
 */
static inline int64_t
column_at(const struct column *column, int64_t row)
{
	return row >= 0 && (uint64_t)row < column->count ?
	    column->values[row] : COLUMN_NONE;
}

/* A packed column that is read from its start. */
struct column_reader {
	const struct column *column;
	size_t at;		/* in its runs */
	int64_t value;
	uint64_t left;		/* of this value */
	bool ended;		/* it is the last one */
};

/* Begins to read a packed column, which must not grow while it is read. */
struct column_reader column_begin(const struct column *column);

/* Returns the next number, COLUMN_NONE at the end. */
int64_t column_next(struct column_reader *reader);

#endif
