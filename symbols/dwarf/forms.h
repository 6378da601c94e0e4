/*
 * forms: reads the value of an attribute; its form says how it is encoded
 * (DWARF 5, 7.5.5 and 7.5.6).
 */
#ifndef FORMS_H
#define FORMS_H

#include "dwarf.h"

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
