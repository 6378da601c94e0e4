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

#include "lib/bytes.h"
#include "lib/mem.h"
#include "lib/table.h"
#include "symbols/elf/symtab.h"

/* What a frame is to Android's runtime. */
enum art_frame {
	ART_NONE,
	ART_RUNTIME,
	ART_TRAMPOLINE,		/* from the runtime to native code */
	ART_INTERPRETED,	/* a method */
	ART_COMPILED		/* one that was compiled at run time */
};

struct simpleperf_file {
	uint64_t kind, address;
	uint64_t offset;	/* of that address */
	bool lacks_offset;	/* unknown, and maps begin at the address */
	enum art_frame art;	/* of its functions */
	struct bytes functions;
	bool is_message;	/* these are fields of one */
};

/* Begins with an empty table, and all else zero. */
struct simpleperf_files {
	struct table paths;
	struct simpleperf_file *list;	/* by number of path */
	size_t room;
	struct arena arena;
};

void simpleperf_free(struct simpleperf_files *files);

/* Adds the files of a section, FILE2 or FILE; false if some are damaged. */
bool simpleperf_add(struct simpleperf_files *files, struct str section,
    bool is_2);

/* Returns the functions of a path, or NULL if none are stored. */
const struct simpleperf_file *simpleperf_find(
    const struct simpleperf_files *files, struct str path);

/* Adds a file's functions by offset, or by address if they have no file. */
void simpleperf_add_functions(struct simpleperf_files *files,
    const struct simpleperf_file *file, bool are_addresses,
    struct symtab *symtab);

#endif
