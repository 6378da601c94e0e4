/*
 * dso: finds the function at an address in a file that processes have mapped,
 * or in the kernel, as perf 6.1 names it.
 *
 *	struct symbols *symbols = symbols_open(&(struct symbol_sources){
 *	    .symfs = "", .home = getenv("HOME") });
 *	struct dso *libc = dso_open(symbols, DSO_FILE,
 *	    STR("/usr/lib/libc.so.6"), &build_id, 0);
 *
 *	if (dso_function(libc, ip - map_start + map_offset, &function))
 *		(function.name is "malloc")
 *
 * A file is looked for and read at the first question about it; a name is
 * demangled at the first question for it.
 */
#ifndef DSO_H
#define DSO_H

#include "symbols/dwarf/debug.h"
#include "symbols/elf/buildid.h"
#include "symbols/elf/fetch.h"
#include "symbols/elf/sources.h"

struct frametables;
struct jitdump;
struct symbols;

/* Returns a copy of the sources, and what the files of a recording share. */
struct symbols *symbols_open(const struct symbol_sources *sources);

/* Frees them and all their dsos; symbols may be NULL. */
void symbols_close(struct symbols *symbols);

enum dso_kind {
	DSO_FILE,	/* an ELF file: addresses are offsets in it */
	DSO_VDSO,	/* the kernel's [vdso] in processes: offsets, too */
	DSO_PERF_MAP,	/* /tmp/perf-PID.map: addresses as they were executed */
	DSO_JITDUMP,	/* jit-PID.dump: places, as jitdump.h tells */
	DSO_KERNEL,	/* addresses as they were executed */
	DSO_MODULE,	/* a module of the kernel: the same */
	DSO_ELF		/* as DSO_FILE, whatever its name is */
};

struct dso;

/*
 * Returns the functions of the file `name`, whose build id was `id`, which may
 * be { 0 } or NULL if none was recorded.
 *
 * The name is a path, "[vdso]", that of a module without a path, "[ext4]", or a
 * kernel's.  These have a name as "[kernel.kallsyms]_text", and `address` is
 * where that symbol was, or 0; for a module it is where it was loaded, else 0.
 *
 * A recording opens its kernel before the first question about one of its
 * modules, and no more than one kernel.
 */
struct dso *dso_open(struct symbols *symbols, enum dso_kind kind,
    struct str name, const struct build_id *id, uint64_t address);

/* Notes that a process has mapped a file. */
void dso_note_process(struct dso *dso, int32_t pid);

/*
 * Notes that a file will be asked about, and fetches from servers what those
 * that were noted lack, several at a time; with debug information, if that is
 * needed.
 */
void dso_want(struct dso *dso);
void symbols_fetch_wanted(struct symbols *symbols, bool debug);

/* Tells what was fetched from servers; false if none was to be asked. */
bool symbols_fetched(const struct symbols *symbols,
    struct fetch_counts *counts);

struct dso_function {
	struct str name;	/* lives as long as its dso */
	uint64_t start;		/* an address as those asked for */
	uint64_t first, last;	/* that is so from here to there, at least */
};

/*
 * Finds the function at an address; false if none is known there, when first
 * and last are set, too.
 */
bool dso_function(struct dso *dso, uint64_t address,
    struct dso_function *function);

/*
 * Finds the function at an address, with what else is wanted (debug.h).  The
 * last one of the list is the function itself, by the name of its symbol; those
 * that are inlined are before it.  False, and the list is empty, if no function
 * is known there.
 */
bool dso_functions(struct dso *dso, uint64_t address, unsigned wanted,
    struct debug_functions *functions);

/*
 * Finds the functions at an address of a file that its debug information tells,
 * with those that are inlined, and what else is wanted of them (debug.h), and a
 * range of addresses as those asked for; false if it tells nothing, when the
 * range is set, too.
 */
bool dso_inlined(struct dso *dso, uint64_t address, unsigned wanted,
    struct debug_functions *functions);

/*
 * Returns what a file, the [vdso] or a function of a dump tells about frames
 * at an offset, which becomes the one that is asked for there; NULL if it tells
 * nothing.  It lives as long as the dso.
 */
const struct frametables *dso_frametables(struct dso *dso, uint64_t *offset);

/*
 * Reads a DSO_JITDUMP, or what its file has got since; jitdump_read tells what `taken` is.  Returns it as a dump, or
 * NULL, and stores what is wrong with it.
 */
struct jitdump *dso_jitdump(struct dso *dso, size_t taken,
    const char **trouble);

/* Keeps what is certain of it if its times mean nothing. */
void dso_keep_certain(struct dso *dso);

/* How addresses of a file are told, if not as offsets in it. */
enum dso_address {
	DSO_LINKED,		/* as it was linked */
	DSO_LOADED		/* from where its first segment is loaded */
};

/*
 * Finds the offset in a file of an address that is told so; false if there is
 * no such file, or no such place in it.
 */
bool dso_offset(struct dso *dso, enum dso_address how, uint64_t address,
    uint64_t *offset);

/*
 * Finds the offset at which a function begins, by its name as the file has it
 * or as dso_function tells it; false if it is not known.
 */
bool dso_start(struct dso *dso, struct str name, uint64_t *offset);

/* Reads 8 bytes at an offset of a file; false if they are not there. */
bool dso_word(struct dso *dso, uint64_t offset, uint64_t *word);

/* Tells why a dso knows no functions at all; of a kernel, once it was asked. */
enum dso_trouble dso_trouble(struct dso *dso);

/*
 * Returns what is wrong with a file's debug information, as far as it was read,
 * and stores the path of the file that has it; NULL if nothing is.
 */
const char *dso_damage(struct dso *dso, const char **path);

/*
 * True if some function was unknown since files of this machine count by their
 * build ids alone, and none was recorded.
 */
bool symbols_were_foreign(const struct symbols *symbols);

/*
 * Calls tell for each file with debug information that could not be read, or
 * not all of it, and for the first that lacks xz.  It also says what may be
 * lost.  Files that need more than the
 * limits allow (limits.h) are told in one line; true if there are any.
 */
bool symbols_tell_damaged(const struct symbols *symbols,
    void (*tell)(const char *path, const char *reason, const char *lost));

#endif
