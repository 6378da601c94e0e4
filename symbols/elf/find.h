/*
 * find: the files that hold the symbols of what processes have mapped, looked
 * for in the places and in the order of perf 6.1, and why there may be none.
 */
#ifndef FIND_H
#define FIND_H

#include "lib/mem.h"
#include "lib/text.h"
#include "elf.h"

struct symbol_sources {
	const char *symfs;	/* the folder that "/" means; "" is "/" */
	const char *kallsyms;	/* the file with the kernel's names; NULL: any
				   that fits */
	const char *home;	/* its .debug is searched, without symfs; or
				   NULL */
	const char *buildid_dir;	/* instead of both .debug, or NULL */
	const char *release;	/* of the recorded kernel, "6.1.0", or NULL */
	bool is_foreign;	/* this machine's own files count only by their
				   build ids; not with symfs... */
	uint16_t machine;	/* ...nor for ELF files of this machine: they
				   are not its own; 0: none */
	bool asks_servers;	/* of debuginfod for what is missing */
	/* set by sources_complete: */
	const char *collection;	/* perf's own, .debug, or NULL */
	const char *cache;	/* of debuginfod */
	struct fetches *fetches;	/* from its servers, or NULL: none */
	struct account *account;	/* of what files take, or NULL */
};

/*
 * Processes that mapped a file.  They lead to the file's container, where its
 * path may name another file.  Keeps the first ones, since they may live long,
 * and the last ones.
 */
#define PROCESSES_FIRST	4
#define PROCESSES_MOST	8

/* A file that processes have mapped, or the kernel. */
struct binary {
	const char *path;
	struct build_id id;		/* the recorded one, or { 0 } */
	int32_t pids[PROCESSES_MOST];
	uint64_t pid_count;		/* of all; pids may have fewer */
};

/* Adds a process, in place of an older one where there are many. */
void binary_add_process(struct binary *binary, int32_t pid);

/* Why there are no functions. */
enum dso_trouble {
	DSO_FINE,		/* there are, or nobody has asked yet */
	DSO_NO_FILE,		/* nothing that could be opened and is a file */
	DSO_OTHER_BUILD_ID,	/* files with other build ids only */
	DSO_NO_SYMBOLS,		/* a file that has none, or of no known form */
	DSO_HIDDEN,		/* kallsyms without addresses: kptr_restrict */
	DSO_NO_KERNEL,		/* none with the recorded build id */
	DSO_NO_PROGRAM,		/* a compressed module, and no zstd or xz */
	DSO_OTHER_MACHINE,	/* files of this one; is_foreign bars them */
	DSO_OTHER_USER		/* a perf-PID.map by another user than root, us,
				   or the one whose process it is */
};

/*
 * Returns sources whose symfs ends with a '/', unless it is "".  Finds the
 * collection and debuginfod's cache.  Texts other than symfs and the release
 * are the same.
 */
struct symbol_sources sources_complete(struct arena *arena,
    const struct symbol_sources *sources);

/* What is looked for: the symbols, the runtime file, or both. */
enum find_what {
	/*
	 * Both of a program or library.  The first file with .symtab has the
	 * symbols, the first one with .dynsym is the runtime file.  If no file
	 * has .symtab, .gnu_debugdata of the runtime file may.
	 */
	FIND_PROGRAM,
	/* Its debug information: the first file there with .debug_info. */
	FIND_DEBUG,
	/* The file itself, even without any symbols. */
	FIND_IMAGE,
	/* The [vdso], or [vdso32] of 32-bit processes. */
	FIND_VDSO,
	FIND_KERNEL,		/* with .symtab */
	FIND_KERNEL_DEBUG,
	FIND_MODULE		/* of the kernel, perhaps compressed */
};

/* Two parts of one program, perhaps in the same file. */
struct found {
	struct elf symbols;
	struct elf runtime;	/* as processes mapped it */
	struct section unpacked;	/* whose bytes symbols are of, if they
				   were packed; or why it was not read */
	char *path;		/* of a file with debug information */
};

/* Finds a file; any other value than DSO_FINE says why it is missing. */
enum dso_trouble find_binary(const struct symbol_sources *sources,
    enum find_what what, const struct binary *binary, struct found *found);

/*
 * Looks for FIND_PROGRAM and, if `debug` is set, for FIND_DEBUG and the
 * FIND_IMAGE that it needs, only to note a file to be fetched (fetch.h); false
 * if there is none.
 */
bool find_missing(const struct symbol_sources *sources,
    const struct binary *binary, bool debug);

/*
 * Reads /tmp/perf-PID.map.  If that process runs in a container, it is the file
 * there, by the number that the process has there.
 */
enum dso_trouble find_perf_map(const struct symbol_sources *sources,
    const char *path, struct text *text);

/* Closes and unmaps what was found; nothing if found is { 0 } or closed. */
void find_close(struct found *found);

/* Files of symbols are opened by these two only, and must be regular files. */

/*
 * Maps the file at a path, a format of printf(3), to be removed by
 * mapping_remove; false if it does not exist.  An empty one has no bytes.
 * Credits the account with what is on the disk.
 */
bool find_map(struct str *bytes, struct account *account,
    const char *format, ...);

/* Unmaps an open file; nothing if elf is { 0 } or closed. */
void find_unmap(struct elf *elf);

/*
 * Reads a file into text, up to its end or 256 MB; false on failure.  Files of
 * /proc have a size of 0, so the size is not used.
 */
bool find_read(const char *path, struct text *text);

#endif
