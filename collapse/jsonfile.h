/*
 * jsonfile: reads a profile that is JSON, packed by gzip or not, says why it
 * cannot be read, and stores arrays of numbers.
 */
#ifndef JSONFILE_H
#define JSONFILE_H

#include <stdint.h>

#include "fold/collapse.h"
#include "lib/json.h"

/*
 * Reads a file of this kind, an object.  If there is a row without a name, an
 * array is read, too, whose values the row is for.  Returns NULL, or the reason
 * why it is not a file of this kind, or is damaged.
 *
 * The struct begins as { 0 }, and serves for one file after another; its texts
 * live until the next one.  Memory taken while it is read counts against the
 * file's limit.
 */
const char *jsonfile_read(struct json *json, struct fold *fold,
    struct content *content, const char *kind, const struct json_row *rows,
    void *at);

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

/*
 * Reads the next value for a column, a weight or the nearest integer: true is
 * 1, false is 0, and any other value except a number is COLUMN_NONE.
 */
int64_t column_cell(struct json *json, bool weights);

/* Adds the values of an array to a struct column. */
json_reader json_to_column;

#endif
