/*
 * find: the files that hold the symbols of what processes mapped.  This alone
 * opens files, of which only regular ones, and maps them.
 */
#ifndef FIND_H
#define FIND_H

#include "dso.h"
#include "elf.h"

/* Two parts of one program, which may be the same file. */
struct found {
	struct elf symbols;
	struct elf runtime;	/* as processes mapped it */
};

/*
 * Finds the files of a program or library with that path and build id.  The
 * first one with .symtab has the symbols, the first one with .dynsym is the
 * runtime file.  They stay mapped.
 */
enum dso_trouble find_program(const struct symbol_sources *sources,
    struct str path, struct build_id id, struct found *found);

/* Finds the kernel's [vdso], which is that of the running machine. */
enum dso_trouble find_vdso(const struct symbol_sources *sources,
    struct build_id id, struct found *found);

/*
 * Reads a file that may say that it is empty, as those of /proc do.  The text
 * ends with a NUL more.
 */
bool find_text(const char *path, struct text *text);

#endif
