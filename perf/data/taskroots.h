/*
 * taskroots: finds the roots of a recording's threads, and keeps them.
 */
#ifndef TASKROOTS_H
#define TASKROOTS_H

#include "perf/root.h"
#include "tasks.h"

/* Begins with the first two set, and all else zero. */
struct taskroots {
	struct roots *roots;
	struct namer *namer;
	struct root **kept;	/* by their frames; NULL: none */
	size_t count, room;
};

/*
 * Returns the root of a thread that is in a process, as a sample says: those of
 * threads that have ended have the number -1 in all processes.
 */
const struct root *taskroots_find(struct taskroots *roots,
    const struct task *task, int32_t process);

/* The same, of a thread that keeps it. */
static inline const struct root *
taskroots_of(struct taskroots *roots, struct task *task, int32_t process)
{
	if (task->root == NULL || task->root_pid != process) {
		task->root = taskroots_find(roots, task, process);
		task->root_pid = process;
	}
	return task->root;
}

/* Frees all roots that it has returned. */
void taskroots_free(struct taskroots *roots);

#endif
