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

/* Entries have up to 30 attributes.  Many of no bytes would take long. */
#define ATTRIBUTES_MAX	128

/*
 * Any number of entries may have one text, or refer to one entry, that fills a
 * file.  So of a text and of an entry that others refer to no more is read; the
 * names that compilers make have a few thousand bytes at most.
 */
#define TEXT_MAX	((size_t)32 * 1024)
#define ENTRY_MAX	(2 * TEXT_MAX)

#define LOST	"inlined functions"

/* Kinds of units, 7.5.1. */
enum { UNIT_TYPE = 2, UNIT_SKELETON = 4, UNIT_SPLIT = 5, UNIT_SPLIT_TYPE = 6 };

/* Reads the next unit's header, and skips the unit; false if unknown. */
static bool
read_unit(struct unit *unit, struct bytes *info)
{
	struct bytes header = bytes_from_offset(info, bytes_offset(info));
	struct dwarf_sizes *sizes = &unit->sizes;
	uint8_t kind = 0;
	uint64_t len;

	*unit = (struct unit){ .offset = bytes_offset(info), .sizes.offset = 4,
	    .lines = UNITS_NO_OFFSET };
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
	unit->bytes = header;
	unit->bytes.next = header.start;
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
	unit->first = bytes_offset(&header);
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
read_attributes(struct abbrevs *abbrevs, struct abbrev *abbrev,
    struct bytes *table, const struct dwarf_sizes *sizes)
{
	struct abbrev_attribute attribute = { 0 };
	size_t size = 0;

	abbrev->first = abbrevs->attribute_count;
	abbrev->is_fixed = true;
	do {
		attribute.name = read_short(table);
		attribute.form = read_short(table);
		attribute.value = attribute.form == FORM_IMPLICIT ?
		    bytes_sleb(table) : 0;
		if (attribute.name == 0 && attribute.form == 0)
			break;
		if (form_size(attribute.form, sizes, &size))
			abbrev->size += size;
		else
			abbrev->is_fixed = false;
		abbrev->count++;
		if (abbrev->count > ATTRIBUTES_MAX ||
		    !account_grow(abbrevs->account, abbrevs->attribute_count,
		    abbrevs->attribute_room, sizeof(attribute), LOST)) {
			bytes_fail(table);
			break;
		}
		*LIST_ADD(abbrevs->attributes, abbrevs->attribute_count,
		    abbrevs->attribute_room) = attribute;
	} while (!table->failed);
}

/*
 * Reads a table from its start, for units with numbers of these sizes.  With
 * `only`, not 0, it keeps the abbreviation of that code alone, and ends there.
 */
static void
read_table(struct abbrevs *abbrevs, struct bytes table,
    const struct dwarf_sizes *sizes, struct account *account, uint64_t only)
{
	struct abbrev abbrev;

	abbrevs->account = account;
	abbrevs->count = abbrevs->attribute_count = 0;
	do {
		abbrev = (struct abbrev){ .code = bytes_uleb(&table) };
		if (abbrev.code == 0)
			break;
		abbrev.tag = read_short(&table);
		abbrev.has_children = bytes_u8(&table) != 0;
		read_attributes(abbrevs, &abbrev, &table, sizes);
		if (!account_work(account, 16 + 4 * abbrev.count, LOST) ||
		    table.failed)
			break;
		if (only != 0 && abbrev.code != only) {
			abbrevs->attribute_count = 0;
			continue;
		}
		if (!account_grow(account, abbrevs->count, abbrevs->room,
		    sizeof(abbrev), LOST))
			break;
		*LIST_ADD(abbrevs->list, abbrevs->count, abbrevs->room) =
		    abbrev;
	} while (only == 0 || abbrev.code != only);
	sort_by_number(abbrevs->list, abbrevs->count, sizeof(*abbrevs->list));
}

static void
abbrevs_free(struct abbrevs *abbrevs)
{
	free(abbrevs->list);
	free(abbrevs->attributes);
}

/* Returns the number of a unit's table; a new one is not read yet. */
static uint32_t
table_number(struct units *units, const struct unit *unit)
{
	uint64_t key[4] = { unit->abbrev_offset, unit->sizes.version,
	    unit->sizes.address, unit->sizes.offset };
	uint32_t before = units->tables.count, number;

	number = table_add(&units->tables,
	    (struct str){ (const char *)key, sizeof(key) });
	if (number == before) {
		*LIST_AT(units->abbrevs, number, units->abbrevs_room) = NULL;
	}
	return number;
}

/* Begins with an entry, by its unit's table.  Compilers number codes 1, 2, 3 */
static bool
begin(struct entry *entry)
{
	const struct abbrevs *abbrevs = entry->abbrevs;
	uint64_t code = bytes_uleb(&entry->bytes);
	size_t number = (size_t)(code - 1);

	entry->next = 0;
	entry->abbrev = NULL;
	if (entry->bytes.failed)
		return false;
	if (code == 0)
		return true;
	if (number >= abbrevs->count || abbrevs->list[number].code != code)
		number = sort_up_to(code - 1, abbrevs->list, abbrevs->count,
		    sizeof(*abbrevs->list));
	if (number < abbrevs->count && abbrevs->list[number].code == code)
		entry->abbrev = &abbrevs->list[number];
	return entry->abbrev != NULL;
}

bool
entry_begin(struct entry *entry, struct units *units, struct unit *unit,
    struct bytes bytes)
{
	struct abbrevs *abbrevs;
	uint32_t number;

	if (unit->abbrevs == NULL) {	/* another unit may have read it */
		number = table_number(units, unit);
		abbrevs = units->abbrevs[number];
		if (abbrevs == NULL) {
			abbrevs = mem_array(1, sizeof(*abbrevs));
			read_table(abbrevs, bytes_from_offset(
			    &units->sections[DWARF_ABBREV],
			    unit->abbrev_offset), &unit->sizes,
			    units->account, 0);
		}
		unit->abbrevs = units->abbrevs[number] = abbrevs;
	}
	entry->units = units;
	entry->unit = unit;
	entry->abbrevs = unit->abbrevs;
	entry->bytes = bytes;
	return begin(entry);
}

bool
entry_next(struct entry *entry, uint16_t *name, struct form_value *value)
{
	const struct abbrev_attribute *attribute;

	if (entry->abbrev == NULL || entry->next == entry->abbrev->count)
		return false;
	attribute = &entry->abbrevs->attributes[entry->abbrev->first +
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
	const struct abbrev_attribute *attributes;

	if (abbrev == NULL)
		return;
	if (abbrev->is_fixed && entry->next == 0) {
		bytes_skip(&entry->bytes, abbrev->size);
		return;
	}
	attributes = entry->abbrevs->attributes + abbrev->first;
	for (; entry->next < abbrev->count; entry->next++)
		form_skip(&entry->bytes, attributes[entry->next].form,
		    &entry->unit->sizes);
}

struct unit *
units_at(struct units *units, uint64_t offset)
{
	size_t after = sort_up_to(offset, units->list, units->count,
	    sizeof(*units->list));
	struct unit *unit;

	if (after == 0)
		return NULL;
	unit = &units->list[after - 1];
	return offset - unit->offset < bytes_left(&unit->bytes) ? unit : NULL;
}

bool
entry_begin_at(struct entry *entry, struct units *units, struct unit *unit,
    uint64_t offset)
{
	struct bytes bytes = unit->bytes;

	bytes_seek(&bytes, offset);
	if (bytes_left(&bytes) > ENTRY_MAX)
		bytes = bytes_take(&bytes, ENTRY_MAX);
	return entry_begin(entry, units, unit, bytes);
}

bool
entry_refer(struct entry *entry, const struct form_value *value,
    struct entry *other)
{
	struct units *units = entry->units;
	struct unit *unit = entry->unit;
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
	return offset >= unit->first &&
	    entry_begin_at(other, units, unit, offset);
}

/*
 * Most units have a table of their own; its first abbreviation is enough here.
 * A table that a second unit shares, as after dwz, is read in full and kept.
 */
bool
entry_begin_root(struct entry *entry, struct units *units, struct unit *unit)
{
	struct bytes bytes = unit->bytes, table, code;
	uint32_t known = units->tables.count;

	bytes_seek(&bytes, unit->first);
	if (unit->abbrevs != NULL || table_number(units, unit) < known)
		return entry_begin(entry, units, unit, bytes);
	table = bytes_from_offset(&units->sections[DWARF_ABBREV],
	    unit->abbrev_offset);
	code = bytes;
	read_table(&units->root, table, &unit->sizes, units->account,
	    bytes_uleb(&code));
	*entry = (struct entry){ .units = units, .unit = unit,
	    .abbrevs = &units->root, .bytes = bytes };
	return begin(entry);
}

struct str
units_text(struct units *units, const struct unit *unit,
    const struct form_value *value)
{
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

void
units_open(struct units *units, const struct bytes sections[DWARF_SECTIONS],
    struct units *alternate, struct account *account)
{
	struct bytes info = sections[DWARF_INFO];
	struct unit unit;

	*units = (struct units){ .alternate = alternate, .account = account };
	memcpy(units->sections, sections, sizeof(units->sections));
	while (bytes_left(&info) > 0) {
		if (!account_work(account, bytes_left(&info) < 64 ?
		    bytes_left(&info) : 64, LOST))
			break;
		if (!read_unit(&unit, &info))
			continue;
		if (!account_grow(account, units->count, units->room,
		    sizeof(*units->list), LOST))
			break;
		*LIST_ADD(units->list, units->count, units->room) = unit;
	}
}

void
units_close(struct units *units)
{
	size_t i;

	for (i = 0; i < units->tables.count; i++) {
		if (units->abbrevs[i] != NULL)
			abbrevs_free(units->abbrevs[i]);
		free(units->abbrevs[i]);
	}
	free(units->abbrevs);
	abbrevs_free(&units->root);
	table_free(&units->tables);
	spans_free(&units->spans);
	intmap_free(&units->ids);
	free(units->list);
}

bool
units_add_id(struct units *units, uint64_t id, const struct unit *unit)
{
	uint32_t *number = intmap_at(&units->ids, id);

	if (*number != 0)
		return false;
	*number = (uint32_t)(unit - units->list) + 1;
	return true;
}
