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
#include "ranges.h"

#define LOST	"inlined functions"

/* An entry may refer to one that refers to another, but not without end. */
#define REFERENCES	16

/*
 * In place of a function's number: a linker left it out, so what was inlined
 * into it has no code, whatever addresses the linker let that have.
 */
#define LEFT_OUT	(SPANS_NONE - 1)

struct inline_function {
	uint32_t entry;		/* its offset in the unit */
	uint32_t outer;		/* what it was inlined into, by its number */
	uint32_t call_file, call_line;
	bool inlined, named;
	struct str name;	/* once it is named */
};

struct inline_functions {
	struct spans spans;
	struct inline_function *list;
	size_t count, room;
	uint32_t *outer;	/* while reading: the function that the
				   children of each open entry are in */
	size_t depth, depth_room;
};

/*
 * Reads the attributes of a unit's first entry.  All are read before any is
 * used: some count from others that come later.
 */
static void
read_root(struct entry *root, struct spans *spans, uint32_t number)
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
	ranges_low(&ranges, units, unit, &unit->low_pc);
	ranges_add(&ranges, units, unit, spans, number);
}

/*
 * Reads the first entries of all units, and adds their addresses, by number.
 * Of several units with one id, as in a damaged file, the first keeps it: what
 * was split off must not belong to the one that is asked for first.
 */
static void
read_roots(struct units *units, struct spans *spans)
{
	struct table ids;
	struct abbrevs own;
	struct entry root;
	struct unit *unit;
	uint32_t i, before;

	table_init(&ids);
	for (i = 0; i < units->count && i < SPANS_NONE; i++) {
		unit = &units->list[i];
		if (entry_begin_root(&root, units, unit, &own))
			read_root(&root, spans, i);
		abbrevs_free(&own);
		before = ids.count;
		unit->has_id = unit->has_id && table_add(&ids, (struct str){
		    (const char *)&unit->id, sizeof(unit->id) }) == before;
	}
	table_free(&ids);
}

void
inlines_open(struct inlines *inlines,
    const struct bytes sections[DWARF_SECTIONS], struct units *alternate,
    struct account *account)
{
	*inlines = (struct inlines){ .spans.account = account,
	    .spans.lost = LOST };
	units_open(&inlines->units, sections, alternate, account);
	read_roots(&inlines->units, &inlines->spans);
	spans_sort(&inlines->spans);
}

void
inlines_forget(struct units *units)
{
	struct inline_functions *functions;
	size_t i;

	for (i = 0; i < units->count; i++) {
		functions = units->list[i].functions;
		if (functions == NULL)
			continue;
		spans_free(&functions->spans);
		free(functions->list);
		free(functions);
		units->list[i].functions = NULL;
	}
}

void
inlines_close(struct inlines *inlines)
{
	inlines_forget(&inlines->units);
	spans_free(&inlines->spans);
	units_close(&inlines->units);
}

static uint32_t
add_function(struct inline_functions *functions,
    struct inline_function function)
{
	if (functions->count == LEFT_OUT ||
	    !account_grow(functions->spans.account, functions->count,
	    functions->room, sizeof(*functions->list), LOST))
		return SPANS_NONE;
	functions->list = mem_grow(functions->list, &functions->room,
	    functions->count + 1, sizeof(*functions->list));
	functions->list[functions->count] = function;
	return (uint32_t)functions->count++;
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
	if (!ranges_are_told(&ranges) &&
	    !(function.inlined && outer != SPANS_NONE))
		return SPANS_NONE;
	number = add_function(functions, function);
	if (number != SPANS_NONE)
		ranges_add(&ranges, entry->units, entry->unit,
		    &functions->spans, number);
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
			functions->outer = mem_grow(functions->outer,
			    &functions->depth_room, functions->depth + 1,
			    sizeof(*functions->outer));
			functions->outer[functions->depth++] = outer;
		}
	}
	*bytes = entry.bytes;
	return !bytes->failed && functions->depth > 0;
}

/* Returns the functions of a unit; reads them at the first question. */
static struct inline_functions *
find_functions(struct units *units, struct unit *unit)
{
	struct inline_functions *functions = unit->functions;
	struct bytes bytes = unit->bytes;

	if (functions != NULL)
		return functions;
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
	return functions;
}

void
inlines_begin_in(struct units *units, struct unit *unit, uint64_t address,
    struct inlines_chain *chain)
{
	chain->units = units;
	chain->unit = unit;
	chain->next = spans_find(&find_functions(units, unit)->spans, address,
	    &chain->range);
}

void
inlines_begin(struct inlines *inlines, uint64_t address,
    struct inlines_chain *chain)
{
	struct units *units = &inlines->units;
	uint32_t number;

	*chain = (struct inlines_chain){ units, NULL, SPANS_NONE,
	    { 0, UINT64_MAX } };
	number = spans_find(&inlines->spans, address, &chain->range);
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
 * Returns a function's mangled name, or else its name in the source, from its
 * entry or from an entry that it refers to.
 */
static struct str
find_name(struct units *units, struct unit *unit, uint32_t offset)
{
	struct form_value further;
	struct str name = STR("");
	struct entry entry;
	bool known;
	int i;

	known = entry_begin_at(&entry, units, unit, offset);
	for (i = 0; known && i < REFERENCES; i++) {
		further = (struct form_value){ 0 };
		if (read_name(&entry, units, &name, &further))
			break;
		known = entry_refer(&entry, &further, &entry);
	}
	return name;
}

bool
inlines_next(struct inlines_chain *chain, struct inlines_function *function)
{
	struct inline_function *found;

	if (chain->next == SPANS_NONE)
		return false;
	found = &chain->unit->functions->list[chain->next];
	if (!found->named)
		found->name = find_name(chain->units, chain->unit,
		    found->entry);
	found->named = true;
	*function = (struct inlines_function){
		found->name, found->inlined, found->call_file, found->call_line
	};
	chain->next = found->inlined ? found->outer : SPANS_NONE;
	return true;
}
