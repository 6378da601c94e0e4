#include <stdlib.h>

#include "column.h"
#include "lib/mem.h"

#define ULEB_MOST	10	/* bytes of a number */

static char *
write_uleb(char *at, uint64_t number)
{
	for (; number > 0x7f; number >>= 7)
		*at++ = (char)(number | 0x80);
	*at++ = (char)number;
	return at;
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
	struct text *runs = &column->runs;
	char *at = text_extend(runs, 2 * ULEB_MOST);

	at = write_uleb(at,
	    zigzag((uint64_t)column->last - (uint64_t)column->before));
	at = write_uleb(at, column->repeated);
	runs->len = (size_t)(at - runs->data);
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

/* Reads a number that was written. */
static uint64_t
read_uleb(struct column_reader *reader)
{
	const char *at = reader->column->runs.data + reader->at;
	uint64_t number = *at & 0x7f;
	unsigned shift;

	for (shift = 7; (*at++ & 0x80) != 0; shift += 7)
		number |= (uint64_t)(*at & 0x7f) << shift;
	reader->at = (size_t)(at - reader->column->runs.data);
	return number;
}

/* Goes on with the next run; the last one was never written. */
static bool
next_run(struct column_reader *reader)
{
	const struct column *column = reader->column;

	if (reader->at == column->runs.len) {
		reader->value = column->last;
		reader->left = reader->ended ? 0 : column->repeated;
		reader->ended = true;
		return reader->left > 0;
	}
	reader->value = (int64_t)((uint64_t)reader->value +
	    unzigzag(read_uleb(reader)));
	reader->left = read_uleb(reader);
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
