#include <stdlib.h>

#include "../lib/bytes.h"
#include "../lib/mem.h"
#include "column.h"

static void
add_uleb(struct text *text, uint64_t number)
{
	for (; number > 0x7f; number >>= 7)
		text_add_char(text, (char)(number | 0x80));
	text_add_char(text, (char)number);
}

/* Small differences of both signs become small numbers. */
static uint64_t
zigzag(uint64_t difference)
{
	return difference << 1 ^ (difference >> 63 != 0 ? UINT64_MAX : 0);
}

static uint64_t
unzigzag(uint64_t number)
{
	return number >> 1 ^ ((number & 1) != 0 ? UINT64_MAX : 0);
}

/* Writes the values that are not in runs yet. */
static void
flush(struct column *column)
{
	add_uleb(&column->runs,
	    zigzag((uint64_t)column->last - (uint64_t)column->before));
	add_uleb(&column->runs, column->repeated);
	column->before = column->last;
	column->repeated = 0;
}

void
column_add(struct column *column, int64_t value)
{
	if (!column->packed) {
		column->values = mem_grow(column->values, &column->room,
		    column->count + 1, sizeof(*column->values));
		column->values[column->count++] = value;
		return;
	}
	if (column->repeated > 0 && value != column->last)
		flush(column);
	column->last = value;
	column->repeated++;
	column->count++;
}

void
column_free(struct column *column)
{
	free(column->values);
	free(column->runs.data);
	*column = (struct column){ .packed = column->packed };
}

struct column_reader
column_begin(const struct column *column)
{
	return (struct column_reader){ .column = column };
}

/* Goes on with the next run; the last one was never written. */
static bool
next_run(struct column_reader *reader)
{
	const struct column *column = reader->column;
	struct bytes runs = bytes_from(str_skip(text_str(&column->runs),
	    reader->at));

	if (bytes_left(&runs) == 0) {
		reader->value = column->last;
		reader->left = reader->ended ? 0 : column->repeated;
		reader->ended = true;
		return reader->left > 0;
	}
	reader->value = (int64_t)((uint64_t)reader->value +
	    unzigzag(bytes_uleb(&runs)));
	reader->left = bytes_uleb(&runs);
	reader->at += bytes_offset(&runs);
	return true;
}

int64_t
column_next(struct column_reader *reader)
{
	if (reader->left == 0 && !next_run(reader))
		return COLUMN_NONE;
	reader->left--;
	return reader->value;
}
