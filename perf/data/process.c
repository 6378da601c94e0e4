#include <stdlib.h>

#include "process.h"

static struct task *
add(struct process *process, struct task task)
{
	if (process->count > 0)
		*intmap_at(&process->known, (uint32_t)task.number) =
		    (uint32_t)process->count;
	*LIST_ADD(process->tasks, process->count, process->room) = task;
	return &process->tasks[process->count - 1];
}

/* Returns the task with a number, perhaps a new one. */
static struct task *
get_task(struct process *process, int32_t number)
{
	struct task *task = process_find(process, number);

	return task > process->tasks ? task :
	    add(process, (struct task){ .number = number });
}

void
process_init(struct process *process)
{
	process->generation = maps_generation(NULL);
	add(process, (struct task){ 0 });
	add(process, (struct task){ .since = ++process->changes,
	    .comm = STR("swapper") });
}

void
process_free(struct process *process)
{
	while (process->count > 0)
		maps_drop(process->tasks[--process->count].maps);
	maps_drop(process->kernel);
	free(process->tasks);
	intmap_free(&process->known);
	intmap_free(&process->cgroups);
	table_free(&process->names);
	symbols_close(process->modules.symbols);
	modules_free(&process->modules);
}

/* Begins a process, in the place of one that had its number before. */
static struct task *
begin_process(struct process *process, int32_t pid, struct maps *maps)
{
	struct task *task = get_task(process, pid);

	maps_drop(task->maps);
	task->maps = maps;
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

	if (thread->since == 0 || thread->pid != pid)
		process_find(process, pid)->threads++;
	thread->pid = pid;
	thread->comm = comm;
	thread->since = ++process->changes;
	thread->label.root = 0;
}

static void
fork_thread(struct process *process, const struct record_fields *fork)
{
	const struct task *parent = process_find(process, fork->parent_tid);
	struct str comm = STR("");

	/* the record of its exit, or of another thread's start, was lost */
	if (parent->since > 0 && parent->pid != -1 &&
	    parent->pid != fork->parent_pid)
		name_thread(process, fork->parent_tid, fork->parent_pid, comm);
	else
		comm = parent->comm;
	if (fork->pid != fork->parent_pid && (fork->tid == fork->pid ||
	    process_find(process, fork->pid)->maps == NULL))
		begin_process(process, fork->pid, !fork->copies_maps ? NULL :
		    maps_hold(process_find(process, fork->parent_pid)->maps));
	name_thread(process, fork->tid, fork->pid, comm);
}

/*
 * Notes that a thread has exited.  Forgets one that exited long ago, unless its
 * ID is in use again, and drops tasks that are neither a thread nor a process
 * any more if there are many.
 */
static void
end_thread(struct process *process, const struct record_fields *end)
{
	struct task_end *place = &process->ended[process->next_end];
	const struct task_end old = *place;
	struct task *thread, *owner = process_find(process, end->pid);
	size_t i, count = process->count;

	owner->threads -= owner->threads > 0;
	*place = (struct task_end){ end->pid, end->tid, ++process->changes };
	process->next_end = (process->next_end + 1) % PROCESS_ENDED;
	if (old.at == 0)
		return;
	thread = process_find(process, old.tid);
	owner = process_find(process, old.pid);
	process->forgotten++;
	if (thread->since < old.at) {
		thread->label.root = 0;
		thread->comm = STR("");
		thread->since = 0;
	}
	if (owner->threads == 0 && owner->began < old.at) {
		maps_drop(owner->maps);
		owner->maps = NULL;
		owner->began = 0;
	}
	if (process->forgotten <= count / 2)
		return;
	process->forgotten = 0;
	process->count = 1;
	intmap_free(&process->known);
	for (i = 1; i < count; i++)
		if (process->tasks[i].since > 0 || process->tasks[i].began > 0)
			add(process, process->tasks[i]);
}

struct task *
process_get(struct process *process, int32_t pid)
{
	struct task *task = process_find(process, pid);

	return task->began > 0 ? task : begin_process(process, pid, NULL);
}

/* The kernel gets a function, where it had nothing, or loses it. */
static void
take_ksymbol(struct process *process, const struct record_fields *ksymbol)
{
	struct map map = { .start = ksymbol->start,
	    .end = ksymbol->start + ksymbol->len };
	const struct map *there = maps_find(process->kernel, map.start, NULL);

	if (!ksymbol->is_gone && there == NULL)
		map.module = modules_ksymbol(&process->modules, ksymbol->name);
	else if (ksymbol->is_gone && there != NULL &&
	    there->module != process->modules.kernel)
		map = (struct map){ .start = there->start, .end = there->end };
	else
		return;
	maps_add(&process->kernel, &map, &process->generation);
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
				maps_add(&process->kernel, &map,
				    &process->generation);
			break;
		}
		/* as perf inject --jit, leaves out where dumped code is */
		if ((str_starts(fields->name, STR("//anon")) ||
		    str_starts(fields->name, STR("[anon:")) ||
		    str_starts(fields->name, STR("/memfd:"))) &&
		    process_get(process, fields->pid)->has_jit)
			break;
		map = modules_map(modules, fields);
		maps_add(&process_get(process, fields->pid)->maps, &map,
		    &process->generation);
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
