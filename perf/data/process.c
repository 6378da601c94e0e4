#include <stdlib.h>

#include "process.h"

struct task *
process_find(const struct process *process, int32_t number)
{
	uint32_t place = intmap_find(&process->known, (uint32_t)number);

	return place == 0 ? NULL : process->tasks[place - 1];
}

void
process_find_tasks(struct process *process, int32_t pid, int32_t tid)
{
	process->thread = process_find(process, tid);
	process->owner = pid == tid ? process->thread :
	    process_find(process, pid);
	if (process->thread == NULL)
		process->thread = &process->unknown;
	if (process->owner == NULL)
		process->owner = &process->unknown;
	process->unknown.label.is_made = false;
}

/* Adds a task whose number no other one has. */
static void
add(struct process *process, struct task *task)
{
	*LIST_ADD(process->tasks, process->count, process->room) = task;
	*intmap_at(&process->known, (uint32_t)task->number) =
	    (uint32_t)process->count;
}

/* Returns the task with a number, perhaps a new one. */
static struct task *
get_task(struct process *process, int32_t number)
{
	struct task *task = process_find(process, number);

	if (task != NULL)
		return task;
	task = mem_array(1, sizeof(*task));
	task->number = number;
	add(process, task);
	return task;
}

void
process_init(struct process *process)
{
	struct task *idle;

	process->generation = MAPS_NONE;
	idle = get_task(process, 0);
	idle->is_thread = true;
	idle->comm = STR("swapper");
}

static void
free_task(struct task *task)
{
	maps_drop(task->maps);
	mem_give_back(sizeof(*task));
	free(task);
}

void
process_free(struct process *process)
{
	while (process->count > 0)
		free_task(process->tasks[--process->count]);
	maps_drop(process->kernel);
	free(process->tasks);
	intmap_free(&process->known);
	intmap_free(&process->cgroups);
	table_free(&process->names);
	symbols_close(process->modules.symbols);
	modules_free(&process->modules);
}

static struct task *
find_process(const struct process *process, int32_t pid)
{
	struct task *task = process_find(process, pid);

	return task != NULL && task->is_process ? task : NULL;
}

/* Begins a process, in the place of one that had its number before. */
static struct task *
begin_process(struct process *process, int32_t pid, struct maps *maps)
{
	struct task *task = get_task(process, pid);

	maps_drop(task->maps);
	task->maps = maps;
	task->is_process = true;
	task->has_jit = false;
	task->threads = 0;
	task->began = ++process->changes;
	return task;
}

/* Names a thread, perhaps a new one. */
static void
name_thread(struct process *process, int32_t tid, int32_t pid,
    struct str comm)
{
	struct task *thread = get_task(process, tid);
	struct task *owner = find_process(process, pid);

	if (owner != NULL && (!thread->is_thread || thread->pid != pid))
		owner->threads++;
	thread->is_thread = true;
	thread->pid = pid;
	thread->comm = comm;
	thread->since = ++process->changes;
	thread->label.is_made = false;
}

static void
fork_thread(struct process *process, const struct record_fields *fork)
{
	const struct task *parent = process_find(process, fork->parent_tid);
	const struct task *from = find_process(process, fork->parent_pid);
	const struct task *owner = find_process(process, fork->pid);
	struct str comm = STR("");

	/* the record of its exit, or of another thread's start, was lost */
	if (parent != NULL && parent->is_thread && parent->pid != -1 &&
	    parent->pid != fork->parent_pid)
		name_thread(process, fork->parent_tid, fork->parent_pid, comm);
	else if (parent != NULL)
		comm = parent->comm;
	if (fork->pid != fork->parent_pid && (owner == NULL ||
	    fork->tid == fork->pid || owner->maps == NULL))
		begin_process(process, fork->pid, from == NULL ||
		    !fork->copies_maps ? NULL : maps_hold(from->maps));
	name_thread(process, fork->tid, fork->pid, comm);
}

/*
 * Forgets an exited thread, unless its ID is in use again, and drops tasks that
 * are neither a thread nor a process any more if there are many.
 */
static void
forget(struct process *process, const struct task_end *ended)
{
	struct task *thread = process_find(process, ended->tid);
	struct task *owner = find_process(process, ended->pid);
	struct task **tasks = process->tasks;
	size_t i, count = process->count;

	process->forgotten++;
	if (thread != NULL && thread->since < ended->at) {
		thread->is_thread = thread->label.is_made = false;
		thread->comm = STR("");
		thread->since = 0;
	}
	if (owner != NULL && owner->threads == 0 && owner->began < ended->at) {
		maps_drop(owner->maps);
		owner->maps = NULL;
		owner->is_process = false;
	}
	if (process->forgotten <= count / 2)
		return;
	process->count = process->forgotten = 0;
	intmap_free(&process->known);
	for (i = 0; i < count; i++)
		if (tasks[i]->is_thread || tasks[i]->is_process)
			add(process, tasks[i]);
		else
			free_task(tasks[i]);
}

static void
end_thread(struct process *process, const struct record_fields *end)
{
	struct task *owner = find_process(process, end->pid);
	struct task_end *ended =
	    &process->ended[process->ended_count % PROCESS_ENDED];

	if (owner != NULL && owner->threads > 0)
		owner->threads--;
	if (process->ended_count++ >= PROCESS_ENDED)
		forget(process, ended);
	*ended = (struct task_end){ end->pid, end->tid, ++process->changes };
}

static struct task *
get_process(struct process *process, int32_t pid)
{
	struct task *task = find_process(process, pid);

	return task != NULL ? task : begin_process(process, pid, NULL);
}

void
process_add_jit(struct process *process, int32_t pid)
{
	get_process(process, pid)->has_jit = true;
}

void
process_map(struct process *process, int32_t pid, const struct map *map)
{
	struct task *task = get_process(process, pid);

	task->maps = maps_add(task->maps, map, ++process->generation);
}

static void
map_kernel(struct process *process, const struct map *map)
{
	process->kernel = maps_add(process->kernel, map,
	    ++process->generation);
}

/* The kernel gets a function, where it had nothing, or loses it. */
static void
take_ksymbol(struct process *process, const struct record_fields *ksymbol)
{
	struct map map = { .start = ksymbol->start,
	    .end = ksymbol->start + ksymbol->len };
	const struct map *there = maps_find(process->kernel, map.start, NULL);

	if (!ksymbol->is_gone && there == NULL) {
		map.module = modules_ksymbol(&process->modules, ksymbol->name);
		map_kernel(process, &map);
	} else if (ksymbol->is_gone && there != NULL &&
	    there->module != process->modules.kernel) {
		map.start = there->start;
		map.end = there->end;
		map_kernel(process, &map);
	}
}

struct str
process_cgroup(const struct process *process, uint64_t id)
{
	uint32_t path = intmap_find(&process->cgroups, id);

	return path == 0 ? STR("") : process->names.keys[path - 1];
}

void
process_take(struct process *process, const struct record *record,
    const struct record_fields *fields)
{
	struct modules *modules = &process->modules;
	uint32_t name, *path;
	struct map map;

	switch (record->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		if (record_mode(record) == MODE_KERNEL) {
			if (modules_kernel_map(modules, fields, &map))
				map_kernel(process, &map);
			break;
		}
		/* as perf inject --jit, leaves out where dumped code is */
		if ((str_starts(fields->name, STR("//anon")) ||
		    str_starts(fields->name, STR("[anon:")) ||
		    str_starts(fields->name, STR("/memfd:"))) &&
		    get_process(process, fields->pid)->has_jit)
			break;
		map = modules_map(modules, fields, fields->pid);
		process_map(process, fields->pid, &map);
		if (map.module->dso != NULL)
			dso_note_process(map.module->dso, fields->pid);
		break;
	case RECORD_COMM:
		name = table_add(&process->names, fields->name);
		name_thread(process, fields->tid, fields->pid,
		    process->names.keys[name]);
		break;
	case RECORD_FORK:
		fork_thread(process, fields);
		break;
	case RECORD_EXIT:
		end_thread(process, fields);
		break;
	case RECORD_KSYMBOL:
		take_ksymbol(process, fields);
		break;
	case RECORD_CGROUP:
		/* the first name counts, as in perf */
		path = intmap_at(&process->cgroups, fields->id);
		if (*path == 0)
			*path = table_add(&process->names, fields->name) + 1;
		break;
	}
}
