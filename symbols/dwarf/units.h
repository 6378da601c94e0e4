/*
 * units: the functions at an address, by debug information (DWARF Debugging
 * Information Format, version 5): the innermost one, the functions that it was
 * inlined into, and the function that they are all in; and its source line.
 *
 *	inlines_begin(&units, 0x401136, &chain);
 *	while ((function = inlines_next(&chain)) != NULL)
 *		(function->name is "square", then "main")
 *
 * .debug_info has a unit for each source file that was compiled: a header, then
 * a tree of entries.  Headers and first entries are read at once, a unit's
 * other entries at the first question about an address in it.
 */
#ifndef UNITS_H
#define UNITS_H

#include "lib/bytes.h"
#include "lib/intmap.h"
#include "lib/table.h"
#include "symbols/elf/spans.h"

enum dwarf_section {
	DWARF_INFO,		/* units */
	DWARF_ABBREV,		/* tables of the entries' attributes */
	DWARF_STR, DWARF_LINE_STR, DWARF_STR_OFFSETS,	/* texts */
	DWARF_ADDR, DWARF_RANGES, DWARF_RNGLISTS,	/* addresses */
	DWARF_CU_INDEX,		/* what is where in a package */
	DWARF_LINE,		/* the source lines of addresses */
	DWARF_SECTIONS
};

enum {			/* tags, 7.5.3 */
	TAG_INLINED_SUBROUTINE = 0x1d, TAG_SUBPROGRAM = 0x2e
};

enum {			/* attributes, 7.5.4, and GCC's before them */
	AT_NAME = 0x03, AT_STMT_LIST = 0x10, AT_LOW_PC = 0x11,
	AT_HIGH_PC = 0x12, AT_COMP_DIR = 0x1b, AT_ABSTRACT_ORIGIN = 0x31,
	AT_SPECIFICATION = 0x47, AT_RANGES = 0x55, AT_CALL_FILE = 0x58,
	AT_CALL_LINE = 0x59, AT_LINKAGE_NAME = 0x6e,
	AT_STR_OFFSETS_BASE = 0x72, AT_ADDR_BASE = 0x73,
	AT_RNGLISTS_BASE = 0x74, AT_DWO_NAME = 0x76,
	AT_MIPS_LINKAGE_NAME = 0x2007, AT_GNU_DWO_NAME = 0x2130,
	AT_GNU_DWO_ID = 0x2131, AT_GNU_RANGES_BASE = 0x2132,
	AT_GNU_ADDR_BASE = 0x2133
};

/* The sizes of numbers in a unit. */
struct dwarf_sizes {
	uint16_t version;
	uint8_t address, offset;
};

enum form_kind {
	FORM_OTHER,		/* nothing that is needed here */
	FORM_NUMBER,		/* a number, or a flag */
	FORM_ADDRESS,
	FORM_ADDRESS_INDEX,	/* in .debug_addr */
	FORM_TEXT,		/* a text in place */
	FORM_STR,		/* one at an offset in .debug_str */
	FORM_LINE_STR,		/* in .debug_line_str */
	FORM_ALT_STR,		/* in .debug_str of the alternate file */
	FORM_STR_INDEX,		/* in .debug_str_offsets */
	FORM_UNIT_REF,		/* an entry, by its offset in the unit */
	FORM_INFO_REF,		/* in .debug_info */
	FORM_ALT_REF,		/* in .debug_info of the alternate file */
	FORM_OFFSET,		/* in a section that depends on the attribute */
	FORM_LIST_INDEX		/* in .debug_rnglists or .debug_loclists */
};

struct form_value {
	enum form_kind kind;
	uint64_t number;
	struct str text;	/* of a FORM_TEXT */
};

/* DW_FORM_implicit_const, whose value is in the abbreviation. */
#define FORM_IMPLICIT	0x21

/* Reads a value, or fails the reader where no such form is known. */
struct form_value form_read(struct bytes *bytes, uint64_t form,
    const struct dwarf_sizes *sizes);

/* Stores how many bytes all values of a form have; false if that varies. */
bool form_size(uint64_t form, const struct dwarf_sizes *sizes, size_t *size);

struct abbrev_attribute {
	uint16_t name, form;
	int64_t value;		/* of FORM_IMPLICIT */
};

struct abbrev {
	uint64_t code;
	size_t first, count;	/* of its attributes, among all tables' */
	size_t size;		/* of all values together, if they are fixed */
	uint16_t tag;
	bool has_children, is_fixed;
};

/* A table of these: read not at all, for one code, or all. */
struct abbrevs {
	struct abbrev *list;	/* in the order of codes */
	size_t count, room;
	unsigned reads;
};

struct unit {
	uint64_t offset;		/* in .debug_info */
	struct units *units;		/* that it is among */
	struct bytes bytes;		/* at its first entry; offsets count
					   from its header */
	struct dwarf_sizes sizes;
	uint64_t abbrev_offset;
	uint64_t id;			/* it shares it with its skeleton... */
	bool has_id;			/* ...if it has one */
	uint32_t table;			/* of abbreviations, or TABLE_NONE */
	/* From its first entry: */
	uint64_t low_pc;		/* ranges count from here */
	uint64_t str_offsets, addresses;	/* where its own are */
	uint64_t rnglists, ranges;
	uint64_t lines_offset;		/* in .debug_line, or UINT64_MAX */
	struct str dwo;			/* the file of its rest, or "" */
	struct str folder;		/* that this is relative to, or "" */
	uint64_t split_ranges;		/* where the rest's ranges begin */
	bool is_sought;			/* then this is the rest, or NULL: */
	struct unit *split;
	struct inline_functions *functions;	/* NULL: not needed yet */
	struct lines *lines;
};

struct units {
	struct bytes sections[DWARF_SECTIONS];
	struct units *alternate;	/* of dwz's common file, or NULL */
	struct unit *list;		/* in the order of their offsets */
	size_t count, room;
	struct spans spans;		/* of their addresses, by number */
	struct intmap ids;		/* their numbers, plus 1 */
	struct table tables;		/* of the units that were met */
	struct abbrevs *abbrevs;	/* of each */
	size_t abbrevs_room;
	struct abbrev_attribute *attributes;
	size_t attribute_count, attribute_room;
	struct account *account;
};

/* An entry, whose attributes after the next one are still to be read. */
struct entry {
	struct unit *unit;
	const struct abbrev *abbrev;	/* NULL: it ends a list of children */
	struct bytes bytes;
	size_t next;			/* attribute */
};

/*
 * Reads the headers of all units, and the index of a package, as far as the
 * account allows; it may be NULL.  `units` is { 0 } but for its sections, which
 * must outlive it.  inlines_open also reads the first entries.
 */
void units_open(struct units *units, struct units *alternate,
    struct account *account);
void inlines_open(struct units *units, struct units *alternate,
    struct account *account);

/* Frees the units, their functions and their lines. */
void inlines_close(struct units *units);

/* Notes the id of a unit; false if another unit has the same id. */
bool units_add_id(const struct unit *unit);

/*
 * Begin with the entry that a reader of the unit is at, or with a bounded part
 * of the one at an offset; false without one.
 */
bool entry_begin(struct entry *entry, struct unit *unit, struct bytes bytes);
bool entry_begin_at(struct entry *entry, struct unit *unit, uint64_t offset);

/* Reads the next attribute; false after the last one. */
bool entry_next(struct entry *entry, uint16_t *name, struct form_value *value);

/* Steps from an entry's start to its end; entry->bytes may have failed then. */
void entry_skip(struct entry *entry);

/* Begins with the entry that an entry's attribute refers to. */
bool entry_refer(struct entry *entry, const struct form_value *value,
    struct entry *other);

/* Returns the text that an attribute has, or "". */
struct str units_text(const struct unit *unit, const struct form_value *value);

/*
 * Stores the file, by its number, and the line at an address of a unit, and
 * leaves of a range the part where they are the same; false without any.  Lines
 * are read at the first question.
 */
bool lines_find(struct unit *unit, uint64_t address, uint32_t *file,
    uint32_t *line, struct span_range *range);

/* Returns the name of a file without its folder, or ""; unit may be NULL. */
struct str lines_file(const struct unit *unit, uint32_t file);

void lines_free(struct lines *lines);

/* The functions at an address that were not given yet. */
struct inlines_chain {
	struct unit *unit;		/* NULL: nothing is known there */
	uint32_t next;			/* SPANS_NONE: no more */
	struct span_range range;	/* where they are the same */
};

struct inline_function {
	struct str name;	/* mangled, else as in the source, or "" */
	uint32_t call_file, call_line;	/* where: a file of its unit, or 0 */
	bool inlined;		/* into the next one */
	bool named;		/* name is set: once it is asked for */
	uint32_t entry;		/* its offset in the unit */
	uint32_t outer;		/* what it was inlined into, by its number */
};

/*
 * Begin at an address, with the innermost function; inlines_begin_in in one
 * unit, and in the part of a range that the chain has.
 */
void inlines_begin(struct units *units, uint64_t address,
    struct inlines_chain *chain);
void inlines_begin_in(struct unit *unit, uint64_t address,
    struct inlines_chain *chain);

/* Returns the next function of a chain, or NULL. */
const struct inline_function *inlines_next(struct inlines_chain *chain);

/*
 * Units may be split off (DWARF 5, 3.1.3), into a file for one source file or
 * into a package of many.  They leave a unit with the same id behind, the
 * skeleton.  It knows the addresses.
 *
 *	before the link:  work.o    skeleton, addresses	-> program
 *			  work.dwo  functions, names	-> itself or program.dwp
 *
 * They need the program's .debug_addr, .debug_ranges and .debug_line_str.
 *
 * Returns the unit that was split off a skeleton, or NULL.  The skeleton's
 * addresses are copied to it.
 */
struct unit *split_find(struct units *units, const struct unit *skeleton);

#endif
