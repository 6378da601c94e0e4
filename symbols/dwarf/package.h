/*
 * package: the index of a package, in which a linker has joined the files that
 * debug information was split off to (DWARF 5, 7.3.5); that is a program's name
 * and ".dwp".
 *
 *	struct package package = package_open(section);
 *
 *	while (package_next(&package, &row))
 *		(row.id is that of the unit at row.info)
 */
#ifndef PACKAGE_H
#define PACKAGE_H

#include "dwarf.h"

/* Each part of a unit begins here, in its section of the package. */
struct package_row {
	uint64_t id;
	uint64_t info, abbrev, str_offsets, rnglists;
};

struct package {
	struct bytes ids, numbers;	/* of the rows, still to be read */
	struct bytes columns;		/* what they are of */
	struct bytes rows;		/* of offsets */
	uint32_t column_count, row_count;
};

/* Reads the head of .debug_cu_index; what makes no sense has no rows. */
struct package package_open(struct bytes index);

/* Reads the next row; false behind the last one. */
bool package_next(struct package *package, struct package_row *row);

#endif
