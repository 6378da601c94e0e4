/* sources: where functions are looked for, what is found, why none may be. */
#ifndef SOURCES_H
#define SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include "elf.h"
#include "lib/mem.h"

struct symbol_sources {
	const char *symfs;	/* the folder that "/" means; "" is "/" */
	const char *kallsyms;	/* the file with the kernel's names; NULL: any
				   that fits */
	const char *home;	/* its .debug is searched unless it is NULL, or
				   symfs has its own .debug */
	const char *buildid_dir;	/* instead of both .debug, or NULL */
	const char *release;	/* of the recorded kernel, "6.1.0", or NULL */
	bool is_foreign;	/* this machine's own files count only by their
				   build ids; not with symfs... */
	uint16_t machine;	/* ...nor for ELF files of this machine: they
				   are not its own; 0: none */
	bool asks_servers;	/* of debuginfod for what is missing */
	/* set by sources_copy: */
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

struct processes {
	int32_t pids[PROCESSES_MOST];
	uint32_t count;		/* of all; pids may have fewer */
};

/* Adds a process, in place of an older one where there are many. */
void processes_add(struct processes *processes, int32_t pid);

/* Returns how many are in pids. */
static inline uint32_t
processes_known(const struct processes *processes)
{
	return processes->count < PROCESSES_MOST ? processes->count :
	    PROCESSES_MOST;
}

/* A file that processes have mapped, or the kernel. */
struct binary {
	const char *path;
	struct build_id id;		/* the recorded one, or { 0 } */
	struct processes processes;	/* that mapped it */
};

struct dso_function {
	struct str name;	/* lives as long as its dso */
	uint64_t start;		/* where it begins */
	uint64_t first, last;	/* addresses with the same answer, at least */
};

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
	DSO_OTHER_USER		/* a perf-PID.map that another user wrote */
};

/*
 * Returns a copy in an arena; symfs ends with a '/' there, unless it is "".
 * Finds the collection and, from the environment variables of debuginfod-find,
 * its cache.
 */
struct symbol_sources sources_copy(struct arena *arena,
    const struct symbol_sources *sources);

#endif
