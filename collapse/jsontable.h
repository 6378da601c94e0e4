/*
 * jsontable: reads the tables of the Firefox profiler's JSON, which have two
 * forms.  Firefox itself writes rows, whose last values may be missing:
 *
 *	{ "schema": { "prefix": 0, "frame": 1 },
 *	  "data": [ [null, 0], [0, 1] ] }
 *
 * and programs that have processed a profile, or made one, write columns:
 *
 *	{ "prefix": [null, 0], "frame": [0, 1], "length": 2 }
 */
#ifndef JSONTABLE_H
#define JSONTABLE_H

#include <stdint.h>

#include "lib/json.h"
#include "lib/mem.h"
#include "lib/text.h"

#define COLUMN_NONE	INT64_MIN	/* of a row without a number */

/*
 * The numbers of a table's rows.  Begins as { 0 }, with `weights` set or not.
 * Weights are stored in thousandths, or as -weight if these do not fit.  A
 * negative weight is stored as -1, one above 2^63 - 1 as that.
 */
struct column {
	bool weights;
	int64_t *values;
	size_t count, room;
};

/* Adds a row with a number, or COLUMN_NONE. */
void column_add(struct column *column, int64_t value);

void column_free(struct column *column);

/* Returns the number in a row; COLUMN_NONE beyond the last. */
static inline int64_t
column_at(const struct column *column, int64_t row)
{
	return row >= 0 && (uint64_t)row < column->count ?
	    column->values[row] : COLUMN_NONE;
}

/*
 * Reads a table, the next value, whose columns are json_to_column's rows; other
 * rows are for what it has once.  In a column true is 1, false is 0, and any
 * other value except a number is COLUMN_NONE.
 */
void json_table(struct json *json, const struct json_row *rows, void *at);

/* Texts by their number; they begin as { 0 }. */
struct texts {
	struct str *list;
	size_t count, room;
	struct arena arena;
};

/* Add an array to a struct column or a struct texts; other values are "". */
json_reader json_to_column, json_to_texts;

void texts_free(struct texts *texts);

/* Finds a text by its number; false if it is missing.  Lives to texts_free. */
static inline bool
texts_at(const struct texts *texts, int64_t number, struct str *text)
{
	if (number < 0 || (uint64_t)number >= texts->count)
		return false;
	*text = texts->list[number];
	return true;
}

#endif
