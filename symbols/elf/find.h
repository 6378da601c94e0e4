/*
 * find: the files that hold the symbols of what processes have mapped, looked
 * for in the places and in the order of perf 6.1.
 */
#ifndef FIND_H
#define FIND_H

#include "elf.h"
#include "lib/text.h"
#include "sections.h"
#include "sources.h"

/* What is looked for: the symbols, the runtime file, or both. */
enum find_what {
	/*
	 * Both of a program or library.  The first file with .symtab has the
	 * symbols, the first one with .dynsym is the runtime file.  If no file
	 * has .symtab, .gnu_debugdata of the runtime file may.  If the file at
	 * the path has another build id, the containers of its processes are
	 * searched, too.
	 */
	FIND_PROGRAM,
	/* Its debug information: the first file there with .debug_info. */
	FIND_DEBUG,
	/* The file itself, even without any symbols. */
	FIND_IMAGE,
	/*
	 * The [vdso], or [vdso32] of 32-bit processes: from perf's collection,
	 * the running kernel's in this process, or the file among the kernel's
	 * modules.
	 */
	FIND_VDSO,
	/* A kernel with .symtab: from perf's collection, or a vmlinux. */
	FIND_KERNEL,
	/* The same with debug information. */
	FIND_KERNEL_DEBUG,
	/* A module of the kernel with .symtab, perhaps compressed. */
	FIND_MODULE
};

/* Two parts of one program, perhaps in the same file. */
struct found {
	struct elf symbols;
	struct elf runtime;	/* as processes mapped it */
	struct section unpacked;	/* that symbols are of, if a module or
				   .gnu_debugdata of runtime is packed; or
				   why that was not read */
	char *path;		/* of a file with debug information */
};

/* Finds a file; any other value than DSO_FINE says why it is missing. */
enum dso_trouble find_file(const struct symbol_sources *sources,
    enum find_what what, const struct binary *binary, struct found *found);

/*
 * Looks for FIND_PROGRAM and, if `debug` is set, for FIND_DEBUG and the
 * FIND_IMAGE that it needs, only to note what has to be fetched (fetch.h).
 */
void find_missing(const struct symbol_sources *sources,
    const struct binary *binary, bool debug);

/*
 * Reads /tmp/perf-PID.map.  If that process runs in a container, it is the file
 * there, by the number that the process has there.  DSO_OTHER_USER: another
 * user wrote it than root, us, or the one whose process it is.
 */
enum dso_trouble find_perf_map(const struct symbol_sources *sources,
    const char *path, struct text *text);

/*
 * Finds the names of a kernel with that build id, or, if it is { 0 }, of the
 * running one.  They are mapped, to be removed by mapping_remove, or read into
 * the text.
 */
enum dso_trouble find_kallsyms(const struct symbol_sources *sources,
    struct build_id id, struct str *names, struct text *text);

/*
 * Maps the copy of a kernel's names that perf made when it first recorded on
 * this machine.  False if it is missing, or another source of names is set.
 */
bool find_kept_kallsyms(const struct symbol_sources *sources,
    struct build_id id, struct str *names);

/* Closes and unmaps what was found; nothing if found is { 0 } or closed. */
void find_close(struct found *found);

#endif
