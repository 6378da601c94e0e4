/*
 * A list of version 5 is entries in .debug_rnglists, each a byte for its kind
 * and its values (DWARF 5, 7.25).  Before, it is pairs of addresses in
 * .debug_ranges.  They count from the unit's low_pc, or from the second one of
 * a pair whose first is the largest that there is (DWARF 4, 2.17.3):
 *
 *	10 20  40 50  ffffffffffffffff 401000  0 10  0 0
 *
 * A linker that leaves a function out leaves its ranges in, at address 0 or at
 * one of the last two.
 */
#include "ranges.h"

enum {			/* kinds of entries */
	RANGE_END, RANGE_BASE_INDEX, RANGE_START_INDEX_END_INDEX,
	RANGE_START_INDEX_LENGTH, RANGE_OFFSETS, RANGE_BASE,
	RANGE_START_END, RANGE_START_LENGTH
};

/* Where ranges are read from and added to. */
struct range_reader {
	struct units *units;
	const struct unit *unit;
	struct bytes list;
	uint64_t base;
	struct spans *spans;
	uint32_t number;
};

void
ranges_note(struct ranges *ranges, uint16_t name,
    const struct form_value *value)
{
	switch (name) {
	case AT_LOW_PC:
		ranges->low = *value;
		break;
	case AT_HIGH_PC:
		ranges->high = *value;
		break;
	case AT_RANGES:
		ranges->list = *value;
		break;
	}
}

bool
ranges_are_told(const struct ranges *ranges)
{
	return ranges->list.kind != FORM_OTHER ||
	    (ranges->low.kind != FORM_OTHER &&
	    ranges->high.kind != FORM_OTHER);
}

/* Stores an address of the unit's own in .debug_addr. */
static bool
indexed_address(const struct units *units, const struct unit *unit,
    uint64_t number, uint64_t *address)
{
	return bytes_number(&units->sections[DWARF_ADDR], unit->addresses,
	    number, unit->sizes.address, address);
}

static bool
find_address(const struct units *units, const struct unit *unit,
    const struct form_value *value, uint64_t *address)
{
	if (value->kind == FORM_ADDRESS_INDEX)
		return indexed_address(units, unit, value->number, address);
	*address = value->number;
	return value->kind == FORM_ADDRESS;
}

bool
ranges_low(const struct ranges *ranges, const struct units *units,
    const struct unit *unit, uint64_t *low)
{
	return find_address(units, unit, &ranges->low, low);
}

static void
add(struct range_reader *reader, uint64_t start, uint64_t end)
{
	if (start != 0 && start < UINT64_MAX - 1 &&
	    (reader->unit->sizes.address == 8 || start < UINT32_MAX - 1))
		spans_add(reader->spans, start, end, reader->number);
}

/* Adds the next range of a list of before version 5; false at the end. */
static bool
add_pair(struct range_reader *reader)
{
	size_t size = reader->unit->sizes.address;
	uint64_t largest = size == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t start = bytes_uint(&reader->list, size);
	uint64_t end = bytes_uint(&reader->list, size);

	if (start == largest)
		reader->base = end;
	else if (start != end)
		add(reader, (reader->base + start) & largest,
		    (reader->base + end) & largest);
	return start != 0 || end != 0;
}

/* Reads an address, by its index; 0 if it is missing. */
static uint64_t
read_index(struct range_reader *reader)
{
	uint64_t address = 0;

	indexed_address(reader->units, reader->unit,
	    bytes_uleb(&reader->list), &address);
	return address;
}

/* Adds the range of an entry of version 5; false at the end. */
static bool
add_entry(struct range_reader *reader)
{
	struct bytes *list = &reader->list;
	size_t size = reader->unit->sizes.address;
	uint64_t start;

	switch (bytes_u8(list)) {
	case RANGE_BASE_INDEX:
		reader->base = read_index(reader);
		break;
	case RANGE_START_INDEX_END_INDEX:
		start = read_index(reader);
		add(reader, start, read_index(reader));
		break;
	case RANGE_START_INDEX_LENGTH:
		start = read_index(reader);
		add(reader, start, start + bytes_uleb(list));
		break;
	case RANGE_OFFSETS:
		start = reader->base + bytes_uleb(list);
		add(reader, start, reader->base + bytes_uleb(list));
		break;
	case RANGE_BASE:
		reader->base = bytes_uint(list, size);
		break;
	case RANGE_START_END:
		start = bytes_uint(list, size);
		add(reader, start, bytes_uint(list, size));
		break;
	case RANGE_START_LENGTH:
		start = bytes_uint(list, size);
		add(reader, start, start + bytes_uleb(list));
		break;
	default:		/* RANGE_END, or not known */
		return false;
	}
	return !list->failed;
}

/* Stores where a list of version 5 is: an index counts in the unit's own. */
static bool
find_entries(const struct range_reader *reader, const struct form_value *value,
    uint64_t *offset)
{
	const struct unit *unit = reader->unit;

	if (value->kind != FORM_LIST_INDEX) {
		*offset = value->number;
		return true;
	}
	if (!bytes_number(&reader->list, unit->rnglists, value->number,
	    unit->sizes.offset, offset))
		return false;
	*offset += unit->rnglists;
	return true;
}

static void
add_list(struct range_reader *reader, const struct form_value *value)
{
	bool is_new = reader->unit->sizes.version >= 5;
	uint64_t offset = value->number + reader->unit->ranges;

	reader->list = reader->units->sections[is_new ? DWARF_RNGLISTS :
	    DWARF_RANGES];
	if (is_new && !find_entries(reader, value, &offset))
		return;
	bytes_seek(&reader->list, offset);
	while (is_new ? add_entry(reader) : add_pair(reader))
		if (!account_work(reader->units->account, 16,
		    "inlined functions"))
			break;
}

void
ranges_add(const struct ranges *ranges, struct units *units,
    const struct unit *unit, struct spans *spans, uint32_t number)
{
	struct range_reader reader = { .units = units, .unit = unit,
	    .base = unit->low_pc, .spans = spans, .number = number };
	uint64_t low, high;

	if (ranges->list.kind != FORM_OTHER) {
		add_list(&reader, &ranges->list);
		return;
	}
	if (!find_address(units, unit, &ranges->low, &low))
		return;
	if (ranges->high.kind == FORM_NUMBER)
		add(&reader, low, low + ranges->high.number);
	else if (find_address(units, unit, &ranges->high, &high))
		add(&reader, low, high);
}
