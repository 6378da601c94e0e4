#include <stdlib.h>

#include "message.h"
#include "output.h"
#include "workqueue.h"

/*
 * Text is printed when it is as long as DRAIN.  A task holds back as much as
 * HELD_BY_ONE, and all that are done hold back about HELD.
 */
#define DRAIN	((size_t)32 * 1024)
#define HELD_BY_ONE	((size_t)256 * 1024)
#define HELD	((size_t)2 * 1024 * 1024)

void
workqueue_init(struct workqueue *queue, const struct task_list *list)
{
	*queue = (struct workqueue){
		.list = *list,
		.waiting = list->count,
	};
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->added, NULL);
	pthread_cond_init(&queue->moved, NULL);
}

void
workqueue_append(struct task_list *list, struct task *task)
{
	task->before = list->last;
	if (list->last != NULL)
		list->last->next = task;
	else
		list->first = task;
	list->last = task;
	list->count++;
}

/* Returns the first task that nobody has, behind one a thread at most. */
static struct task *
first_waiting(const struct workqueue *queue)
{
	struct task *task = queue->list.first;

	while (task->taken)
		task = task->next;
	return task;
}

struct task *
workqueue_take(struct workqueue *queue)
{
	struct task *task = NULL;

	pthread_mutex_lock(&queue->lock);
	while (task == NULL && queue->list.first != NULL) {
		if (queue->waiting == 0)
			pthread_cond_wait(&queue->added, &queue->lock);
		else if (queue->held > HELD && queue->list.first->taken)
			pthread_cond_wait(&queue->moved, &queue->lock);
		else
			task = first_waiting(queue);
	}
	if (task != NULL) {
		task->taken = true;
		queue->waiting--;
	}
	pthread_mutex_unlock(&queue->lock);
	return task;
}

static size_t
length(const struct said *said)
{
	return said->out.len + said->warnings.len;
}

static void
move(struct text *from, struct text *to)
{
	text_add(to, text_str(from));
	from->len = 0;
}

/* Prints what was said, now that it is its turn. */
static void
print(struct workqueue *queue, struct said *said)
{
	struct str warnings = text_str(&said->warnings);

	move(&said->out, &queue->out);
	output_drain(&queue->out, stdout);
	while (warnings.len > 0) {
		message_warn("%s", warnings.data);
		warnings = str_skip(warnings, strlen(warnings.data) + 1);
		queue->warned = true;
	}
	said->warnings.len = 0;
}

static void
hold(struct workqueue *queue, struct said *from, struct said *to)
{
	queue->held += length(from);
	move(&from->out, &to->out);
	move(&from->warnings, &to->warnings);
}

/* Prints what tasks that are done said, or leaves that to the task before. */
static void
pass_on(struct workqueue *queue, struct task *before, struct said *later)
{
	queue->held -= length(later);
	if (before != NULL)
		hold(queue, later, &before->later);
	else
		print(queue, later);
	free(later->out.data);
	free(later->warnings.data);
}

/* Puts the tasks in `more`, if any, in the place of a task. */
static void
replace(struct task_list *list, struct task *task, struct task_list *more)
{
	struct task *before = task->before, *next = task->next;
	struct task *first = more->first != NULL ? more->first : next;
	struct task *last = more->last != NULL ? more->last : before;

	if (more->first != NULL) {
		more->first->before = before;
		more->last->next = next;
	}
	if (before != NULL)
		before->next = first;
	else
		list->first = first;
	if (next != NULL)
		next->before = last;
	else
		list->last = last;
}

void
workqueue_drain(struct workqueue *queue, struct task *task, struct said *said)
{
	if (length(said) < DRAIN)
		return;
	pthread_mutex_lock(&queue->lock);
	while (length(said) > HELD_BY_ONE && queue->list.first != task)
		pthread_cond_wait(&queue->moved, &queue->lock);
	if (queue->list.first == task)
		print(queue, said);
	pthread_mutex_unlock(&queue->lock);
}

void
workqueue_end(struct workqueue *queue, struct task *task,
    struct task_list *more, struct said *said)
{
	struct task *before;

	pthread_mutex_lock(&queue->lock);
	before = task->before;
	if (before == NULL)
		print(queue, said);
	else
		hold(queue, said, &before->later);
	if (more->last != NULL)
		more->last->later = task->later;
	else
		pass_on(queue, before, &task->later);
	replace(&queue->list, task, more);
	queue->waiting += more->count;
	*more = (struct task_list){ 0 };
	/* This thread takes one of them itself. */
	if (queue->waiting > 1 || queue->list.first == NULL)
		pthread_cond_broadcast(&queue->added);
	if (before == NULL)
		pthread_cond_broadcast(&queue->moved);
	pthread_mutex_unlock(&queue->lock);
}
