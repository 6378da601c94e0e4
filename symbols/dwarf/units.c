/*
 * A unit begins with a header (DWARF 5, 7.5.1), whose offsets have 8 bytes
 * where it begins with ffffffff and a length of 8 bytes:
 *
 *	length  version=5    kind  size of addresses  abbreviations  ...
 *	length  version=2-4  abbreviations  size of addresses
 *
 * and goes on with entries, each the code of its abbreviation and the values of
 * its attributes.  Children follow their parent, and end with code 0:
 *
 *	1 ...			unit
 *	   2 ...		    function
 *	       3 ...		        inlined function
 *	       0
 *	   2 ...		    function
 *	0
 */
#include <stdlib.h>

#include "lib/sort.h"
#include "units.h"

#define ATTRIBUTES_MAX	128	/* 30 are known; some take no byte, but time */

/*
 * Any number of entries may have one text, or refer to one entry, that fills a
 * file.  So no more of it is read; names have a few thousand bytes at most.
 */
#define TEXT_MAX	((size_t)32 * 1024)
#define ENTRY_MAX	(2 * TEXT_MAX)

#define LOST	"inlined functions"

/* Kinds of units, 7.5.1. */
enum { UNIT_TYPE = 2, UNIT_SKELETON = 4, UNIT_SPLIT = 5, UNIT_SPLIT_TYPE = 6 };

/* Reads the next unit's header, and steps over the unit; false if unknown. */
static bool
read_unit(struct unit *unit, struct bytes *info)
{
	struct bytes header = bytes_from_offset(info, bytes_offset(info));
	struct dwarf_sizes *sizes = &unit->sizes;
	uint8_t kind = 0;
	uint64_t len;

	*unit = (struct unit){ .offset = bytes_offset(info), .sizes.offset = 4,
	    .lines_offset = UINT64_MAX, .table = TABLE_NONE };
	len = bytes_u32(&header);
	if (len == UINT32_MAX) {
		sizes->offset = 8;
		len = bytes_u64(&header);
	}
	bytes_skip(info, bytes_offset(&header));
	bytes_skip(info, len);
	if (info->failed)
		return false;
	header.end = info->next;
	sizes->version = bytes_u16(&header);
	if (sizes->version < 2 || sizes->version > 5)
		return false;
	if (sizes->version == 5) {
		kind = bytes_u8(&header);
		sizes->address = bytes_u8(&header);
	}
	unit->abbrev_offset = bytes_uint(&header, sizes->offset);
	if (sizes->version < 5)
		sizes->address = bytes_u8(&header);
	unit->has_id = kind == UNIT_SKELETON || kind == UNIT_SPLIT;
	if (unit->has_id)
		unit->id = bytes_u64(&header);
	if (kind == UNIT_TYPE || kind == UNIT_SPLIT_TYPE)
		bytes_skip(&header, 8 + (uint64_t)sizes->offset);
	if (kind == UNIT_SPLIT) {	/* its own lists have headers */
		unit->str_offsets = sizes->offset == 8 ? 16 : 8;
		unit->rnglists = unit->str_offsets + 4;
	}
	unit->bytes = header;
	return !header.failed && (sizes->address == 4 || sizes->address == 8);
}

/*
 * Abbreviations are tables in .debug_abbrev, with the tag and the attributes of
 * entries (DWARF 5, 7.5.3):
 *
 *	code tag children  name form  name form  0 0
 *	code tag children  name form  name 21 value  0 0
 *	0
 *
 * All are numbers in LEB128, except `children`, a byte.
 */

/* Reads a number; those above 16 bits mean nothing. */
static uint16_t
read_short(struct bytes *table)
{
	uint64_t number = bytes_uleb(table);

	return number <= UINT16_MAX ? (uint16_t)number : UINT16_MAX;
}

/* Reads the attributes of an abbreviation, and their size if that is fixed. */
static void
read_attributes(const struct unit *unit, struct abbrev *abbrev,
    struct bytes *table)
{
	struct abbrev_attribute attribute = { 0 };
	struct units *units = unit->units;
	size_t size = 0;

	abbrev->first = units->attribute_count;
	abbrev->is_fixed = true;
	do {
		attribute.name = read_short(table);
		attribute.form = read_short(table);
		attribute.value = attribute.form == FORM_IMPLICIT ?
		    bytes_sleb(table) : 0;
		if (attribute.name == 0 && attribute.form == 0)
			break;
		if (form_size(attribute.form, &unit->sizes, &size))
			abbrev->size += size;
		else
			abbrev->is_fixed = false;
		abbrev->count++;
		if (abbrev->count > ATTRIBUTES_MAX ||
		    !account_grow(units->account, units->attribute_count,
		    units->attribute_room, sizeof(attribute), LOST)) {
			bytes_fail(table);
			break;
		}
		*LIST_ADD(units->attributes, units->attribute_count,
		    units->attribute_room) = attribute;
	} while (!table->failed);
}

/*
 * Reads a unit's table from its start.  With `only`, not 0, it keeps the
 * abbreviation of that code alone, and ends there.
 */
static void
read_table(const struct unit *unit, struct abbrevs *abbrevs, uint64_t only)
{
	struct units *units = unit->units;
	struct bytes table = bytes_from_offset(&units->sections[DWARF_ABBREV],
	    unit->abbrev_offset);
	size_t before = units->attribute_count;
	struct abbrev abbrev;

	abbrevs->count = 0;
	do {
		abbrev = (struct abbrev){ .code = bytes_uleb(&table) };
		if (abbrev.code == 0)
			break;
		abbrev.tag = read_short(&table);
		abbrev.has_children = bytes_u8(&table) != 0;
		read_attributes(unit, &abbrev, &table);
		if (!account_work(units->account, 16 + 4 * abbrev.count,
		    LOST) || table.failed)
			break;
		if (only != 0 && abbrev.code != only) {
			units->attribute_count = before;
			continue;
		}
		if (!account_grow(units->account, abbrevs->count,
		    abbrevs->room, sizeof(abbrev), LOST))
			break;
		abbrevs->list = mem_grow_small(abbrevs->list, &abbrevs->room,
		    abbrevs->count + 1, sizeof(abbrev));
		abbrevs->list[abbrevs->count++] = abbrev;
	} while (only == 0 || abbrev.code != only);
	sort_by_number(abbrevs->list, abbrevs->count, sizeof(*abbrevs->list));
}

/*
 * Finds an abbreviation; compilers number codes 1, 2, 3.  The first entry of a
 * unit needs but one of a table, so all are read for the second code only.
 */
static const struct abbrev *
find_abbrev(const struct unit *unit, uint64_t code)
{
	struct abbrevs *abbrevs = &unit->units->abbrevs[unit->table];
	size_t number = (size_t)(code - 1);

	if (abbrevs->reads < 2 && (abbrevs->count == 0 ||
	    abbrevs->list[0].code != code))
		read_table(unit, abbrevs, abbrevs->reads++ == 0 ? code : 0);
	if (number >= abbrevs->count || abbrevs->list[number].code != code)
		number = sort_up_to(code - 1, abbrevs->list, abbrevs->count,
		    sizeof(*abbrevs->list));
	return number < abbrevs->count && abbrevs->list[number].code == code ?
	    &abbrevs->list[number] : NULL;
}

/* Returns the number of a unit's table.  Units share tables, as after dwz. */
static uint32_t
find_table(const struct unit *unit)
{
	struct units *units = unit->units;
	uint64_t key[4] = { unit->abbrev_offset, unit->sizes.version,
	    unit->sizes.address, unit->sizes.offset };
	uint32_t before = units->tables.count, number;

	number = table_add(&units->tables,
	    (struct str){ (const char *)key, sizeof(key) });
	if (number == before)
		*LIST_AT(units->abbrevs, number, units->abbrevs_room) =
		    (struct abbrevs){ 0 };
	return number;
}

bool
entry_begin(struct entry *entry, struct unit *unit, struct bytes bytes)
{
	uint64_t code = bytes_uleb(&bytes);

	if (unit->table == TABLE_NONE)
		unit->table = find_table(unit);
	*entry = (struct entry){ .unit = unit, .bytes = bytes };
	if (code != 0)
		entry->abbrev = find_abbrev(unit, code);
	return !bytes.failed && (code == 0 || entry->abbrev != NULL);
}

bool
entry_next(struct entry *entry, uint16_t *name, struct form_value *value)
{
	const struct abbrev_attribute *attribute;

	if (entry->abbrev == NULL || entry->next == entry->abbrev->count)
		return false;
	attribute = &entry->unit->units->attributes[entry->abbrev->first +
	    entry->next++];
	*name = attribute->name;
	*value = form_read(&entry->bytes, attribute->form,
	    &entry->unit->sizes);
	if (attribute->form == FORM_IMPLICIT)
		value->number = (uint64_t)attribute->value;
	return !entry->bytes.failed;
}

void
entry_skip(struct entry *entry)
{
	const struct abbrev *abbrev = entry->abbrev;
	const struct dwarf_sizes *sizes = &entry->unit->sizes;
	const struct abbrev_attribute *attribute;
	size_t size = abbrev->size, i;

	if (abbrev->is_fixed) {
		bytes_skip(&entry->bytes, size);
		return;
	}
	attribute = &entry->unit->units->attributes[abbrev->first];
	for (i = 0; i < abbrev->count; i++, attribute++)
		if (form_size(attribute->form, sizes, &size))
			bytes_skip(&entry->bytes, size);
		else
			form_read(&entry->bytes, attribute->form, sizes);
}

/* Returns the unit that an offset in .debug_info is in, or NULL. */
static struct unit *
units_at(struct units *units, uint64_t offset)
{
	size_t after = sort_up_to(offset, units->list, units->count,
	    sizeof(*units->list));
	struct unit *unit;

	if (after == 0)
		return NULL;
	unit = &units->list[after - 1];
	return offset - unit->offset < bytes_offset(&unit->bytes) +
	    bytes_left(&unit->bytes) ? unit : NULL;
}

bool
entry_begin_at(struct entry *entry, struct unit *unit, uint64_t offset)
{
	struct bytes bytes = unit->bytes;

	bytes_seek(&bytes, offset);
	if (bytes_left(&bytes) > ENTRY_MAX)
		bytes = bytes_take(&bytes, ENTRY_MAX);
	return entry_begin(entry, unit, bytes);
}

bool
entry_refer(struct entry *entry, const struct form_value *value,
    struct entry *other)
{
	struct unit *unit = entry->unit;
	struct units *units = unit->units;
	uint64_t offset = value->number;

	if (value->kind == FORM_ALT_REF)
		units = units->alternate;
	if (units == NULL || (value->kind != FORM_UNIT_REF &&
	    value->kind != FORM_INFO_REF && value->kind != FORM_ALT_REF))
		return false;
	if (value->kind != FORM_UNIT_REF) {
		unit = units_at(units, offset);
		if (unit == NULL)
			return false;
		offset -= unit->offset;
	}
	return offset >= bytes_offset(&unit->bytes) &&
	    entry_begin_at(other, unit, offset);
}

struct str
units_text(const struct unit *unit, const struct form_value *value)
{
	const struct units *units = unit->units;
	const struct bytes *sections = units->sections;
	uint64_t offset = value->number;

	switch (value->kind) {
	case FORM_TEXT:
		return value->text.len < TEXT_MAX ? value->text :
		    str_take(value->text, TEXT_MAX);
	case FORM_STR:
		return bytes_text_at(&sections[DWARF_STR], offset, TEXT_MAX);
	case FORM_LINE_STR:
		return bytes_text_at(&sections[DWARF_LINE_STR], offset,
		    TEXT_MAX);
	case FORM_ALT_STR:
		return units->alternate == NULL ? STR("") : bytes_text_at(
		    &units->alternate->sections[DWARF_STR], offset, TEXT_MAX);
	case FORM_STR_INDEX:
		return bytes_number(&sections[DWARF_STR_OFFSETS],
		    unit->str_offsets, value->number, unit->sizes.offset,
		    &offset) ? bytes_text_at(&sections[DWARF_STR], offset,
		    TEXT_MAX) : STR("");
	default:
		return STR("");
	}
}

bool
units_add_id(const struct unit *unit)
{
	struct units *units = unit->units;
	uint32_t *number = intmap_at(&units->ids, unit->id);

	if (*number != 0)
		return false;
	*number = (uint32_t)(unit - units->list) + 1;
	return true;
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
 * Numbers of texts and of ranges count after headers, which version 5 has:
 *
 *	.debug_str_offsets.dwo	length version=5 0 0
 *	.debug_rnglists.dwo	length version=5 address=8 0  count of offsets
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
		if (unit == NULL || (unit->has_id && unit->id != id))
			continue;
		unit->id = id;
		if (!units_add_id(unit))
			continue;
		unit->has_id = true;
		unit->abbrev_offset += offsets[COLUMN_ABBREV];
		unit->str_offsets += offsets[COLUMN_STR_OFFSETS];
		unit->rnglists += offsets[COLUMN_RNGLISTS];
	}
}

void
units_open(struct units *units, struct units *alternate,
    struct account *account)
{
	struct bytes info = units->sections[DWARF_INFO];
	struct unit unit;

	units->alternate = alternate;
	units->account = account;
	while (bytes_left(&info) > 0 && account_work(account, 64, LOST)) {
		if (!read_unit(&unit, &info))
			continue;
		if (!account_grow(account, units->count, units->room,
		    sizeof(*units->list), LOST))
			break;
		unit.units = units;
		*LIST_ADD(units->list, units->count, units->room) = unit;
	}
	if (bytes_left(&units->sections[DWARF_CU_INDEX]) > 0)
		read_index(units, units->sections[DWARF_CU_INDEX]);
}
