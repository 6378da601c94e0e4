/*
 * Before version 5, which has the id in the unit's header, it is an attribute
 * of the first entry.  A package holds it in its index alone, which also tells
 * where the parts of a unit begin in the other sections.  There, version 5
 * begins with headers, which numbers of texts and of ranges are counted
 * behind:
 *
 *	.debug_str_offsets.dwo	length version=5 0 0
 *	.debug_rnglists.dwo	length version=5 address=8 0  count of offsets
 */
#include <stdlib.h>

#include "inlines.h"
#include "package.h"
#include "split.h"

static void
add_id(struct split *split, uint64_t id, size_t number)
{
	uint32_t before = split->ids.count;

	if (table_add(&split->ids, (struct str){ (const char *)&id,
	    sizeof(id) }) != before)
		return;
	split->numbers = mem_grow(split->numbers, &split->room,
	    before + (size_t)1, sizeof(*split->numbers));
	split->numbers[before] = number;
}

/* Steps behind the headers of a unit's own lists. */
static void
skip_headers(struct unit *unit)
{
	uint64_t length = unit->sizes.offset == 8 ? 12 : 4;

	if (unit->sizes.version < 5)
		return;
	unit->str_offsets += length + 4;
	unit->rnglists += length + 8;
}

/* Reads the id that the first entry of a unit has. */
static void
read_id(struct units *units, struct unit *unit)
{
	struct form_value value;
	struct abbrevs own;
	struct entry root;
	uint16_t name;

	if (entry_begin_root(&root, units, unit, &own)) {
		while (entry_next(&root, &name, &value)) {
			if (name != AT_GNU_DWO_ID)
				continue;
			unit->id = value.number;
			unit->has_id = true;
		}
	}
	abbrevs_free(&own);
}

static void
read_ids(struct split *split)
{
	struct unit *unit;
	size_t i;

	for (i = 0; i < split->units.count; i++) {
		unit = &split->units.list[i];
		if (unit->sizes.version < 5)
			read_id(&split->units, unit);
		if (unit->has_id)
			add_id(split, unit->id, i);
		skip_headers(unit);
	}
}

/* Reads where the units of a package are, of which each is in one row. */
static void
read_index(struct split *split, struct bytes index)
{
	struct package package = package_open(index);
	struct package_row row;
	struct unit *unit;
	uint32_t before;

	while (package_next(&package, &row)) {
		unit = units_at(&split->units, row.info);
		before = split->ids.count;
		if (unit == NULL || unit->str_offsets != 0)
			continue;
		add_id(split, row.id, (size_t)(unit - split->units.list));
		if (split->ids.count == before)
			continue;
		unit->abbrev_offset += row.abbrev;
		unit->str_offsets = row.str_offsets;
		unit->rnglists = row.rnglists;
		skip_headers(unit);
	}
}

void
split_open(struct split *split, const struct bytes sections[DWARF_SECTIONS],
    struct bytes index)
{
	*split = (struct split){ 0 };
	units_open(&split->units, sections, NULL);
	table_init(&split->ids);
	if (bytes_left(&index) > 0)
		read_index(split, index);
	else
		read_ids(split);
}

void
split_close(struct split *split)
{
	inlines_forget(&split->units);
	units_close(&split->units);
	table_free(&split->ids);
	free(split->numbers);
}

struct unit *
split_find(struct split *split, const struct unit *skeleton)
{
	struct unit *unit;
	uint32_t number;

	if (!skeleton->has_id)
		return NULL;
	number = table_find(&split->ids, (struct str){
	    (const char *)&skeleton->id, sizeof(skeleton->id) });
	if (number == TABLE_NONE)
		return NULL;
	unit = &split->units.list[split->numbers[number]];
	if (unit->functions == NULL) {
		unit->low_pc = skeleton->low_pc;
		unit->addresses = skeleton->addresses;
		unit->ranges = skeleton->skeleton.ranges;
	}
	return unit;
}
