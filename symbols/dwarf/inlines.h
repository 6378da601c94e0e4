/*
 * inlines: the functions at an address, by debug information: the innermost
 * one, the functions that it was inlined into, and the function that they are
 * all in.
 *
 *	inlines_begin(&inlines, 0x401136, &chain);
 *	while ((function = inlines_next(&chain)) != NULL)
 *		(function->name is "square", then "main")
 *
 * The entries of a unit are read at the first question about an address in it.
 */
#ifndef INLINES_H
#define INLINES_H

#include "symbols/elf/spans.h"
#include "units.h"

struct inlines {
	struct units units;
	struct spans spans;		/* of all units' addresses */
};

/* Reads what these sections tell of units, as units_open does. */
void inlines_open(struct inlines *inlines,
    const struct bytes sections[DWARF_SECTIONS], struct units *alternate,
    struct account *account);

void inlines_close(struct inlines *inlines);

/* Frees what was read of the functions of units. */
void inlines_forget(struct units *units);

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
void inlines_begin(struct inlines *inlines, uint64_t address,
    struct inlines_chain *chain);

/*
 * The same in a unit alone, of units that were opened without these spans, and
 * a range that the chain has.
 */
void inlines_begin_in(struct units *units, struct unit *unit,
    uint64_t address, struct inlines_chain *chain);

/* Returns the next function of a chain, or NULL. */
const struct inline_function *inlines_next(struct inlines_chain *chain);

#endif
