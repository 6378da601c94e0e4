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

#include "units.h"

#define LOST	"inlined functions"

/* An entry may refer to one that refers to another, but not without end. */
#define REFERENCES	16

/* In place of a function's number: a linker left it out, and what is in it. */
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

/*
 * Kinds of entries: an index of an address, an address, an offset from the
 * base, a length.  One without an end sets the base.
 */
static const struct { char start, end; } range_kinds[] = {
	{ 0, 0 }, { 'i', 0 }, { 'i', 'i' }, { 'i', 'l' }, { 'o', 'o' },
	{ 'a', 0 }, { 'a', 'a' }, { 'a', 'l' }
};

/* The attributes that have them, and what they are added to. */
struct ranges {
	struct form_value low, high, list;
	const struct unit *unit;
	uint64_t base;
	struct bytes bytes;		/* of a list */
	struct spans *spans;
	uint32_t number;
};

/* Takes note of an attribute, if it is one of these. */
static void
ranges_note(struct ranges *ranges, uint16_t name,
    const struct form_value *value)
{
	if (name == AT_LOW_PC)
		ranges->low = *value;
	else if (name == AT_HIGH_PC)
		ranges->high = *value;
	else if (name == AT_RANGES)
		ranges->list = *value;
}

/* Stores an address, perhaps one of the unit's own in .debug_addr. */
static bool
find_address(const struct unit *unit, enum form_kind kind, uint64_t number,
    uint64_t *address)
{
	if (kind == FORM_ADDRESS_INDEX)
		return bytes_number(&unit->units->sections[DWARF_ADDR],
		    unit->addresses, number, unit->sizes.address, address);
	*address = number;
	return kind == FORM_ADDRESS;
}

static void
add_range(struct ranges *ranges, uint64_t start, uint64_t end)
{
	if (start != 0 && start < UINT64_MAX - 1 &&
	    (ranges->unit->sizes.address == 8 || start < UINT32_MAX - 1))
		spans_add(ranges->spans, start, end, ranges->number);
}

/* Adds the next range of a list of before version 5; false at the end. */
static bool
add_pair(struct ranges *ranges)
{
	size_t size = ranges->unit->sizes.address;
	uint64_t largest = size == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t start = bytes_uint(&ranges->bytes, size);
	uint64_t end = bytes_uint(&ranges->bytes, size);

	if (start == largest)
		ranges->base = end;
	else
		add_range(ranges, (ranges->base + start) & largest,
		    (ranges->base + end) & largest);
	return start != 0 || end != 0;
}

/* Reads one value of an entry; a length counts from the start. */
static uint64_t
read_value(struct ranges *ranges, char kind, uint64_t start)
{
	uint64_t number, address = 0;

	if (kind == 'a')
		return bytes_uint(&ranges->bytes, ranges->unit->sizes.address);
	number = bytes_uleb(&ranges->bytes);
	if (kind == 'i')	/* 0 if it is missing */
		find_address(ranges->unit, FORM_ADDRESS_INDEX, number,
		    &address);
	return kind == 'i' ? address :
	    number + (kind == 'o' ? ranges->base : start);
}

/* Adds the range of an entry of version 5; false at the end. */
static bool
add_entry(struct ranges *ranges)
{
	uint8_t kind = bytes_u8(&ranges->bytes);
	uint64_t start;

	if (kind == 0 || kind >= sizeof(range_kinds) / sizeof(*range_kinds))
		return false;
	start = read_value(ranges, range_kinds[kind].start, 0);
	if (range_kinds[kind].end == 0)
		ranges->base = start;
	else
		add_range(ranges, start,
		    read_value(ranges, range_kinds[kind].end, start));
	return !ranges->bytes.failed;
}

static void
add_list(struct ranges *ranges)
{
	const struct unit *unit = ranges->unit;
	bool is_new = unit->sizes.version >= 5;
	uint64_t offset = ranges->list.number + (is_new ? 0 : unit->ranges);

	ranges->bytes = unit->units->sections[is_new ? DWARF_RNGLISTS :
	    DWARF_RANGES];
	if (is_new && ranges->list.kind == FORM_LIST_INDEX) {
		if (!bytes_number(&ranges->bytes, unit->rnglists,
		    ranges->list.number, unit->sizes.offset, &offset))
			return;
		offset += unit->rnglists;	/* from which indexes count */
	}
	bytes_seek(&ranges->bytes, offset);
	while (is_new ? add_entry(ranges) : add_pair(ranges))
		if (!account_work(unit->units->account, 16, LOST))
			break;
}

/* Adds the addresses of an entry. */
static void
ranges_add(struct ranges *ranges)
{
	const struct unit *unit = ranges->unit;
	uint64_t low, high;

	ranges->base = unit->low_pc;
	if (ranges->list.kind != FORM_OTHER) {
		add_list(ranges);
		return;
	}
	if (!find_address(unit, ranges->low.kind, ranges->low.number, &low))
		return;
	if (ranges->high.kind == FORM_NUMBER)
		add_range(ranges, low, low + ranges->high.number);
	else if (find_address(unit, ranges->high.kind, ranges->high.number,
	    &high))
		add_range(ranges, low, high);
}

/*
 * Reads the attributes of a unit's first entry.  All are read before any is
 * used: some count from others that come later.
 */
static void
read_root(struct entry *root, uint32_t number)
{
	struct unit *unit = root->unit;
	const struct { uint16_t name; uint64_t *number; } numbers[] = {
		{ AT_STMT_LIST, &unit->lines_offset },
		{ AT_STR_OFFSETS_BASE, &unit->str_offsets },
		{ AT_ADDR_BASE, &unit->addresses },
		{ AT_GNU_ADDR_BASE, &unit->addresses },
		{ AT_RNGLISTS_BASE, &unit->rnglists },
		{ AT_GNU_RANGES_BASE, &unit->split_ranges },
		{ AT_GNU_DWO_ID, &unit->id },
	};
	struct form_value value, dwo = { 0 }, folder = { 0 };
	struct ranges ranges = { .unit = unit, .spans = &unit->units->spans,
	    .number = number };
	uint16_t name;
	size_t i;

	while (entry_next(root, &name, &value)) {
		ranges_note(&ranges, name, &value);
		for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
			if (numbers[i].name == name)
				*numbers[i].number = value.number;
		unit->has_id |= name == AT_GNU_DWO_ID;
		if (name == AT_DWO_NAME || name == AT_GNU_DWO_NAME)
			dwo = value;
		else if (name == AT_COMP_DIR)
			folder = value;
	}
	unit->dwo = units_text(unit, &dwo);
	unit->folder = units_text(unit, &folder);
	find_address(unit, ranges.low.kind, ranges.low.number, &unit->low_pc);
	ranges_add(&ranges);
}

void
inlines_open(struct units *units, struct units *alternate,
    struct account *account)
{
	struct entry root;
	struct unit *unit;
	uint32_t i;

	units_open(units, alternate, account);
	if (bytes_left(&units->sections[DWARF_CU_INDEX]) > 0)
		return;		/* its index knows what is asked for */
	units->spans = (struct spans){ .account = account, .lost = LOST };
	for (i = 0; i < units->count && i < SPANS_NONE; i++) {
		unit = &units->list[i];
		if (entry_begin(&root, unit, unit->bytes))
			read_root(&root, i);
		/* the first keeps an id, not the one that is asked for first */
		unit->has_id = unit->has_id && units_add_id(unit);
	}
	spans_sort(&units->spans);
}

void
inlines_close(struct units *units)
{
	struct inline_functions *functions;
	size_t i;

	for (i = 0; i < units->count; i++) {
		lines_free(units->list[i].lines);
		functions = units->list[i].functions;
		if (functions == NULL)
			continue;
		spans_free(&functions->spans);
		free(functions->list);
		free(functions);
	}
	for (i = 0; i < units->tables.count; i++)
		free(units->abbrevs[i].list);
	free(units->abbrevs);
	free(units->attributes);
	table_free(&units->tables);
	spans_free(&units->spans);
	intmap_free(&units->ids);
	free(units->list);
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
	struct ranges ranges = { .unit = entry->unit,
	    .spans = &functions->spans, .number = (uint32_t)functions->count };
	size_t before = functions->spans.count;
	struct form_value value;
	uint16_t name;

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
	*LIST_ADD(functions->list, functions->count, functions->room) =
	    function;
	ranges_add(&ranges);
	return function.inlined || functions->spans.count > before ?
	    ranges.number : LEFT_OUT;
}

/* Reads the next entry; false after the last one. */
static bool
read_entry(struct inline_functions *functions, struct unit *unit,
    struct bytes *bytes)
{
	uint32_t offset = (uint32_t)bytes_offset(bytes), outer = SPANS_NONE;
	struct entry entry;

	if (!entry_begin(&entry, unit, *bytes))
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
			if (!account_grow(unit->units->account,
			    functions->depth, functions->depth_room,
			    sizeof(outer), LOST))
				return false;
			*LIST_ADD(functions->outer, functions->depth,
			    functions->depth_room) = outer;
		}
	}
	*bytes = entry.bytes;
	return !bytes->failed && functions->depth > 0;
}

void
inlines_begin_in(struct unit *unit, uint64_t address,
    struct inlines_chain *chain)
{
	struct account *account = unit->units->account;
	struct inline_functions *functions = unit->functions;
	struct bytes bytes = unit->bytes;

	if (functions == NULL) {	/* the first question */
		functions = unit->functions = mem_array(1, sizeof(*functions));
		functions->spans = (struct spans){ .account = account,
		    .lost = LOST };
		if (bytes_left(&bytes) < UINT32_MAX &&
		    account_work(account, bytes_left(&bytes), LOST))
			while (read_entry(functions, unit, &bytes))
				continue;
		free(functions->outer);
		account_give_back(account, functions->depth_room *
		    sizeof(*functions->outer));
		spans_sort(&functions->spans);
	}
	chain->unit = unit;
	chain->next = spans_find(&functions->spans, address, &chain->range);
}

void
inlines_begin(struct units *units, uint64_t address,
    struct inlines_chain *chain)
{
	uint32_t number;

	*chain = (struct inlines_chain){ NULL, SPANS_NONE, { 0, UINT64_MAX } };
	number = spans_find(&units->spans, address, &chain->range);
	if (number != SPANS_NONE)
		inlines_begin_in(&units->list[number], address, chain);
}

/*
 * Reads an entry up to its mangled name; true if it has that, or if no more may
 * be read.  Else stores its name in the source, unless one is known, and a
 * reference.
 */
static bool
read_name(struct entry *entry, struct account *account, struct str *name,
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
			*name = units_text(entry->unit, &value);
		if (attribute == AT_ABSTRACT_ORIGIN ||
		    attribute == AT_SPECIFICATION)
			*further = value;
	}
	return !account_work(account, before -
	    bytes_left(&entry->bytes), LOST) || linked;
}

/* A function's names are in its entry, or in an entry that it refers to. */
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
		known = entry_begin_at(&entry, chain->unit, found->entry);
		for (i = 0; known && i < REFERENCES; i++) {
			further = (struct form_value){ 0 };
			if (read_name(&entry, chain->unit->units->account,
			    &found->name, &further))
				break;
			known = entry_refer(&entry, &further, &entry);
		}
	}
	found->named = true;
	chain->next = found->inlined ? found->outer : SPANS_NONE;
	return found;
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
		unit->ranges = skeleton->split_ranges;
	}
	return unit;
}
