/*
 * dwarf: names of numbers in debug information (DWARF Debugging Information
 * Format, version 5, chapter 7), and the sections that it is in.
 *
 *	.debug_info	units: a header, then a tree of entries,
 *	.debug_abbrev	whose attributes these tables tell,
 *	.debug_str	.debug_line_str .debug_str_offsets: their texts,
 *	.debug_addr	.debug_ranges .debug_rnglists: their addresses
 *	.debug_aranges	the addresses of units
 *	.debug_line	the source lines of addresses
 *
 * Those that end in ".dwo" are in a file that was split off; .debug_cu_index
 * tells what is where in a package of these.
 */
#ifndef DWARF_H
#define DWARF_H

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

enum {			/* attributes, 7.5.4, and those of GCC before them */
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

#endif
