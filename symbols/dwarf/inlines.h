/*
 * inlines: the functions at an address, by debug information: the innermost
 * one, the functions that it was inlined into, and the function that they are
 * all in.
 *
 *	inlines_begin(&units, 0x401136, &chain);
 *	while ((function = inlines_next(&chain)) != NULL)
 *		(function->name is "square", then "main")
 *
 * The entries of a unit are read at the first question about an address in it.
 */
#ifndef INLINES_H
#define INLINES_H

#include "units.h"

/* Opens units as units_open does, and reads their first entries. */
void inlines_open(struct units *units,
    const struct bytes sections[DWARF_SECTIONS], struct units *alternate,
    struct account *account);

/* Closes the units, and frees their functions and lines. */
void inlines_close(struct units *units);

/* The functions at an address that were not given yet. */
struct inlines_chain {
	struct units *units;
	struct unit *unit;		/* NULL: nothing is known there */
	uint32_t next;			/* SPANS_NONE: no more */
	struct span_range range;	/* where they are the same */
};

struct inline_function {
	struct str name;	/* in a section: mangled, else as written,
				   or "" */
	uint32_t call_file, call_line;	/* where: a file of its unit, or 0 */
	bool inlined;		/* into the next one */
	bool named;		/* name is set: once it is asked for */
	uint32_t entry;		/* its offset in the unit */
	uint32_t outer;		/* what it was inlined into, by its number */
};

/* Begins at an address, with the innermost function. */
void inlines_begin(struct units *units, uint64_t address,
    struct inlines_chain *chain);

/* The same in one unit, and in the part of a range that the chain has. */
void inlines_begin_in(struct units *units, struct unit *unit,
    uint64_t address, struct inlines_chain *chain);

/* Returns the next function of a chain, or NULL. */
const struct inline_function *inlines_next(struct inlines_chain *chain);

/*
 * Units may be split off (DWARF 5, 3.1.3), into a file for one source file or
 * into a package of many.  They leave a unit with the same id behind, the
 * skeleton.  It knows the addresses.
 *
 *	before the link:  work.o    skeleton, addresses	-> program
 *			  work.dwo  functions, names	-> itself or program.dwp
 */

/*
 * Reads the units in these sections.  .debug_cu_index has no bytes if the file
 * is no package; addresses, .debug_ranges and .debug_line_str are the program's
 * sections.
 */
void split_open(struct units *units,
    const struct bytes sections[DWARF_SECTIONS], struct account *account);

/* Returns the unit split off a skeleton, or NULL; copies the addresses. */
struct unit *split_find(struct units *units, const struct unit *skeleton);

#endif
