/*
 * modules: the things that maps are of: files, the kernel and its parts, code
 * that was compiled at run time, plain memory.
 */
#ifndef MODULES_H
#define MODULES_H

#include "maps.h"
#include "record.h"
#include "simpleperf.h"
#include "symbols/dso.h"

/* What is counted by module, to report the worst. */
enum module_count {
	MODULE_UNKNOWN,		/* addresses of samples without a function */
	MODULE_UNTABLED,	/* stacks that end in it without unwinding */
	MODULE_COUNTS
};

/* All but its counts never changes once it is made. */
struct module {
	uint32_t number;	/* 0, 1, 2, ... */
	struct str name;	/* as perf prints it */
	struct str map;		/* the perf-PID.map with its functions, for
				   memory that has another name; or empty */
	struct dso *dso;	/* NULL: it has no functions, but this: */
	struct str symbol;	/* of a BPF program, or empty */
	bool absolute;		/* functions are found by run-time addresses,
				   not by those in the file */
	bool in_kernel;		/* the addresses are the kernel's */
	enum art_frame art;	/* of its functions */
	unsigned long long counts[MODULE_COUNTS];
};

/* Begins as { 0 }, except what is to be set. */
struct modules {
	struct symbols *symbols;	/* to be set, before any is found */
	struct table keys;	/* by which modules are known */
	struct module **list;	/* by the number of its key */
	size_t room;
	struct table names;	/* files whose build ids came with the header */
	struct build_id *ids;	/* theirs */
	struct table paths;	/* names of these that are the kernel's */
	size_t ids_room;
	struct module *kernel;	/* NULL: not met yet */
	struct simpleperf_files simpleperf;
	struct text key;		/* of the last module looked for... */
	struct text shown;		/* ...and its name, or its perf map */
	struct arena arena;
};

void modules_free(struct modules *modules);

/* Notes the build ID of files that have this name and no recorded one. */
void modules_note_id(struct modules *modules, struct str name, struct str id,
    bool in_kernel);

/* Returns the file at an address, and stores the place in it; NULL: none. */
struct dso *modules_file(const struct maps *maps, uint64_t address,
    uint64_t *offset);

/* Makes a process's map from its MMAP record. */
struct map modules_map(struct modules *modules,
    const struct record_fields *map);

/* Returns the module of the functions in a jit-PID.dump. */
struct module *modules_dump(struct modules *modules, struct str path,
    int32_t pid);

/* Makes a map of the kernel or of a module of it; false for neither. */
bool modules_kernel_map(struct modules *modules,
    const struct record_fields *map, struct map *made);

/* Returns the module of a function that the kernel got while it ran. */
struct module *modules_ksymbol(struct modules *modules, struct str name);

#endif
