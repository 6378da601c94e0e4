/*
 * splitfiles: opens the files that debug information was split off to: the one
 * that a skeleton names, or the package beside the program.
 *
 * A file is opened when it is first needed, and once, however many skeletons
 * name it.
 */
#ifndef SPLITFILES_H
#define SPLITFILES_H

#include "inlines.h"
#include "symbols/elf/sources.h"

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
