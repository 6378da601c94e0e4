#include <stdlib.h>

#include "abbrevs.h"
#include "forms.h"
#include "lib/mem.h"

/*
 * Entries have up to 30 attributes.  One of many that take no byte would make
 * time of nothing.
 */
#define ATTRIBUTES_MAX	128

/* Reads a number, of which those above 16 bits mean nothing. */
static uint16_t
read_short(struct bytes *table)
{
	uint64_t number = bytes_uleb(table);

	return number <= UINT16_MAX ? (uint16_t)number : UINT16_MAX;
}

static void
add_attribute(struct abbrevs *abbrevs, struct abbrev_attribute attribute)
{
	abbrevs->attributes = mem_grow(abbrevs->attributes,
	    &abbrevs->attribute_room, abbrevs->attribute_count + 1,
	    sizeof(*abbrevs->attributes));
	abbrevs->attributes[abbrevs->attribute_count++] = attribute;
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
		add_attribute(abbrevs, attribute);
	} while (!table->failed);
	abbrev->count = abbrevs->attribute_count - abbrev->first;
	if (abbrev->count > ATTRIBUTES_MAX)
		bytes_fail(table);
}

/* Reads the next abbreviation; false at the end, or where the table breaks. */
static bool
read_next(struct abbrevs *abbrevs, struct bytes *table,
    const struct dwarf_sizes *sizes, struct abbrev *abbrev)
{
	*abbrev = (struct abbrev){ .code = bytes_uleb(table) };
	if (abbrev->code == 0)
		return false;
	abbrev->tag = read_short(table);
	abbrev->has_children = bytes_u8(table) != 0;
	read_attributes(abbrevs, abbrev, table, sizes);
	return !table->failed;
}

static int
compare_codes(const void *a, const void *b)
{
	const struct abbrev *one = a, *other = b;

	return one->code != other->code ?
	    (one->code < other->code ? -1 : 1) :
	    (one->first > other->first) - (one->first < other->first);
}

static void
keep(struct abbrevs *abbrevs, struct abbrev abbrev)
{
	abbrevs->list = mem_grow(abbrevs->list, &abbrevs->room,
	    abbrevs->count + 1, sizeof(*abbrevs->list));
	abbrevs->list[abbrevs->count++] = abbrev;
}

/* Returns a reader of so many bytes, or fewer. */
static struct bytes
cut(struct bytes table, uint64_t most)
{
	return most < bytes_left(&table) ? bytes_take(&table, most) : table;
}

size_t
abbrevs_read(struct abbrevs *abbrevs, struct bytes table,
    const struct dwarf_sizes *sizes, uint64_t most)
{
	struct abbrev abbrev;
	bool in_order = true;

	*abbrevs = (struct abbrevs){ 0 };
	table = cut(table, most);
	while (read_next(abbrevs, &table, sizes, &abbrev)) {
		keep(abbrevs, abbrev);
		in_order &= abbrev.code == abbrevs->count;
	}
	if (!in_order)
		qsort(abbrevs->list, abbrevs->count, sizeof(*abbrevs->list),
		    compare_codes);
	return bytes_offset(&table);
}

size_t
abbrevs_read_one(struct abbrevs *abbrevs, struct bytes table,
    const struct dwarf_sizes *sizes, uint64_t most, uint64_t code)
{
	struct abbrev abbrev;

	*abbrevs = (struct abbrevs){ 0 };
	table = cut(table, most);
	while (read_next(abbrevs, &table, sizes, &abbrev)) {
		if (abbrev.code == code) {
			keep(abbrevs, abbrev);
			break;
		}
		abbrevs->attribute_count = 0;
	}
	return bytes_offset(&table);
}

/* Compilers number abbreviations 1, 2, 3, ... */
const struct abbrev *
abbrevs_find(const struct abbrevs *abbrevs, uint64_t code)
{
	size_t low = 0, high = abbrevs->count, middle;

	if (code - 1 < abbrevs->count && abbrevs->list[code - 1].code == code)
		return &abbrevs->list[code - 1];
	while (low < high) {
		middle = low + (high - low) / 2;
		if (abbrevs->list[middle].code < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < abbrevs->count && abbrevs->list[low].code == code ?
	    &abbrevs->list[low] : NULL;
}

void
abbrevs_free(struct abbrevs *abbrevs)
{
	free(abbrevs->list);
	free(abbrevs->attributes);
	*abbrevs = (struct abbrevs){ 0 };
}
