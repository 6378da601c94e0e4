/*
 * split: units that were split off (DWARF 5, 3.1.3), in a file with those of
 * one source file or in a package of many.  What they leave behind is a unit
 * with the same id, its skeleton, which knows the addresses.
 *
 *	before the link:  work.o    skeleton, addresses	-> program
 *			  work.dwo  functions, names	-> itself or program.dwp
 *
 * A function of the sections' bytes; splitfiles.h opens the files.
 */
#ifndef SPLIT_H
#define SPLIT_H

#include "units.h"

/* The units of a file. */
struct split {
	struct units units;
	struct table ids;
	size_t *numbers;	/* of a unit in the list, by its id's number */
	size_t room;
};

/*
 * Reads the units in these sections; addresses, .debug_ranges and
 * .debug_line_str are the program's sections.  `index` is .debug_cu_index, or
 * no bytes if the file is no package.  All must outlive it.
 */
void split_open(struct split *split,
    const struct bytes sections[DWARF_SECTIONS], struct bytes index,
    struct account *account);

void split_close(struct split *split);

/*
 * Returns the unit that was split off a skeleton, or NULL.  The skeleton's
 * addresses are copied to it.
 */
struct unit *split_find(struct split *split, const struct unit *skeleton);

#endif
