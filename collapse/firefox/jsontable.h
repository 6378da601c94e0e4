/*
 * jsontable: reads the tables of the Firefox profiler's JSON, which have two
 * forms.  Firefox itself writes rows, whose last values may be missing:
 *
 *	{ "schema": { "prefix": 0, "frame": 1 },
 *	  "data": [ [null, 0], [0, 1] ] }
 *
 * and what has processed a profile, or made one, writes columns:
 *
 *	{ "prefix": [null, 0], "frame": [0, 1], "length": 2 }
 */
#ifndef JSONTABLE_H
#define JSONTABLE_H

#include "column.h"
#include "lib/json.h"
#include "lib/mem.h"

/* A column that is wanted; a table of these ends with { NULL }. */
struct table_field {
	const char *name;
	struct column *column;
	int scale;		/* which its numbers are multiplied by; 0: 1 */
	struct text *text;	/* if it is none but a text: where that goes */
};

/*
 * Reads a table, the next value.  What is no number is COLUMN_NONE, but for
 * true, which is 1, and false, 0.  json->trouble tells what is damaged.
 */
void json_table(struct json *json, const struct table_field *fields);

/* Texts that are known by their place; they begin as { 0 }. */
struct texts {
	struct str *list;
	size_t count, room;
	struct arena arena;
};

/* Adds an array of texts, the next value; what is none is "". */
void json_texts(struct json *json, struct texts *texts);
void texts_free(struct texts *texts);

/*
 * Stores a text, which lives until texts_free; false if there is none of that
 * number.
 */
static inline bool
texts_at(const struct texts *texts, int64_t number, struct str *text)
{
	if (number < 0 || (uint64_t)number >= texts->count)
		return false;
	*text = texts->list[number];
	return true;
}

#endif
