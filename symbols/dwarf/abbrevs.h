/*
 * abbrevs: tables in .debug_abbrev, which tell the tag of an entry and the
 * attributes that it has (DWARF 5, 7.5.3):
 *
 *	code tag children  name form  name form  0 0
 *	code tag children  name form  name 21 value  0 0
 *	0
 *
 * All are numbers in LEB128, but for `children`, a byte.
 */
#ifndef ABBREVS_H
#define ABBREVS_H

#include "dwarf.h"

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
};

/*
 * Reads a table from its start, for units with numbers of these sizes; returns
 * how many bytes that took, which are `most` or fewer.
 */
size_t abbrevs_read(struct abbrevs *abbrevs, struct bytes table,
    const struct dwarf_sizes *sizes, uint64_t most);

/* Does the same, but keeps the abbreviation of one code, and ends there. */
size_t abbrevs_read_one(struct abbrevs *abbrevs, struct bytes table,
    const struct dwarf_sizes *sizes, uint64_t most, uint64_t code);

/* Finds the abbreviation with a code, or returns NULL. */
const struct abbrev *abbrevs_find(const struct abbrevs *abbrevs,
    uint64_t code);

void abbrevs_free(struct abbrevs *abbrevs);

#endif
