/*
 * units: the units of .debug_info, each with what a compiler knew of one source
 * file, and the entries in them.
 *
 * The headers are read at once, everything else when it is asked for.
 * inlines.h reads the first entries.
 */
#ifndef UNITS_H
#define UNITS_H

#include "forms.h"
#include "lib/table.h"
#include "symbols/elf/spans.h"

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
	struct inline_functions *functions;	/* of inlines.h... */
	struct lines *line_table;	/* ...and lines.c here */
};

struct units {
	struct bytes sections[DWARF_SECTIONS];
	struct units *alternate;	/* of dwz's common file, or NULL */
	struct unit *list;		/* in the order of their offsets */
	size_t count, room;
	struct table tables;		/* of the units that were met */
	struct abbrevs **abbrevs;	/* of each; NULL: not read yet */
	size_t abbrevs_room;
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

void units_close(struct units *units);

/* Begins with the entry that a reader of the unit is at; false without one. */
bool entry_begin(struct entry *entry, struct units *units, struct unit *unit,
    struct bytes bytes);

/* Does so at an offset of the unit, and reads a bounded part of the entry. */
bool entry_begin_at(struct entry *entry, struct units *units, struct unit *unit,
    uint64_t offset);

/*
 * Begins with the first entry of a unit.  `own` may hold its abbreviation
 * alone; free it with abbrevs_free after reading the entry.
 */
bool entry_begin_root(struct entry *entry, struct units *units,
    struct unit *unit, struct abbrevs *own);

void abbrevs_free(struct abbrevs *abbrevs);

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

/* Frees the lines of all units. */
void lines_close(struct units *units);

#endif
