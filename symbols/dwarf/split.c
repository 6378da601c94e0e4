/*
 * Version 5 has the id in the unit's header; before, it is an attribute of the
 * first entry.  In a package only the index has the id, and where the parts of
 * a unit begin in the other sections.  There, version 5 begins with headers;
 * numbers of texts and of ranges count after them:
 *
 *	.debug_str_offsets.dwo	length version=5 0 0
 *	.debug_rnglists.dwo	length version=5 address=8 0  count of offsets
 */
#include "inlines.h"

/* Steps after the headers of a unit's own lists. */
static void
skip_headers(struct unit *unit)
{
	uint64_t length = unit->sizes.offset == 8 ? 12 : 4;

	if (unit->sizes.version < 5)
		return;
	unit->str_offsets += length + 4;
	unit->rnglists += length + 8;
}

/*
 * The index of a package, .debug_cu_index, is a hash table and two tables of
 * numbers, each of 4 bytes, and has a column for each section that units have
 * parts of (DWARF 5, 7.3.5):
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

enum {			/* columns, 7.3.5.3 */
	COLUMN_INFO = 1, COLUMN_ABBREV = 3, COLUMN_STR_OFFSETS = 6,
	COLUMN_RNGLISTS = 8, COLUMNS
};

#define COLUMNS_MAX	16	/* 8 are known */

/* Reads where the units of a package are, unless the index makes no sense. */
static void
read_index(struct units *units, struct bytes index)
{
	/* it has 4 bytes, or 2 and 2 that are 0 */
	uint32_t version = bytes_u32(&index), count = bytes_u32(&index);
	uint32_t rows = bytes_u32(&index), slots = bytes_u32(&index);
	struct bytes ids = bytes_take(&index, (uint64_t)slots * 8);
	struct bytes numbers = bytes_take(&index, (uint64_t)slots * 4);
	struct bytes columns, column_numbers, row;
	uint32_t offsets[COLUMNS], number, column, offset, i;
	struct unit *unit;
	uint64_t id;

	if ((version != 2 && version != 5) || count > COLUMNS_MAX)
		return;
	columns = bytes_take(&index, (uint64_t)count * 4);
	index = bytes_take(&index, (uint64_t)rows * count * 4);
	while (!index.failed && bytes_left(&ids) > 0) {
		id = bytes_u64(&ids);
		number = bytes_u32(&numbers);
		if (number == 0 || number > rows)
			continue;
		memset(offsets, 0, sizeof(offsets));
		column_numbers = columns;
		row = index;
		bytes_skip(&row, (uint64_t)(number - 1) * count * 4);
		for (i = 0; i < count; i++) {
			column = bytes_u32(&column_numbers);
			offset = bytes_u32(&row);
			if (column < COLUMNS)
				offsets[column] = offset;
		}
		/* a damaged index may have several rows of one unit */
		unit = units_at(units, offsets[COLUMN_INFO]);
		if (unit == NULL || (unit->has_id && unit->id != id) ||
		    !units_add_id(units, id, unit))
			continue;
		unit->id = id;
		unit->has_id = true;
		unit->abbrev_offset += offsets[COLUMN_ABBREV];
		unit->str_offsets = offsets[COLUMN_STR_OFFSETS];
		unit->rnglists = offsets[COLUMN_RNGLISTS];
		skip_headers(unit);
	}
}

void
split_open(struct units *units, const struct bytes sections[DWARF_SECTIONS],
    struct account *account)
{
	struct form_value value;
	struct entry root;
	struct unit *unit;
	uint16_t name;
	size_t i;

	units_open(units, sections, NULL, account);
	if (bytes_left(&sections[DWARF_CU_INDEX]) > 0) {
		read_index(units, sections[DWARF_CU_INDEX]);
		return;
	}
	for (i = 0; i < units->count; i++) {
		unit = &units->list[i];
		if (unit->sizes.version < 5 &&
		    entry_begin_root(&root, units, unit))
			while (entry_next(&root, &name, &value))
				if (name == AT_GNU_DWO_ID) {
					unit->id = value.number;
					unit->has_id = true;
				}
		if (unit->has_id)
			units_add_id(units, unit->id, unit);
		skip_headers(unit);
	}
}

struct unit *
split_find(struct units *units, const struct unit *skeleton)
{
	uint32_t number = skeleton->has_id ?
	    intmap_find(&units->ids, skeleton->id) : 0;
	struct unit *unit;

	if (number == 0)
		return NULL;
	unit = &units->list[number - 1];
	if (unit->functions == NULL) {
		unit->low_pc = skeleton->low_pc;
		unit->addresses = skeleton->addresses;
		unit->ranges = skeleton->skeleton.ranges;
	}
	return unit;
}
