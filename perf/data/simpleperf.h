/*
 * simpleperf: functions that Android's perf stores in perf.data, since their
 * files stay on the device.  After its size (4), a file in the section FILE is:
 *
 *	path (text)  kind (4)  address (8)  number of symbols (4)
 *	symbols: address (8)  size (4)  name (text)
 *	more, by kind: where the file, or a module's memory, has the address (8)
 *
 * In FILE2 it is a message of Protocol Buffers with the same fields.  The names
 * are from simpleperf's record_file_format.h and dso.h.
 */
#ifndef SIMPLEPERF_H
#define SIMPLEPERF_H

#include "lib/mem.h"
#include "lib/table.h"
#include "symbols/elf/symtab.h"

/* Begins with an empty table, and all else zero. */
struct simpleperf_files {
	struct table paths;
	struct simpleperf_file *list;	/* by number of path */
	size_t room;
	struct arena arena;
};

/* What a frame is to Android's runtime. */
enum art_frame {
	ART_NONE,
	ART_RUNTIME,
	ART_TRAMPOLINE,		/* from the runtime to native code */
	ART_INTERPRETED,	/* a method */
	ART_COMPILED		/* one that was compiled at run time */
};

void simpleperf_free(struct simpleperf_files *files);

/* Adds the files of a section, FILE2 or FILE; false if some are damaged. */
bool simpleperf_add(struct simpleperf_files *files, struct str section,
    bool is_2);

/* Returns the functions of a path, or NULL if none are stored. */
const struct simpleperf_file *simpleperf_find(
    const struct simpleperf_files *files, struct str path);

/* Returns what the functions of a file are. */
enum art_frame simpleperf_art(const struct simpleperf_file *file,
    struct str path);

/* True if maps of a file begin at its address, wherever that is in the file. */
bool simpleperf_lacks_offset(const struct simpleperf_file *file);

/* Adds a file's functions by offset, or by address if they have no file. */
void simpleperf_add_functions(struct simpleperf_files *files,
    const struct simpleperf_file *file, bool are_addresses,
    struct symtab *symtab);

#endif
