/*
 * ehindex: finds the entry of cfi that covers an address.
 *
 * .eh_frame_hdr begins with how its parts are encoded, and has a table, in
 * order, of where functions start and where their entries are, both relative
 * to the section's start:
 *
 *	version: 1  encodings (3): 1b 03 3b
 *	address of .eh_frame (4)  count (4)
 *	start of a function (4)  its FDE (4)
 *	...
 *
 * Where there is no such table, as for .debug_frame, it is made.  See the Linux
 * Standard Base, Core 5.0, chapter 10.6.2.
 */
#ifndef EHINDEX_H
#define EHINDEX_H

#include "cfi.h"

struct ehindex {
	const struct cfi_section *section;
	struct bytes table;		/* of .eh_frame_hdr */
	uint64_t table_base;		/* what its pointers are relative to */
	struct ehindex_place *list;	/* else this, in order */
	size_t count;
};

/* Takes the table of .eh_frame_hdr; false if it has none of that form. */
bool ehindex_take(struct ehindex *index, const struct cfi_section *section,
    struct bytes header, uint64_t header_address);

/* Makes a table of all entries of a section, to be freed. */
void ehindex_make(struct ehindex *index, const struct cfi_section *section);
void ehindex_free(struct ehindex *index);

/* Reads the entry that covers an address; false if there is none. */
bool ehindex_find(const struct ehindex *index, uint64_t address,
    struct cfi_entry *entry);

#endif
