#include <stdlib.h>
#include <unistd.h>

#include "message.h"
#include "output.h"
#include "threads.h"

#define STACK_BYTES	((size_t)1024 * 1024)

/* POSIX has it since 2024; FreeBSD hides it from programs for an older one. */
#ifdef _SC_NPROCESSORS_ONLN
#define ONLINE_PROCESSORS	_SC_NPROCESSORS_ONLN
#elif defined(__FreeBSD__)
#define ONLINE_PROCESSORS	58
#endif

size_t
threads_processors(size_t most)
{
	long count = 1;

#ifdef ONLINE_PROCESSORS
	count = sysconf(ONLINE_PROCESSORS);
#endif
	if (count < 1)
		return 1;
	return (size_t)count < most ? (size_t)count : most;
}

/* Starts a thread; false if it cannot be started.  musl gives 128 KB. */
static bool
start(pthread_t *thread, void *(*work)(void *), void *argument)
{
	pthread_attr_t attributes;
	int error;

	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	error = pthread_create(thread, &attributes, work, argument);
	pthread_attr_destroy(&attributes);
	return error == 0;
}

void
threads_run(void *(*work)(void *), void *parts, size_t size, size_t count)
{
	pthread_t threads[THREADS_MOST];
	size_t i, started = 1;

	while (started < count && start(&threads[started], work,
	    (char *)parts + started * size))
		started++;
	work(parts);
	for (i = 1; i < started; i++)
		pthread_join(threads[i], NULL);
}

/*
 * Text is printed when it is as long as DRAIN.  A task holds back as much as
 * HELD_BY_ONE, and all that are done hold back about HELD.
 */
#define DRAIN	((size_t)32 * 1024)
#define HELD_BY_ONE	((size_t)256 * 1024)
#define HELD	((size_t)2 * 1024 * 1024)

void
workqueue_init(struct workqueue *queue, const struct work_list *list)
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
workqueue_append(struct work_list *list, struct work_task *task)
{
	task->before = list->last;
	if (list->last != NULL)
		list->last->next = task;
	else
		list->first = task;
	list->last = task;
	list->count++;
}

struct work_task *
workqueue_take(struct workqueue *queue)
{
	struct work_task *task = NULL;

	pthread_mutex_lock(&queue->lock);
	while (task == NULL && queue->list.first != NULL) {
		if (queue->waiting == 0)
			pthread_cond_wait(&queue->added, &queue->lock);
		else if (queue->held > HELD && queue->list.first->taken)
			pthread_cond_wait(&queue->moved, &queue->lock);
		else	/* threads have all tasks before the first that waits */
			for (task = queue->list.first; task->taken;)
				task = task->next;
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
pass_on(struct workqueue *queue, struct work_task *before, struct said *later)
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
replace(struct work_list *list, struct work_task *task, struct work_list *more)
{
	struct work_task *before = task->before, *next = task->next;
	struct work_task *first = more->first != NULL ? more->first : next;
	struct work_task *last = more->last != NULL ? more->last : before;

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
workqueue_drain(struct workqueue *queue, struct work_task *task,
    struct said *said)
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
workqueue_end(struct workqueue *queue, struct work_task *task,
    struct work_list *more, struct said *said)
{
	struct work_task *before;

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
	*more = (struct work_list){ 0 };
	/* This thread takes one itself. */
	if (queue->waiting > 1 || queue->list.first == NULL)
		pthread_cond_broadcast(&queue->added);
	if (before == NULL)
		pthread_cond_broadcast(&queue->moved);
	pthread_mutex_unlock(&queue->lock);
}
