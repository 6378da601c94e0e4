/*
 * threads: does work in several threads.  Each has a part, or takes one task
 * after another.  Only files does, since walking a tree waits for the disk.
 */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "text.h"

#define THREADS_MOST	64

/* Returns how many processors there are, but at most `most`. */
size_t threads_processors(size_t most);

/*
 * Calls work() in `count` threads, this one among them, each with a part of its
 * own; `parts` is an array of structs of `size` bytes.  If a thread cannot be
 * started, its part and those after it are left out.
 */
void threads_run(void *(*work)(void *), void *parts, size_t size, size_t count);

/*
 * In a work queue several threads do tasks, while their output comes as if one
 * thread had done one task after another.
 *
 * A task may add others.  They follow it, before all that followed it so far.
 * A thread takes the first one that no other has, so that few are done long
 * before they are printed; once those hold 2 MB, threads wait.
 *
 *	while ((task = workqueue_take(&queue)) != NULL) {
 *		(do it, adding to said and more)
 *		workqueue_end(&queue, task, &more, &said);
 *	}
 */

/* The output of a task. */
struct said {
	struct text out;	/* for standard output */
	struct text warnings;	/* for standard error, each with its NUL */
};

/* Begins as { 0 }. */
struct work_task {
	struct work_task *before, *next;	/* around it, not done yet */
	bool taken;
	struct said later;	/* by tasks that follow it and are done */
};

/* Tasks one after another; begins as { 0 }. */
struct work_list {
	struct work_task *first, *last;
	size_t count;
};

struct workqueue {
	pthread_mutex_t lock;
	pthread_cond_t added;	/* some to take, or all are done */
	pthread_cond_t moved;	/* another task is the first */
	struct work_list list;	/* those not done yet */
	size_t waiting;		/* tasks that nobody has taken */
	size_t held;		/* bytes that wait to be printed */
	struct text out;	/* not written yet */
	bool warned;		/* a warning was printed */
};

/* Begins with the tasks of a list. */
void workqueue_init(struct workqueue *queue, const struct work_list *list);

/* Adds a task at the end of a list. */
void workqueue_append(struct work_list *list, struct work_task *task);

/* Returns the next task to do; NULL when all are done. */
struct work_task *workqueue_take(struct workqueue *queue);

/* Prints what a long task has said, if that is due; to be called often. */
void workqueue_drain(struct workqueue *queue, struct work_task *task,
    struct said *said);

/* Ends a task that said this, and adds those in `more`; empties both. */
void workqueue_end(struct workqueue *queue, struct work_task *task,
    struct work_list *more, struct said *said);

#endif
