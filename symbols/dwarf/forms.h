/*
 * forms: names of numbers in debug information (DWARF Debugging Information
 * Format, version 5, chapter 7), the sections that it is in, and the forms in
 * which its values are written (7.5.5 and 7.5.6).
 *
 *	.debug_info	units: a header, then a tree of entries,
 *	.debug_abbrev	whose attributes these tables describe,
 *	.debug_str	.debug_line_str .debug_str_offsets: their texts,
 *	.debug_addr	.debug_ranges .debug_rnglists: their addresses
 *	.debug_aranges	the addresses of units
 *	.debug_line	the source lines of addresses
 *
 * Sections whose names end in ".dwo" are in a file that was split off;
 * .debug_cu_index lists what is where in a package of these.
 */
#ifndef FORMS_H
#define FORMS_H

#include "lib/bytes.h"

enum dwarf_section {
	DWARF_INFO, DWARF_ABBREV, DWARF_STR, DWARF_LINE_STR,
	DWARF_STR_OFFSETS, DWARF_ADDR, DWARF_RANGES, DWARF_RNGLISTS,
	DWARF_ARANGES, DWARF_LINE, DWARF_SECTIONS
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

#endif
