/*
 * find: the files that hold the symbols of what processes have mapped, looked
 * for in the places and in the order of perf 6.1.  Where a function returns
 * DSO_FINE, find_close closes what it found.
 */
#ifndef FIND_H
#define FIND_H

#include "elf.h"
#include "lib/text.h"
#include "sections.h"
#include "sources.h"

/* Two parts of one program, which may be the same file. */
struct found {
	struct elf symbols;
	struct elf runtime;	/* as processes mapped it */
	struct section inner;	/* that symbols are of, if .gnu_debugdata of
				   runtime has them; or why they are not */
	char *path;		/* of a file with debug information */
};

/*
 * Finds a program or library with that path and build id, if it is not { 0 }.
 * If the file at its path is another, those of containers are looked at, in
 * which some of the processes are.
 * The first file with .symtab has the symbols, the first one with .dynsym is
 * the runtime file.  If no file has .symtab, .gnu_debugdata of that one may.
 */
enum dso_trouble find_program(const struct symbol_sources *sources,
    const char *path, struct build_id id,
    const struct processes *processes, struct found *found);

/*
 * Finds the file with the debug information of a program or library, and its
 * path: the first with .debug_info, in the same places.
 */
enum dso_trouble find_debug(const struct symbol_sources *sources,
    const char *path, struct build_id id,
    const struct processes *processes, struct found *found);

/*
 * Looks for the files of find_program, and of find_debug if that is wanted, so
 * that what is missing is asked for (fetch.h).
 */
void find_missing(const struct symbol_sources *sources, const char *path,
    struct build_id id, const struct processes *processes, bool debug);

/*
 * Finds the [vdso], or the [vdso32] of processes of 32 bits, with that build
 * id: one that perf has kept, that of the running kernel, which is mapped into
 * this process, too, or that among the kernel's modules.
 */
enum dso_trouble find_vdso(const struct symbol_sources *sources,
    const char *name, struct build_id id, struct found *found);

/*
 * Finds the file that processes have mapped, with that path and build id, which
 * may have no symbols at all.
 */
enum dso_trouble find_image(const struct symbol_sources *sources,
    const char *path, struct build_id id,
    const struct processes *processes, struct found *found);

/*
 * Reads /tmp/perf-PID.map.  If that process runs in a container, it is the file
 * there, by the number that the process has there.  DSO_OTHER_USER: another
 * user wrote it than root, us, or the one whose process it is.
 */
enum dso_trouble find_perf_map(const struct symbol_sources *sources,
    const char *path, struct text *text);

/*
 * Finds the file of a kernel with that build id, with .symtab: one that perf
 * has kept, or a vmlinux.
 */
enum dso_trouble find_vmlinux(const struct symbol_sources *sources,
    struct build_id id, struct found *found);

/* The same with debug information, and its path. */
enum dso_trouble find_kernel_debug(const struct symbol_sources *sources,
    struct build_id id, struct found *found);

/*
 * Finds the file of a module of the kernel, with .symtab.  One that is
 * compressed is unpacked, which must outlive found.
 */
enum dso_trouble find_module(const struct symbol_sources *sources,
    const char *path, struct build_id id, struct found *found,
    struct section *unpacked);

/*
 * Finds the names of a kernel with that build id, or, if it is { 0 }, of the
 * running one.  They are mapped, to be removed by mapping_remove, or read into
 * the text.
 */
enum dso_trouble find_kallsyms(const struct symbol_sources *sources,
    struct build_id id, struct str *names, struct text *text);

/*
 * Finds the copy of a kernel's names that perf keeps, as they were when it was
 * first recorded on this machine; it is mapped.  False if there is none, or
 * names are not to be taken from there.
 */
bool find_kept_kallsyms(const struct symbol_sources *sources,
    struct build_id id, struct str *names);

/* Closes and unmaps what was found; nothing if found is { 0 } or closed. */
void find_close(struct found *found);

#endif
