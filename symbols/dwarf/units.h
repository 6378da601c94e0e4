/*
 * units: the units of .debug_info, each with what a compiler knew of one source
 * file, the entries in them, and the forms in which their values are written
 * (DWARF Debugging Information Format, version 5, chapter 7).
 *
 *	.debug_info	units: a header, then a tree of entries,
 *	.debug_abbrev	whose attributes these tables describe,
 *	.debug_str	.debug_line_str .debug_str_offsets: their texts,
 *	.debug_addr	.debug_ranges .debug_rnglists: their addresses
 *	.debug_line	the source lines of addresses
 *	.debug_cu_index	what is where in a package of files that were split off;
 *			their other sections have names that end in ".dwo"
 *
 * The headers are read at once, everything else when it is asked for.
 * inlines.h reads the first entries.
 */
#ifndef UNITS_H
#define UNITS_H

#include "lib/bytes.h"
#include "lib/intmap.h"
#include "lib/table.h"
#include "symbols/elf/spans.h"

enum dwarf_section {
	DWARF_INFO, DWARF_ABBREV, DWARF_STR, DWARF_LINE_STR,
	DWARF_STR_OFFSETS, DWARF_ADDR, DWARF_RANGES, DWARF_RNGLISTS,
	DWARF_CU_INDEX, DWARF_LINE, DWARF_SECTIONS
};

enum {			/* tags, 7.5.3 */
	TAG_COMPILE_UNIT = 0x11, TAG_INLINED_SUBROUTINE = 0x1d,
	TAG_SUBPROGRAM = 0x2e
};

enum {			/* attributes, 7.5.4, and GCC's before them */
	AT_SIBLING = 0x01, AT_NAME = 0x03, AT_STMT_LIST = 0x10,
	AT_LOW_PC = 0x11, AT_HIGH_PC = 0x12, AT_COMP_DIR = 0x1b,
	AT_ABSTRACT_ORIGIN = 0x31,
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

/* Steps over a value. */
void form_skip(struct bytes *bytes, uint64_t form,
    const struct dwarf_sizes *sizes);

/* Stores how many bytes all values of a form have; false if that varies. */
bool form_size(uint64_t form, const struct dwarf_sizes *sizes, size_t *size);

#define UNITS_NO_OFFSET	UINT64_MAX

struct abbrev_attribute {
	uint16_t name, form;
	int64_t value;		/* of FORM_IMPLICIT */
};

struct abbrev {
	uint64_t code;
	size_t first, count;	/* of its attributes */
	size_t size;		/* of all values together, if they are fixed */
	uint16_t tag;
	bool has_children, is_fixed;
};

struct abbrevs {
	struct abbrev *list;	/* in the order of codes */
	size_t count, room;
	struct abbrev_attribute *attributes;
	size_t attribute_count, attribute_room;
	struct account *account;
};

/* Where the rest of a unit is, if it was split off. */
struct skeleton {
	struct str dwo;			/* the file, or "" */
	struct str folder;		/* that this is relative to, or "" */
	uint64_t ranges;		/* where the rest's ranges begin */
	bool is_sought;			/* then this is the rest, or NULL: */
	struct unit *unit;
	struct units *units;		/* that it is among */
};

struct unit {
	uint64_t offset;		/* in .debug_info */
	struct bytes bytes;		/* from its header on, where offsets
					   of entries count from */
	size_t first;			/* the offset of its first entry */
	struct dwarf_sizes sizes;
	uint64_t abbrev_offset;
	uint64_t id;			/* it shares it with its skeleton... */
	bool has_id;			/* ...if it has one */
	const struct abbrevs *abbrevs;	/* NULL: not needed yet */
	/* From its first entry: */
	uint64_t low_pc;		/* ranges count from here */
	uint64_t str_offsets, addresses;	/* where its own are */
	uint64_t rnglists, ranges;
	uint64_t lines;			/* in .debug_line, or UNITS_NO_OFFSET */
	struct skeleton skeleton;	/* if the rest was split off */
	struct inline_functions *functions;	/* NULL: not needed yet */
	struct lines *line_table;
};

struct units {
	struct bytes sections[DWARF_SECTIONS];
	struct units *alternate;	/* of dwz's common file, or NULL */
	struct unit *list;		/* in the order of their offsets */
	size_t count, room;
	struct spans spans;		/* of their addresses, by number */
	struct intmap ids;		/* their numbers, plus 1 */
	struct table tables;		/* of the units that were met */
	struct abbrevs **abbrevs;	/* of each; NULL: not read yet */
	size_t abbrevs_room;
	struct abbrevs root;		/* the one of a first entry alone */
	struct account *account;
};

/* An entry, whose attributes after the next one are still to be read. */
struct entry {
	struct units *units;
	struct unit *unit;
	const struct abbrev *abbrev;	/* NULL: it ends a list of children */
	const struct abbrevs *abbrevs;
	struct bytes bytes;
	size_t next;			/* attribute */
};

/*
 * Reads the headers of all units in these sections, as far as the account
 * allows; it may be NULL.  The sections must outlive `units`.
 */
void units_open(struct units *units,
    const struct bytes sections[DWARF_SECTIONS], struct units *alternate,
    struct account *account);

/* Frees the units; inlines_close also frees their functions and lines. */
void units_close(struct units *units);

/* Notes the id of a unit; false if another unit has the same id. */
bool units_add_id(struct units *units, uint64_t id, const struct unit *unit);

/* Begins with the entry that a reader of the unit is at; false without one. */
bool entry_begin(struct entry *entry, struct units *units, struct unit *unit,
    struct bytes bytes);

/* Does so at an offset of the unit, and reads a bounded part of the entry. */
bool entry_begin_at(struct entry *entry, struct units *units, struct unit *unit,
    uint64_t offset);

/* Begins with the first entry of a unit. */
bool entry_begin_root(struct entry *entry, struct units *units,
    struct unit *unit);

/* Reads the next attribute; false after the last one. */
bool entry_next(struct entry *entry, uint16_t *name, struct form_value *value);

/*
 * Steps over the attributes that are left; entry->bytes is then after it, and
 * has failed if they are not all there.
 */
void entry_skip(struct entry *entry);

/* Returns the unit that an offset in .debug_info is in, or NULL. */
struct unit *units_at(struct units *units, uint64_t offset);

/* Begins with the entry that an entry's attribute refers to. */
bool entry_refer(struct entry *entry, const struct form_value *value,
    struct entry *other);

/* Returns the text that an attribute has, or "". */
struct str units_text(struct units *units, const struct unit *unit,
    const struct form_value *value);

/*
 * Returns the source lines of a unit, from .debug_line, or NULL if it has none.
 * Reads them at the first question; they live as long as the units.
 */
const struct lines *lines_of(struct units *units, struct unit *unit);

/*
 * Stores the file, by its number, and the line at an address, and leaves of a
 * range the part where they are the same.
 */
bool lines_find(const struct lines *lines, uint64_t address, uint32_t *file,
    uint32_t *line, struct span_range *range);

/* Returns the name of a file, without its folder, or ""; lines may be NULL. */
struct str lines_file(const struct lines *lines, uint32_t file);

/* Frees the lines of a unit, or NULL. */
void lines_free(struct lines *lines);

#endif
