/*
 * tasks: the threads that a recording tells of, their names and their maps.
 *
 * The threads of a process share its maps.  A thread is known by its number
 * until another one gets that; of those that have ended, the last thousands are
 * remembered, since the kernel still takes samples of a thread while it ends.
 */
#ifndef TASKS_H
#define TASKS_H

#include "maps.h"
#include "perf/root.h"
#include "record.h"

struct task {
	int32_t pid, tid;
	bool named;		/* by a record; else it is called ":TID" */
	struct str name;	/* lives as long as the tasks */
	struct maps *maps;
	const struct root *root;	/* NULL until the caller knows it, and
					   after a new name */
	int32_t root_pid;	/* in which a sample says that it is */
	struct task *next;	/* with the same hash */
	unsigned long long ended;	/* the number of its end, or 0 */
};

#define TASKS_LAST	64	/* those on many processors take turns */

struct tasks {
	struct task **slots;	/* by tid */
	size_t count, mask;
	struct table names;
	uint64_t multiplier;	/* of tids, for their hash */
	struct task *last[TASKS_LAST];	/* that were asked for, by tid */
	struct ended *ended;	/* a ring of the last ENDED_MOST */
	unsigned long long ends;
	struct all_maps maps;
};

void tasks_init(struct tasks *tasks);
void tasks_free(struct tasks *tasks);

/* Returns the thread with a number, or NULL. */
struct task *tasks_look_up(const struct tasks *tasks, int32_t tid);

/* Does the work of tasks_get where another thread was asked for last. */
struct task *tasks_find(struct tasks *tasks, int32_t pid, int32_t tid);

/* Returns a thread, which is made if it is new. */
static inline struct task *
tasks_get(struct tasks *tasks, int32_t pid, int32_t tid)
{
	struct task *task = tasks->last[(uint32_t)tid % TASKS_LAST];

	return task != NULL && task->tid == tid && task->pid != -1 ? task :
	    tasks_find(tasks, pid, tid);
}

/* True if tasks_get would return a thread as it is. */
static inline bool
tasks_has(const struct tasks *tasks, int32_t pid, int32_t tid)
{
	const struct task *task = tasks_look_up(tasks, tid);

	return task != NULL && (task->pid != -1 || pid == -1);
}

void tasks_rename(struct tasks *tasks, const struct record_comm *comm);
void tasks_fork(struct tasks *tasks, const struct record_task *task);
void tasks_end(struct tasks *tasks, const struct record_task *task);

/* Returns the thread that the next end has forgotten, or NULL. */
struct task *tasks_oldest(const struct tasks *tasks);

/* Returns how many bytes the tasks, their names and all maps take. */
unsigned long long tasks_bytes(const struct tasks *tasks);

#endif
