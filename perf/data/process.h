/*
 * process: the threads and processes of a recording, the kernel, and cgroups,
 * as they are now: what a thread is called, and what a process has mapped.
 *
 * Records that are no samples change this when they leave the queue, in the
 * order of time:
 *
 *	fork	a thread, with its parent's name, and perhaps a process, with
 *		its parent's maps
 *	comm	a thread's name, as when it executes a program
 *	mmap	a map of a process or the kernel
 *	exit	the end of a thread, whose name is kept until its number is used
 *		again, or many others have ended: samples may come late
 */
#ifndef PROCESS_H
#define PROCESS_H

#include "lib/intmap.h"
#include "maps.h"
#include "modules.h"

/* What has a number: a thread, and the process of which it is the first. */
struct task {
	int32_t number;

	bool is_thread;		/* a record has told of it */
	int32_t pid;		/* of that record */
	struct str comm;	/* empty: not known */
	uint64_t since;		/* the number of its last change, or 0 */

	bool is_process;
	bool has_jit;		/* a dump tells what it compiles */
	uint32_t threads;	/* that have not ended */
	uint64_t began;		/* the number of that change */
	struct maps *maps;	/* NULL: none */

	/* For samples: the frame of the thread's name, made once. */
	struct task_label {
		bool is_made;
		bool java;	/* the name begins with java */
		int32_t pid;	/* with which it was made */
		uint32_t frame;
	} label;
};

/* The end of a thread. */
struct task_end {
	int32_t pid, tid;
	uint64_t at;		/* the number of that change */
};

#define PROCESS_ENDED	4096	/* ended threads that are kept */

/* Begins with process_init(). */
struct process {
	struct modules modules;
	struct maps *kernel;		/* with its modules and BPF programs */
	struct table names;		/* of threads, and paths of cgroups */
	struct intmap cgroups;		/* their paths, plus one */
	struct intmap known;		/* places of tasks, plus one */
	struct task **tasks;
	size_t count, room;
	struct task_end *ended;		/* a ring of PROCESS_ENDED */
	size_t ended_count;		/* of all */
	size_t forgotten;		/* parts of tasks */
	uint64_t changes;
	uint64_t generation;		/* of the maps that changed last */

	int32_t pid, tid;		/* of the sample taken last... */
	struct task *thread, *owner;	/* ...and its tasks, or NULL... */
	struct task unknown;		/* ...which is this if no record told
					   of one */
};

void process_init(struct process *process);
void process_free(struct process *process);

/* Returns the task with a number, or NULL, until the next change. */
struct task *process_find(const struct process *process, int32_t number);

/* Sets the thread and the owner of a sample. */
void process_find_tasks(struct process *process, int32_t pid, int32_t tid);

/* Returns the path of a cgroup, or "" if it is not known. */
struct str process_cgroup(const struct process *process, uint64_t id);

/* Notes that a dump tells what a process compiles. */
void process_add_jit(struct process *process, int32_t pid);

/* Adds a map to a process. */
void process_map(struct process *process, int32_t pid, const struct map *map);

/*
 * Takes a record that is no sample, of a type, as it was read.  A map of memory
 * must not be that of a guest.
 */
void process_take(struct process *process, const struct record *record,
    const struct record_fields *fields);

#endif
