#include <stdlib.h>

#include "effects.h"

void
effects_init(struct effects *effects)
{
	modules_init(&effects->modules, NULL);
	tasks_init(&effects->tasks);
	effects->kernel = maps_new(&effects->tasks.maps);
	effects->nothing = maps_new(&effects->tasks.maps);
	effects->kernel->users = effects->nothing->users = 1;
}

void
effects_free(struct effects *effects)
{
	maps_free(effects->kernel);
	maps_free(effects->nothing);
	tasks_free(&effects->tasks);
	symbols_close(effects->modules.symbols);
	modules_free(&effects->modules);
}

unsigned long long
effects_bytes(const struct effects *effects)
{
	return tasks_bytes(&effects->tasks) +
	    modules_bytes(&effects->modules) +
	    attrs_bytes(&effects->file->attrs);
}

/* The symbols are found as the header, or records before this, told. */
static void
open_symbols(struct effects *effects)
{
	struct text release = { 0 };
	struct symbol_sources sources = {
		.symfs = effects->symfs,
		.kallsyms = effects->kallsyms,
		.home = getenv("HOME"),
	};

	if (sources.kallsyms == NULL)
		sources.kallsyms = effects->file->folder.kallsyms;
	text_add(&release, effects->file->release);
	text_add_char(&release, '\0');
	if (effects->file->release.len > 0)
		sources.release = release.data;
	effects->modules.symbols = symbols_open(&sources);
	free(release.data);
}

/*
 * The kernel's names are read ahead where there are many samples, and their
 * event is counted in the kernel.
 */
static void
take_kernel_map(struct effects *effects, const struct record_map *map)
{
	const struct attrs *attrs = &effects->file->attrs;
	struct modules *modules = &effects->modules;

	if (modules->kernel == NULL)
		effects->known = effects->moment;
	modules_add_kernel(modules, effects->kernel, map);
	if (modules->kernel != NULL && effects->reads_ahead &&
	    !effects->file->header.is_pipe && attrs->count > 0 &&
	    attr_counts_kernel(attrs->list))
		dso_read_ahead(modules->kernel->dso);
}

/* Notes that a thread may be another one from now on. */
static void
note_thread(struct effects *effects, int32_t tid)
{
	phase_note_thread(effects->phase, tid, effects->moment);
}

/* Notes that maps of a process change now. */
static void
note_maps(struct effects *effects, struct maps *maps, int32_t pid)
{
	phase_note_maps(effects->phase, maps, pid, effects->moment);
}

static bool
take_map(struct effects *effects, const struct record *record)
{
	enum record_mode mode = record_mode(record);
	struct record_map map;
	struct task *task;

	if (!record_map(record, &map))
		return false;
	if (effects->modules.symbols == NULL)
		open_symbols(effects);
	if (mode == MODE_KERNEL) {
		note_maps(effects, effects->kernel, -1);
		take_kernel_map(effects, &map);
	} else if (mode != MODE_GUEST_KERNEL && mode != MODE_GUEST_USER) {
		if (!tasks_has(&effects->tasks, map.pid, map.tid))
			note_thread(effects, map.tid);
		task = tasks_get(&effects->tasks, map.pid, map.tid);
		note_maps(effects, task->maps, task->pid);
		maps_add(task->maps, modules_map(&effects->modules, &map,
		    task->pid));
	}
	return true;
}

static bool
take_ksymbol(struct effects *effects, const struct record *record)
{
	struct record_ksymbol ksymbol;

	if (!record_ksymbol(record, &ksymbol))
		return false;
	note_maps(effects, effects->kernel, -1);
	modules_add_ksymbol(&effects->modules, effects->kernel, &ksymbol);
	return true;
}

static bool
take_comm(struct effects *effects, const struct record *record)
{
	struct record_comm comm;

	if (!record_comm(record, &comm))
		return false;
	note_thread(effects, comm.tid);
	tasks_rename(&effects->tasks, &comm);
	return true;
}

static void
take_fork(struct effects *effects, const struct record_task *record)
{
	const struct task *leader = tasks_look_up(&effects->tasks,
	    record->pid);
	const struct task *parent = tasks_look_up(&effects->tasks,
	    record->parent_tid);

	note_thread(effects, record->tid);
	if (parent == NULL || parent->pid != record->parent_pid)
		note_thread(effects, record->parent_tid);
	if (leader != NULL)
		note_maps(effects, leader->maps, record->pid);
	tasks_fork(&effects->tasks, record);
}

static bool
take_task(struct effects *effects, const struct record *record)
{
	const struct task *forgotten;
	struct record_task task;

	if (!record_task(record, &task))
		return false;
	if (record->type == RECORD_FORK) {
		take_fork(effects, &task);
		return true;
	}
	forgotten = tasks_oldest(&effects->tasks);
	if (forgotten != NULL)
		note_thread(effects, forgotten->tid);
	tasks_end(&effects->tasks, &task);
	return true;
}

bool
effects_take(struct effects *effects, struct phase *phase,
    struct moment moment, const struct record *record)
{
	bool good = true;

	effects->phase = phase;
	effects->moment = moment;
	switch (record->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		good = take_map(effects, record);
		break;
	case RECORD_COMM:
		good = take_comm(effects, record);
		break;
	case RECORD_FORK:
	case RECORD_EXIT:
		good = take_task(effects, record);
		break;
	case RECORD_KSYMBOL:
		good = take_ksymbol(effects, record);
		break;
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
		effects->lost += record_lost(record);
		break;
	case RECORD_DEFERRED_CHAIN:
		effects->deferred++;
		break;
	default:
		break;
	}
	return good;
}
