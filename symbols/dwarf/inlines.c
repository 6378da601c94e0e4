/*
 * A function that others are inlined into is an entry with these in it, at any
 * depth (DWARF 5, 3.3.8); their names are in entries for what all copies of a
 * function have in common:
 *
 *	subprogram  name main  low_pc 1136  high_pc +40
 *	    lexical_block  ranges ...
 *	        inlined_subroutine  origin >  ranges ...  call_line 9
 *	            inlined_subroutine  origin >  low_pc 1140 ...
 *	subprogram  name square  linkage_name _Z6squarei  inline 1
 */
#include <stdlib.h>

#include "inlines.h"

#define LOST	"inlined functions"

/* An entry may refer to one that refers to another, but not without end. */
#define REFERENCES	16

/*
 * In place of a function's number: a linker left it out, so what was inlined
 * into it has no code, whatever addresses the linker let that have.
 */
#define LEFT_OUT	(SPANS_NONE - 1)

struct inline_functions {
	struct spans spans;
	struct inline_function *list;
	size_t count, room;
	uint32_t *outer;	/* while reading: the function that the
				   children of each open entry are in */
	size_t depth, depth_room;
};

/*
 * The addresses of an entry (DWARF 5, 2.17).  It has one of these:
 *
 *	low_pc 1136  high_pc 1150	from one address up to another,
 *	low_pc 1136  high_pc +1a	or with a length,
 *	ranges ...			or ranges in a list.
 *
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

/* The attributes that have them; begins as { 0 }. */
struct ranges {
	struct form_value low, high, list;
};

/*
 * Kinds of entries: an index of an address, an address, an offset from the
 * base, a length.  One without an end sets the base.
 */
static const struct { char start, end; } range_kinds[] = {
	{ 0, 0 }, { 'i', 0 }, { 'i', 'i' }, { 'i', 'l' }, { 'o', 'o' },
	{ 'a', 0 }, { 'a', 'a' }, { 'a', 'l' }
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

/* Takes note of an attribute, if it is one of these. */
static void
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

static void
add_range(struct range_reader *reader, uint64_t start, uint64_t end)
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
		add_range(reader, (reader->base + start) & largest,
		    (reader->base + end) & largest);
	return start != 0 || end != 0;
}

/* Reads one value of an entry; a length counts from the start. */
static uint64_t
read_value(struct range_reader *reader, char kind, uint64_t start)
{
	uint64_t number, address = 0;

	if (kind == 'a')
		return bytes_uint(&reader->list, reader->unit->sizes.address);
	number = bytes_uleb(&reader->list);
	if (kind == 'i')	/* 0 if it is missing */
		indexed_address(reader->units, reader->unit, number, &address);
	return kind == 'i' ? address :
	    number + (kind == 'o' ? reader->base : start);
}

/* Adds the range of an entry of version 5; false at the end. */
static bool
add_entry(struct range_reader *reader)
{
	uint8_t kind = bytes_u8(&reader->list);
	uint64_t start;

	if (kind == 0 || kind >= sizeof(range_kinds) / sizeof(*range_kinds))
		return false;
	start = read_value(reader, range_kinds[kind].start, 0);
	if (range_kinds[kind].end == 0)
		reader->base = start;
	else
		add_range(reader, start,
		    read_value(reader, range_kinds[kind].end, start));
	return !reader->list.failed;
}

static void
add_list(struct range_reader *reader, const struct form_value *value)
{
	const struct unit *unit = reader->unit;
	bool is_new = unit->sizes.version >= 5;
	uint64_t offset = value->number + (is_new ? 0 : unit->ranges);

	reader->list = reader->units->sections[is_new ? DWARF_RNGLISTS :
	    DWARF_RANGES];
	if (is_new && value->kind == FORM_LIST_INDEX) {
		if (!bytes_number(&reader->list, unit->rnglists, value->number,
		    unit->sizes.offset, &offset))
			return;
		offset += unit->rnglists;	/* from which indexes count */
	}
	bytes_seek(&reader->list, offset);
	while (is_new ? add_entry(reader) : add_pair(reader))
		if (!account_work(reader->units->account, 16, LOST))
			break;
}

/* Adds the addresses of an entry to spans, under a number. */
static void
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
		add_range(&reader, low, low + ranges->high.number);
	else if (find_address(units, unit, &ranges->high, &high))
		add_range(&reader, low, high);
}

/* The entries. */

/*
 * Reads the attributes of a unit's first entry.  All are read before any is
 * used: some count from others that come later.
 */
static void
read_root(struct entry *root, uint32_t number)
{
	struct units *units = root->units;
	struct unit *unit = root->unit;
	struct form_value value, dwo = { 0 }, folder = { 0 };
	struct ranges ranges = { 0 };
	uint16_t name;

	while (entry_next(root, &name, &value)) {
		ranges_note(&ranges, name, &value);
		switch (name) {
		case AT_STMT_LIST:
			unit->lines = value.number;
			break;
		case AT_STR_OFFSETS_BASE:
			unit->str_offsets = value.number;
			break;
		case AT_ADDR_BASE:
		case AT_GNU_ADDR_BASE:
			unit->addresses = value.number;
			break;
		case AT_RNGLISTS_BASE:
			unit->rnglists = value.number;
			break;
		case AT_DWO_NAME:
		case AT_GNU_DWO_NAME:
			dwo = value;
			break;
		case AT_COMP_DIR:
			folder = value;
			break;
		case AT_GNU_RANGES_BASE:
			unit->skeleton.ranges = value.number;
			break;
		case AT_GNU_DWO_ID:
			unit->id = value.number;
			unit->has_id = true;
			break;
		}
	}
	unit->skeleton.dwo = units_text(units, unit, &dwo);
	unit->skeleton.folder = units_text(units, unit, &folder);
	find_address(units, unit, &ranges.low, &unit->low_pc);
	ranges_add(&ranges, units, unit, &units->spans, number);
}

void
inlines_open(struct units *units, const struct bytes sections[DWARF_SECTIONS],
    struct units *alternate, struct account *account)
{
	struct entry root;
	struct unit *unit;
	uint32_t i;

	units_open(units, sections, alternate, account);
	units->spans = (struct spans){ .account = account, .lost = LOST };
	for (i = 0; i < units->count && i < SPANS_NONE; i++) {
		unit = &units->list[i];
		if (entry_begin_root(&root, units, unit))
			read_root(&root, i);
		/*
		 * Of several units with one id, as in a damaged file, the first
		 * keeps it: what was split off must not belong to the one that
		 * is asked for first.
		 */
		unit->has_id = unit->has_id &&
		    units_add_id(units, unit->id, unit);
	}
	spans_sort(&units->spans);
}

void
inlines_close(struct units *units)
{
	struct inline_functions *functions;
	size_t i;

	for (i = 0; i < units->count; i++) {
		lines_free(units->list[i].line_table);
		functions = units->list[i].functions;
		if (functions == NULL)
			continue;
		spans_free(&functions->spans);
		free(functions->list);
		free(functions);
	}
	units_close(units);
}

static uint32_t
small(const struct form_value *value)
{
	return value->number < UINT32_MAX ? (uint32_t)value->number : 0;
}

/*
 * Reads a function and returns its number, LEFT_OUT, or SPANS_NONE if it has no
 * code.  An inlined function may have code only in functions that are inlined
 * into it.
 */
static uint32_t
read_function(struct inline_functions *functions, struct entry *entry,
    uint32_t outer, uint32_t offset)
{
	struct inline_function function = { .entry = offset, .outer = outer,
	    .inlined = entry->abbrev->tag == TAG_INLINED_SUBROUTINE };
	struct ranges ranges = { 0 };
	size_t before = functions->spans.count;
	struct form_value value;
	uint16_t name;
	uint32_t number;

	while (entry_next(entry, &name, &value)) {
		ranges_note(&ranges, name, &value);
		if (name == AT_CALL_FILE)
			function.call_file = small(&value);
		else if (name == AT_CALL_LINE)
			function.call_line = small(&value);
	}
	if (function.inlined && outer == LEFT_OUT)
		return LEFT_OUT;
	if (ranges.list.kind == FORM_OTHER &&
	    (ranges.low.kind == FORM_OTHER || ranges.high.kind == FORM_OTHER) &&
	    !(function.inlined && outer != SPANS_NONE))
		return SPANS_NONE;
	if (functions->count == LEFT_OUT ||
	    !account_grow(functions->spans.account, functions->count,
	    functions->room, sizeof(*functions->list), LOST))
		return function.inlined ? SPANS_NONE : LEFT_OUT;
	number = (uint32_t)functions->count;
	*LIST_ADD(functions->list, functions->count, functions->room) =
	    function;
	ranges_add(&ranges, entry->units, entry->unit, &functions->spans,
	    number);
	return function.inlined || functions->spans.count > before ? number :
	    LEFT_OUT;
}

/* Reads the next entry; false after the last one. */
static bool
read_entry(struct inline_functions *functions, struct units *units,
    struct unit *unit, struct bytes *bytes)
{
	uint32_t offset = (uint32_t)bytes_offset(bytes), outer = SPANS_NONE;
	struct entry entry;

	if (!entry_begin(&entry, units, unit, *bytes))
		return false;
	if (functions->depth > 0)
		outer = functions->outer[functions->depth - 1];
	if (entry.abbrev == NULL) {
		if (functions->depth > 0)
			functions->depth--;
	} else {
		if (entry.abbrev->tag == TAG_SUBPROGRAM ||
		    entry.abbrev->tag == TAG_INLINED_SUBROUTINE)
			outer = read_function(functions, &entry, outer,
			    offset);
		else
			entry_skip(&entry);
		if (entry.abbrev->has_children) {
			if (!account_grow(units->account, functions->depth,
			    functions->depth_room, sizeof(outer), LOST))
				return false;
			*LIST_ADD(functions->outer, functions->depth,
			    functions->depth_room) = outer;
		}
	}
	*bytes = entry.bytes;
	return !bytes->failed && functions->depth > 0;
}

void
inlines_begin_in(struct units *units, struct unit *unit, uint64_t address,
    struct inlines_chain *chain)
{
	struct inline_functions *functions = unit->functions;
	struct bytes bytes = unit->bytes;

	if (functions == NULL) {	/* the first question */
		functions = unit->functions = mem_array(1, sizeof(*functions));
		functions->spans = (struct spans){ .account = units->account,
		    .lost = LOST };
		bytes_seek(&bytes, unit->first);
		if (bytes_left(&unit->bytes) < UINT32_MAX &&
		    account_work(units->account, bytes_left(&bytes), LOST))
			while (read_entry(functions, units, unit, &bytes))
				continue;
		free(functions->outer);
		account_give_back(units->account, functions->depth_room *
		    sizeof(*functions->outer));
		spans_sort(&functions->spans);
	}
	chain->units = units;
	chain->unit = unit;
	chain->next = spans_find(&functions->spans, address, &chain->range);
}

void
inlines_begin(struct units *units, uint64_t address,
    struct inlines_chain *chain)
{
	uint32_t number;

	*chain = (struct inlines_chain){ units, NULL, SPANS_NONE,
	    { 0, UINT64_MAX } };
	number = spans_find(&units->spans, address, &chain->range);
	if (number != SPANS_NONE)
		inlines_begin_in(units, &units->list[number], address, chain);
}

/*
 * Reads an entry up to the name that the linker knows it by; true if it has
 * that, or if no more may be read.  Else stores the name that it was written
 * with, unless there is one, and a reference.
 */
static bool
read_name(struct entry *entry, struct units *units, struct str *name,
    struct form_value *further)
{
	size_t before = bytes_left(&entry->bytes);
	struct form_value value;
	uint16_t attribute;
	bool linked = false;

	while (!linked && entry_next(entry, &attribute, &value)) {
		linked = attribute == AT_LINKAGE_NAME ||
		    attribute == AT_MIPS_LINKAGE_NAME;
		if (linked || (attribute == AT_NAME && name->len == 0))
			*name = units_text(entry->units, entry->unit, &value);
		if (attribute == AT_ABSTRACT_ORIGIN ||
		    attribute == AT_SPECIFICATION)
			*further = value;
	}
	return !account_work(units->account, before -
	    bytes_left(&entry->bytes), LOST) || linked;
}

/*
 * A function has its mangled name, or else its name in the source, from its
 * entry or from an entry that it refers to.
 */
const struct inline_function *
inlines_next(struct inlines_chain *chain)
{
	struct inline_function *found;
	struct form_value further;
	struct entry entry;
	bool known;
	int i;

	if (chain->next == SPANS_NONE)
		return NULL;
	found = &chain->unit->functions->list[chain->next];
	if (!found->named) {
		found->name = STR("");
		known = entry_begin_at(&entry, chain->units, chain->unit,
		    found->entry);
		for (i = 0; known && i < REFERENCES; i++) {
			further = (struct form_value){ 0 };
			if (read_name(&entry, chain->units, &found->name,
			    &further))
				break;
			known = entry_refer(&entry, &further, &entry);
		}
	}
	found->named = true;
	chain->next = found->inlined ? found->outer : SPANS_NONE;
	return found;
}
