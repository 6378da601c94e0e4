/*
 * split: units that were split off (DWARF 5, 3.1.3), in a file for one source
 * file or in a package of many.  They leave a unit with the same id behind, the
 * skeleton.  It knows the addresses.
 *
 *	before the link:  work.o    skeleton, addresses	-> program
 *			  work.dwo  functions, names	-> itself or program.dwp
 *
 * struct split is a function of the sections' bytes.  struct splitfiles opens
 * the files: the one that a skeleton names, or the package beside the program.
 * A file is opened when it is first needed, and once, however many skeletons
 * name it.
 */
#ifndef SPLIT_H
#define SPLIT_H

#include "inlines.h"
#include "symbols/elf/sources.h"

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

struct splitfiles;

/*
 * Begins for a program, by its path, and the path of the file with its debug
 * information; all must outlive it.
 */
struct splitfiles *splitfiles_new(const struct symbol_sources *sources,
    const char *program, const char *path, struct units *skeletons);

/* Frees it; files may be NULL. */
void splitfiles_free(struct splitfiles *files);

/*
 * Finds the unit that was split off a skeleton, and the units that it is among;
 * NULL if that is not there.
 */
struct unit *splitfiles_find(struct splitfiles *files, struct unit *skeleton,
    struct units **units);

/* Returns why a unit was not found, or what was wrong with a file, or NULL. */
const char *splitfiles_trouble(const struct splitfiles *files);

#endif
