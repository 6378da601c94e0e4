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
#include "symbols/elf/fetch.h"
#include "symbols/elf/find.h"
#include "symbols/elf/symtab.h"

struct frametables;
struct jitdump;
struct symbols;

/* The texts of the sources, except symfs and the release, must outlive it. */
struct symbols *symbols_open(const struct symbol_sources *sources);

/* Frees them and all their dsos; symbols may be NULL. */
void symbols_close(struct symbols *symbols);

enum dso_kind {
	DSO_FILE,	/* an ELF file: addresses are offsets in it */
	DSO_VDSO,	/* the kernel's [vdso] in processes: offsets, too */
	DSO_PERF_MAP,	/* /tmp/perf-PID.map: addresses of the process */
	DSO_JITDUMP,	/* jit-PID.dump: places, see jitdump.h */
	DSO_KERNEL,	/* run-time addresses */
	DSO_MODULE,	/* a module of the kernel: the same */
	DSO_ELF		/* DSO_FILE, even if it is named like a perf map */
};

struct dso;

/*
 * `id` is the recorded build id; { 0 } or NULL if it is unknown.  `name` is a
 * path, "[vdso]", a module without a path, "[ext4]", or a kernel,
 * "[kernel.kallsyms]_text".  `address` is where a kernel's symbol was (_text
 * here), or where a module was loaded; 0 if that is unknown.
 *
 * The kernel, at most one, must be open before a module is asked about.
 */
struct dso *dso_open(struct symbols *symbols, enum dso_kind kind,
    struct str name, const struct build_id *id, uint64_t address);

/* Does the same, but shares no DSO with other names of the file. */
struct dso *dso_open_alone(struct symbols *symbols, enum dso_kind kind,
    struct str name, const struct build_id *id, uint64_t address);

/*
 * Returns the symbols of a DSO opened alone; its recording's own can be added
 * before the first question.  Those of its file, if there is one, will follow.
 */
struct symtab *dso_symtab(struct dso *dso);

/* Notes that a process has mapped a file. */
void dso_note_process(struct dso *dso, int32_t pid);

/* Notes a file that will be asked about. */
void dso_want(struct dso *dso);

/*
 * Asks servers for what these files lack, several at a time, including debug
 * information if `debug` is set.
 */
void symbols_fetch_wanted(struct symbols *symbols, bool debug);

/* Returns how many files were fetched; NULL if servers are not used. */
const struct fetch_counts *symbols_fetched(const struct symbols *symbols);

/* Finds the function at an address; sets first and last even if it is false. */
bool dso_function(struct dso *dso, uint64_t address,
    struct dso_function *function);

/*
 * Finds the function at an address and what else is wanted (debug.h).  The list
 * ends with the function itself, named by its symbol.  False, and the list is
 * empty, if no function is known.
 */
bool dso_functions(struct dso *dso, uint64_t address, unsigned wanted,
    struct debug_functions *functions);

/*
 * Finds the same in debug information alone.  Sets the range of addresses with
 * the same answer, even if it returns false: nothing is known.
 */
bool dso_inlined(struct dso *dso, uint64_t address, unsigned wanted,
    struct debug_functions *functions);

/*
 * Returns the unwind tables of a file, the [vdso] or a function of a dump, or
 * NULL; they live as long as the DSO.  Changes `offset` to the tables' own.
 */
const struct frametables *dso_frametables(struct dso *dso, uint64_t *offset);

/*
 * Reads a DSO_JITDUMP, or what was appended to it since the last call.  Loads
 * from number `taken` on are sorted (jitdump_read).  Returns NULL and stores
 * what is wrong with it if it cannot be read.
 */
struct jitdump *dso_jitdump(struct dso *dso, size_t taken,
    const char **trouble);

/* What an address counts from, if it is no offset in the file. */
enum dso_address {
	DSO_LINKED,		/* nothing: it is the linked address */
	DSO_LOADED		/* where the first segment is loaded */
};

/* Converts an address to an offset; false if it is in no file. */
bool dso_offset(struct dso *dso, enum dso_address how, uint64_t address,
    uint64_t *offset);

/* Finds where a function begins, by its mangled or its demangled name. */
bool dso_start(struct dso *dso, struct str name, uint64_t *offset);

/* Reads 8 bytes at an offset of a file; false if they are not there. */
bool dso_word(struct dso *dso, uint64_t offset, uint64_t *word);

/* Returns why a DSO has no functions; of a kernel, after a question. */
enum dso_trouble dso_trouble(struct dso *dso);

/* Returns what is wrong with debug information, or NULL; stores its path. */
const char *dso_damage(struct dso *dso, const char **path);

/*
 * True if functions are unknown because files of this machine are used only by
 * build id, and no build id was recorded.
 */
bool symbols_were_foreign(const struct symbols *symbols);

/*
 * Calls `tell` for each file whose debug information could not be read in full,
 * and for the first that needs xz.  Files that need more than the limits allow
 * (limits.h) are reported in one line; returns true if there are any.
 */
bool symbols_tell_damaged(const struct symbols *symbols,
    void (*tell)(const char *path, const char *reason, const char *lost));

#endif
