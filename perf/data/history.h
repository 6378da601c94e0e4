/*
 * history: what the records of a recording that are no samples tell: what a
 * thread was called, which maps a process had, and the kernel, each from a
 * moment to a moment.
 *
 *	time		 1      3     4      6     7
 *	records		 fork   comm  map    map   fork of 7, anew
 *	thread 7	 "sh"  |"ls"              |"make"
 *	process 7, maps	 sh's  |     |+ ls  |+libc| make's
 *
 * Records are added as they are read, and wait until all that is older has been
 * read; then they take effect in the order of their moments.  Nothing changes
 * what has taken effect, so any number of threads may ask meanwhile, each about
 * a moment of its own.
 */
#ifndef HISTORY_H
#define HISTORY_H

#include "datafile.h"
#include "dumps.h"
#include "lib/intmap.h"
#include "maps.h"
#include "modules.h"
#include "moment.h"

/* The name that a thread had, and its process, from a moment on. */
struct history_name {
	struct moment from;
	struct str name;	/* empty: it was not told */
	int32_t pid;
};

/* A process that had a number from a moment on. */
struct history_process {
	struct moment from;
	struct maps *maps;
	uint32_t threads;	/* that have not ended */
	bool has_dump;		/* of what it compiled */
};

/* A number of the kernel's: of threads, and of processes that these begin. */
struct history_number {
	int32_t number;
	struct history_name *names;	/* in order, as the next */
	size_t names_count, names_room;
	struct history_process *processes;
	size_t processes_count, processes_room;
};

/* Begins with the first three, and perhaps the next, set, and all else zero. */
struct history {
	const struct datafile *file;
	const char *symfs;	/* the folder that is meant by "/", or "" */
	const char *kallsyms;	/* the file with the kernel's names, or NULL */
	const char *buildid_dir;	/* instead of ~/.debug, or NULL */
	bool asks_servers;	/* of debuginfod for files... */
	bool needs_debug;	/* ...with debug information */

	struct modules modules;
	struct dumps dumps;
	struct table names;		/* of threads, and paths of cgroups */
	struct intmap cgroups;		/* a path's place, plus one, by id */
	struct str *paths;		/* of these, as names grow while others
					   ask */
	size_t paths_room;
	struct intmap known;		/* the place of a number, plus one */
	struct history_number *numbers;
	size_t count, room;
	size_t forgotten;		/* of these, or more of their uses */
	struct maps *kernel;
	struct moment kernel_from;	/* when the kernel itself was told */
	uint32_t maps_count;		/* of all maps that there were */
	long long bytes;		/* of memory that all of this takes */

	struct change *changes;		/* that wait */
	size_t changes_count, changes_room;
	bool are_mixed;			/* not in the order of their moments */
	struct moment last;		/* of those that have taken effect */
	struct moment needed;		/* nobody asks about what was before */
	struct ending *endings;		/* of threads that may be forgotten */
	size_t endings_count, endings_room;

	unsigned long long lost;	/* records, by the kernel */
};

void history_init(struct history *history);
void history_free(struct history *history);

/*
 * Adds a record of the kernel that is no sample, and takes effect at a moment;
 * false if it makes no sense.
 */
bool history_add(struct history *history, const struct record *record,
    struct moment moment);

/*
 * Makes what was added take effect, up to a time.  A record that comes later
 * than that takes effect from the last one on.  Nobody asks meanwhile, and
 * nobody will ask about what was before the moment `needed`.
 */
void history_settle(struct history *history, uint64_t time,
    struct moment needed);

/* Returns how much of what was added waits, in bytes. */
size_t history_waiting(const struct history *history);

/* Puts the times of what waits into a list; returns how many there are. */
size_t history_times(const struct history *history, uint64_t *times);

/*
 * A thread in a process, as samples tell them; it may be asked about until
 * history_settle() is called.
 */
struct history_thread {
	const struct history_number *thread, *process;	/* NULL: not known */
};

struct history_thread history_find(const struct history *history, int32_t pid,
    int32_t tid);

/* Returns what a thread was called at a moment; NULL if that is not known. */
const struct history_name *history_name(const struct history_thread *thread,
    struct moment moment);

/* Returns the path of a cgroup, or "" if it was not told. */
struct str history_cgroup(const struct history *history, uint64_t id);

/* Returns the maps of a thread at a moment. */
struct maps_view history_maps(const struct history_thread *thread,
    struct moment moment);

/* Returns the kernel's module if it was told at a moment, or NULL. */
static inline struct module *
history_kernel(const struct history *history, struct moment moment)
{
	return moment_is_before(moment, history->kernel_from) ? NULL :
	    history->modules.kernel;
}

#endif
