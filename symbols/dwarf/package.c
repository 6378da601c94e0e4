/*
 * The index is a hash table and two tables of numbers, each of 4 bytes, and has
 * a column for each section that units have parts of:
 *
 *	version  columns=3  rows=2  slots=4
 *	ids of slots, 8 bytes each	0  e1a00c902628b511  0  c7af36289eb38ba6
 *	numbers of their rows		0  1		     0  2
 *	the columns' sections		info	abbrev	str_offsets
 *	offsets, row 1			0	0	0
 *		 row 2			143d8	eb1	1900
 *	and sizes in the same order.
 *
 * As all rows are wanted, the slots are read one after another.  Versions 2, of
 * GNU, and 5 have different sections only where it does not matter here.
 */
#include "package.h"

enum {			/* columns, 7.3.5.3 */
	COLUMN_INFO = 1, COLUMN_ABBREV = 3, COLUMN_STR_OFFSETS = 6,
	COLUMN_RNGLISTS = 8
};

#define COLUMNS_MAX	16	/* of which 8 are known */

struct package
package_open(struct bytes index)
{
	struct package package = { 0 };
	/* it has 4 bytes, or 2 and 2 that are 0 */
	uint32_t version = bytes_u32(&index), slots;

	package.column_count = bytes_u32(&index);
	package.row_count = bytes_u32(&index);
	slots = bytes_u32(&index);
	if ((version != 2 && version != 5) ||
	    package.column_count > COLUMNS_MAX)
		bytes_fail(&index);
	package.ids = bytes_take(&index, (uint64_t)slots * 8);
	package.numbers = bytes_take(&index, (uint64_t)slots * 4);
	package.columns = bytes_take(&index,
	    (uint64_t)package.column_count * 4);
	package.rows = bytes_take(&index,
	    (uint64_t)package.row_count * package.column_count * 4);
	if (index.failed)
		bytes_fail(&package.ids);
	return package;
}

/* Reads the row of that number, the first of which is 1. */
static void
read_row(const struct package *package, uint32_t number,
    struct package_row *row)
{
	struct bytes columns = package->columns, offsets = package->rows;
	uint32_t i, column, offset;

	bytes_seek(&offsets, (uint64_t)(number - 1) *
	    package->column_count * 4);
	for (i = 0; i < package->column_count; i++) {
		column = bytes_u32(&columns);
		offset = bytes_u32(&offsets);
		switch (column) {
		case COLUMN_INFO:
			row->info = offset;
			break;
		case COLUMN_ABBREV:
			row->abbrev = offset;
			break;
		case COLUMN_STR_OFFSETS:
			row->str_offsets = offset;
			break;
		case COLUMN_RNGLISTS:
			row->rnglists = offset;
			break;
		}
	}
}

bool
package_next(struct package *package, struct package_row *row)
{
	uint32_t number;

	while (bytes_left(&package->ids) > 0) {
		*row = (struct package_row){ .id = bytes_u64(&package->ids) };
		number = bytes_u32(&package->numbers);
		if (number == 0 || number > package->row_count)
			continue;
		read_row(package, number, row);
		return true;
	}
	return false;
}
