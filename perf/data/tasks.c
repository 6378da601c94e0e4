#include <stdlib.h>

#include "tasks.h"

#define FIRST_SLOTS	1024
#define ENDED_MOST	4096

/* A thread that has ended, unless another one has its number by now. */
struct ended {
	int32_t tid;
	unsigned long long end;
};

void
tasks_init(struct tasks *tasks)
{
	struct record_comm idle = { 0, 0, STR("swapper") };

	*tasks = (struct tasks){ .mask = FIRST_SLOTS - 1 };
	tasks->slots = mem_array(FIRST_SLOTS, sizeof(*tasks->slots));
	tasks->ended = mem_array(ENDED_MOST, sizeof(*tasks->ended));
	table_init(&tasks->names);
	tasks->multiplier = table_multiplier();
	tasks_rename(tasks, &idle);
}

static void
drop_maps(struct task *task)
{
	if (--task->maps->users == 0)
		maps_free(task->maps);
}

static void
share_maps(struct task *task, struct maps *maps)
{
	maps->users++;
	task->maps = maps;
}

void
tasks_free(struct tasks *tasks)
{
	struct task *task, *next;
	size_t i;

	for (i = 0; i <= tasks->mask; i++)
		for (task = tasks->slots[i]; task != NULL; task = next) {
			next = task->next;
			drop_maps(task);
			free(task);
		}
	free(tasks->slots);
	free(tasks->ended);
	table_free(&tasks->names);
	all_maps_free(&tasks->maps);
}

/* Numbers may be chosen so that a hash which is known makes them one. */
static struct task **
slot(const struct tasks *tasks, int32_t tid)
{
	uint64_t hash = (uint32_t)tid * tasks->multiplier >> 32;

	return &tasks->slots[hash & tasks->mask];
}

/* Returns where a thread is noted, if it was asked for. */
static struct task **
last(struct tasks *tasks, int32_t tid)
{
	return &tasks->last[(uint32_t)tid % TASKS_LAST];
}

static void
double_slots(struct tasks *tasks)
{
	struct task **old = tasks->slots, *task, *next;
	size_t count = tasks->mask + 1, i;

	tasks->slots = mem_array(count * 2, sizeof(*tasks->slots));
	tasks->mask = count * 2 - 1;
	for (i = 0; i < count; i++)
		for (task = old[i]; task != NULL; task = next) {
			next = task->next;
			task->next = *slot(tasks, task->tid);
			*slot(tasks, task->tid) = task;
		}
	free(old);
}

struct task *
tasks_look_up(const struct tasks *tasks, int32_t tid)
{
	struct task *task = *slot(tasks, tid);

	while (task != NULL && task->tid != tid)
		task = task->next;
	return task;
}

static struct task *
add(struct tasks *tasks, int32_t pid, int32_t tid)
{
	struct task *task = mem_array(1, sizeof(*task));

	if (tasks->count > tasks->mask)
		double_slots(tasks);
	*task = (struct task){ .pid = pid, .tid = tid,
	    .next = *slot(tasks, tid) };
	*slot(tasks, tid) = task;
	tasks->count++;
	return task;
}

static void
remove_task(struct tasks *tasks, struct task *task)
{
	struct task **at = slot(tasks, task->tid);

	while (*at != task)
		at = &(*at)->next;
	*at = task->next;
	if (*last(tasks, task->tid) == task)
		*last(tasks, task->tid) = NULL;
	tasks->count--;
	drop_maps(task);
	free(task);
}

/* A thread whose process was not known joins it. */
static void
set_pid(struct tasks *tasks, struct task *task, int32_t pid)
{
	struct task *leader;

	task->pid = pid;
	if (pid == task->tid)
		return;
	leader = tasks_get(tasks, pid, pid);
	if (leader->maps == task->maps)
		return;
	drop_maps(task);
	share_maps(task, leader->maps);
}

struct task *
tasks_find(struct tasks *tasks, int32_t pid, int32_t tid)
{
	struct task *task = tasks_look_up(tasks, tid);

	if (task == NULL) {
		task = add(tasks, pid, tid);
		share_maps(task, pid == tid || pid == -1 ?
		    maps_new(&tasks->maps) :
		    tasks_get(tasks, pid, pid)->maps);
	} else if (task->pid == -1 && pid != -1)
		set_pid(tasks, task, pid);
	return *last(tasks, tid) = task;
}

static void
set_name(struct task *task, struct str name)
{
	task->name = name;
	task->named = true;
	task->root = NULL;
}

void
tasks_rename(struct tasks *tasks, const struct record_comm *comm)
{
	uint32_t number = table_add(&tasks->names, comm->name);

	set_name(tasks_get(tasks, comm->pid, comm->tid),
	    tasks->names.keys[number]);
}

void
tasks_fork(struct tasks *tasks, const struct record_task *record)
{
	struct task *task = tasks_look_up(tasks, record->tid);
	struct task *parent = tasks_get(tasks, record->parent_pid,
	    record->parent_tid);

	/* a record of its end, or that of another one's start, was lost */
	if (parent->pid != record->parent_pid) {
		remove_task(tasks, parent);
		if (task == parent)
			task = NULL;
	}
	if (task != NULL)
		remove_task(tasks, task);
	parent = tasks_get(tasks, record->parent_pid, record->parent_tid);
	task = tasks_get(tasks, record->pid, record->tid);
	if (parent->named)
		set_name(task, parent->name);
	if (record->copies_maps && task->pid != parent->pid &&
	    task->maps != parent->maps && task->maps->count == 0)
		maps_assign(task->maps, parent->maps);
}

struct task *
tasks_oldest(const struct tasks *tasks)
{
	const struct ended *ended = &tasks->ended[tasks->ends % ENDED_MOST];
	struct task *task;

	if (tasks->ends < ENDED_MOST)
		return NULL;
	task = tasks_look_up(tasks, ended->tid);
	return task != NULL && task->ended == ended->end ? task : NULL;
}

void
tasks_end(struct tasks *tasks, const struct record_task *record)
{
	struct ended *ended = &tasks->ended[tasks->ends % ENDED_MOST];
	struct task *task = tasks_oldest(tasks);

	if (task != NULL)
		remove_task(tasks, task);
	tasks->ends++;
	task = tasks_look_up(tasks, record->tid);
	*ended = (struct ended){ record->tid, tasks->ends };
	if (task != NULL)
		task->ended = tasks->ends;
}

unsigned long long
tasks_bytes(const struct tasks *tasks)
{
	unsigned long long slots = tasks->mask + 1;

	return tasks->count * sizeof(struct task) +
	    slots * sizeof(*tasks->slots) + table_bytes(&tasks->names) +
	    tasks->maps.bytes;
}
