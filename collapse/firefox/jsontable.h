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
 *
 * Columns of samples may be kept packed: values that follow one another and are
 * the same need 2 bytes or so, and can only be read one after another.
 */
#ifndef JSONTABLE_H
#define JSONTABLE_H

#include <stdint.h>

#include "lib/json.h"
#include "lib/mem.h"
#include "lib/text.h"

#define COLUMN_NONE	INT64_MIN	/* in rows without a number */

/* The numbers of a table's rows.  It begins as { 0 }, except `packed`. */
struct column {
	bool packed;
	size_t count;
	int64_t *values;	/* unless they are packed */
	size_t room;
	struct text runs;	/* if they are: differences and lengths */
	int64_t last;		/* the last value, which is not in runs yet */
	uint64_t repeated;	/* how often it came */
	int64_t before;		/* the last value that is in runs */
};

/* Adds a row with a number, or COLUMN_NONE. */
void column_add(struct column *column, int64_t value);

void column_free(struct column *column);

/* Returns the number in a row of a column that is not packed. */
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
	uint64_t left;		/* how often it still comes */
	bool ended;		/* the value is the last one */
};

/* Begins to read a packed column, which must not grow while it is read. */
struct column_reader column_begin(const struct column *column);

/* Returns the next number, COLUMN_NONE at the end. */
int64_t column_next(struct column_reader *reader);

/* A column that is wanted, or a text; an array of these ends with { NULL }. */
struct table_field {
	const char *name;
	struct column *column;
	int scale;		/* its numbers are multiplied by it; 0: 1 */
	struct text *text;	/* instead of a column */
};

/*
 * Reads a table, the next value.  Values other than numbers are COLUMN_NONE,
 * except true, which is 1, and false, 0.  json->trouble tells of damage.
 */
void json_table(struct json *json, const struct table_field *fields);

/* Texts by their number; they begin as { 0 }. */
struct texts {
	struct str *list;
	size_t count, room;
	struct arena arena;
};

/* Adds an array of texts, the next value; another value in it is "". */
void json_texts(struct json *json, struct texts *texts);
void texts_free(struct texts *texts);

/* Stores a text, which lives until texts_free; false without that number. */
static inline bool
texts_at(const struct texts *texts, int64_t number, struct str *text)
{
	if (number < 0 || (uint64_t)number >= texts->count)
		return false;
	*text = texts->list[number];
	return true;
}

#endif
