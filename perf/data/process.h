/*
 * process: the current state of threads, processes, the kernel and cgroups:
 * the commands of threads, and the maps of processes.
 *
 * Records other than samples change it when they leave the queue:
 *
 *	fork	a thread, with its parent's name, and perhaps a process, with
 *		its parent's maps
 *	comm	a thread's name, as when it executes a program
 *	mmap	a map of a process or the kernel
 *	exit	the end of a thread; its name is kept until its ID is used again
 *		or many others have exited, because samples may come late
 */
#ifndef PROCESS_H
#define PROCESS_H

#include "lib/intmap.h"
#include "maps.h"
#include "modules.h"

/* An ID: a thread, and perhaps the process that it leads. */
struct task {
	int32_t number;

	uint64_t since;		/* number of the change that named the thread;
				   0: none did */
	int32_t pid;		/* of that change's record */
	struct str comm;	/* empty: not known */

	uint64_t began;		/* number of the process's first change; 0: it
				   is no process */
	bool has_jit;		/* it writes a jitdump */
	uint32_t threads;	/* that have not exited */
	struct maps *maps;	/* NULL: none */

	/* For samples: the frame of the thread's name, made once. */
	struct task_label {
		uint32_t root;	/* as in struct sample; 0: not made */
		bool java;	/* the name begins with java */
		int32_t pid, tid;	/* with which it was made */
	} label;
};

struct task_end {
	int32_t pid, tid;
	uint64_t at;		/* the number of that change */
};

#define PROCESS_ENDED	4096	/* ended threads that are kept */

/* Begins as { 0 }, with process_init(). */
struct process {
	struct modules modules;
	struct maps *kernel;		/* with its modules and BPF programs */
	struct table names;		/* of threads, and paths of cgroups */
	struct intmap cgroups;		/* their paths, plus one */
	struct intmap known;		/* indexes of tasks */
	struct task *tasks;		/* the first stands in for any other */
	size_t count, room;
	struct task_end ended[PROCESS_ENDED];	/* a ring */
	size_t next_end;		/* the oldest of these */
	size_t forgotten;		/* parts of tasks */
	uint64_t changes;
	uint64_t generation;		/* of the maps that changed last */
};

void process_init(struct process *process);
void process_free(struct process *process);

/*
 * Returns the task with a number, until the next change.  One that is not known
 * has no name and no maps, and must not be changed.
 */
static inline struct task *
process_find(const struct process *process, int32_t number)
{
	return &process->tasks[intmap_find(&process->known, (uint32_t)number)];
}

/* Returns the path of a cgroup, or "" if it is not known. */
struct str process_cgroup(const struct process *process, uint64_t id);

/* Returns a process, perhaps a new one, until the next change. */
struct task *process_get(struct process *process, int32_t pid);

/* Applies a record other than a sample.  A map must not be a guest's. */
void process_take(struct process *process, const struct record *record,
    const struct record_fields *fields);

#endif
