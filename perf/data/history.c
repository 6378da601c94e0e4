#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "lib/bound.h"

/* Threads that have ended, and are known still, since samples come late. */
#define ENDINGS_KEPT	4096

enum change_kind {
	CHANGE_NAME,
	CHANGE_FORK,
	CHANGE_END,
	CHANGE_MAP,
	CHANGE_DUMP,		/* its number is map.offset */
	CHANGE_KERNEL_MAP,
	CHANGE_KSYMBOL,
	CHANGE_KSYMBOL_GONE,
	CHANGE_CGROUP
};

/* A record waits as this until it takes effect. */
struct change {
	struct map map;		/* `from` is when it does; of maps, all; of a
				   cgroup, `start` is its number */
	struct str name;	/* lives as long as the history */
	int32_t pid, tid, parent_pid, parent_tid;
	uint8_t kind;		/* a change_kind */
	bool copies_maps;
	bool is_memory;		/* a map of no file */
};

/* The end of a thread. */
struct ending {
	struct moment moment;
	int32_t pid, tid;
};

static struct history_number *
look_up(const struct history *history, int32_t number)
{
	uint32_t place = intmap_find(&history->known, (uint32_t)number);

	return place == 0 ? NULL : &history->numbers[place - 1];
}

/* Returns what a number means, until the next call. */
static struct history_number *
get(struct history *history, int32_t number)
{
	uint32_t *place = intmap_at(&history->known, (uint32_t)number);

	if (*place == 0) {
		history->numbers = mem_grow(history->numbers, &history->room,
		    history->count + 1, sizeof(*history->numbers));
		history->numbers[history->count++] =
		    (struct history_number){ .number = number };
		*place = (uint32_t)history->count;
	}
	return &history->numbers[*place - 1];
}

/* Returns the last process of a number, or NULL. */
static struct history_process *
last_process(const struct history *history, int32_t pid)
{
	struct history_number *number = look_up(history, pid);

	return number == NULL || number->processes_count == 0 ? NULL :
	    &number->processes[number->processes_count - 1];
}

/* Returns the last name of a number, or NULL. */
static struct history_name *
last_name(const struct history *history, int32_t tid)
{
	struct history_number *number = look_up(history, tid);

	return number == NULL || number->names_count == 0 ? NULL :
	    &number->names[number->names_count - 1];
}

/* Adds a process, which has the maps of a view at first. */
static struct history_process *
add_process(struct history *history, int32_t pid, struct moment from,
    struct maps_view maps)
{
	struct history_number *number = get(history, pid);

	number->processes = mem_grow_small(number->processes,
	    &number->processes_room, number->processes_count + 1,
	    sizeof(*number->processes));
	number->processes[number->processes_count] = (struct history_process){
	    from, maps_new(++history->maps_count, maps), 0, false };
	return &number->processes[number->processes_count++];
}

/* Forgets names that nobody needs, so that a few are kept of many. */
static void
forget_names(const struct history *history, struct history_number *number)
{
	struct history_name *names = number->names;
	size_t count = 0;

	while (count + 1 < number->names_count &&
	    !moment_is_before(history->needed, names[count + 1].from))
		count++;
	if (count == 0)
		return;
	number->names_count -= count;
	memmove(names, names + count, number->names_count * sizeof(*names));
}

/* Names a thread, which may be a new one. */
static void
add_name(struct history *history, int32_t tid, struct history_name name)
{
	const struct history_name *before = last_name(history, tid);
	struct history_process *process = last_process(history, name.pid);
	struct history_number *number;

	if (process != NULL && (before == NULL || before->pid != name.pid))
		process->threads++;
	number = get(history, tid);
	if (number->names_count == number->names_room)
		forget_names(history, number);
	number->names = mem_grow_small(number->names, &number->names_room,
	    number->names_count + 1, sizeof(*number->names));
	number->names[number->names_count++] = name;
}

static void
free_names(struct history_number *number)
{
	mem_give_back(number->names_room * sizeof(*number->names));
	free(number->names);
	number->names = NULL;
	number->names_count = number->names_room = 0;
}

static void
free_processes(struct history_number *number)
{
	while (number->processes_count > 0)
		maps_drop(number->processes[--number->processes_count].maps);
	mem_give_back(number->processes_room * sizeof(*number->processes));
	free(number->processes);
	number->processes = NULL;
	number->processes_room = 0;
}

void
history_init(struct history *history)
{
	struct history_name idle = { { 0, 0 }, STR("swapper"), 0 };
	struct maps_view none = { NULL, 0 };

	modules_init(&history->modules, NULL);
	dumps_init(&history->dumps);
	table_init(&history->names);
	intmap_init(&history->known);
	intmap_init(&history->cgroups);
	history->kernel_from = (struct moment){ UINT64_MAX, UINT64_MAX };
	history->kernel = maps_new(++history->maps_count, none);
	add_name(history, 0, idle);
}

void
history_free(struct history *history)
{
	size_t i;

	for (i = 0; i < history->count; i++) {
		free_names(&history->numbers[i]);
		free_processes(&history->numbers[i]);
	}
	maps_drop(history->kernel);
	free(history->numbers);
	free(history->changes);
	free(history->paths);
	free(history->endings);
	intmap_free(&history->known);
	intmap_free(&history->cgroups);
	table_free(&history->names);
	dumps_free(&history->dumps);
	symbols_close(history->modules.symbols);
	modules_free(&history->modules);
}

size_t
history_waiting(const struct history *history)
{
	return history->changes_count * sizeof(*history->changes);
}

size_t
history_times(const struct history *history, uint64_t *times)
{
	size_t i;

	for (i = 0; i < history->changes_count; i++)
		times[i] = history->changes[i].map.from.time;
	return history->changes_count;
}

/* The symbols are found as the header, or records before this, told. */
static void
open_symbols(struct history *history)
{
	struct text release = { 0 };
	struct symbol_sources sources = {
		.symfs = history->symfs,
		.kallsyms = history->kallsyms,
		.home = getenv("HOME"),
		.buildid_dir = history->buildid_dir,
		.asks_servers = history->asks_servers,
	};

	if (sources.kallsyms == NULL)
		sources.kallsyms = history->file->folder.kallsyms;
	sources.is_foreign = datafile_is_foreign(history->file,
	    &sources.machine);
	text_add(&release, history->file->release);
	text_add_char(&release, '\0');
	if (history->file->release.len > 0)
		sources.release = release.data;
	history->modules.symbols = symbols_open(&sources);
	free(release.data);
}

static void
add_change(struct history *history, struct change change)
{
	size_t count = history->changes_count;

	history->are_mixed |= count > 0 && moment_is_before(change.map.from,
	    history->changes[count - 1].map.from);
	history->changes = mem_grow(history->changes, &history->changes_room,
	    history->changes_count + 1, sizeof(*history->changes));
	history->changes[history->changes_count++] = change;
}

/* True for memory that a process with a dump has its code in. */
static bool
is_memory(struct str name)
{
	return str_starts(name, STR("//anon")) ||
	    str_starts(name, STR("[anon:")) ||
	    str_starts(name, STR("/memfd:"));
}

/* Adds that a process has a dump, if this is a map of it. */
static void
add_dump(struct history *history, const struct record_map *map,
    struct change change)
{
	change.kind = CHANGE_DUMP;
	change.pid = map->pid;
	if (dumps_add(&history->dumps, &history->modules, map,
	    change.map.from, &change.map.offset))
		add_change(history, change);
}

static bool
add_map(struct history *history, const struct record *record,
    struct change change)
{
	enum record_mode mode = record_mode(record);
	struct moment from = change.map.from;
	struct record_map map;

	if (!record_map(record, &map))
		return false;
	if (mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER)
		return true;
	if (history->modules.symbols == NULL)
		open_symbols(history);
	if (mode != MODE_KERNEL)
		add_dump(history, &map, change);
	change.kind = mode == MODE_KERNEL ? CHANGE_KERNEL_MAP : CHANGE_MAP;
	change.pid = map.pid;
	change.is_memory = is_memory(map.name);
	if (mode != MODE_KERNEL)
		change.map = modules_map(&history->modules, &map, map.pid);
	else if (!modules_kernel_map(&history->modules, &map, &change.map))
		return true;
	change.map.from = from;
	add_change(history, change);
	return true;
}

static bool
add_ksymbol(struct history *history, const struct record *record,
    struct change change)
{
	struct record_ksymbol ksymbol;

	if (!record_ksymbol(record, &ksymbol))
		return false;
	change.kind = ksymbol.is_gone ? CHANGE_KSYMBOL_GONE : CHANGE_KSYMBOL;
	change.map.start = ksymbol.address;
	change.map.end = ksymbol.address + ksymbol.len;
	if (!ksymbol.is_gone)
		change.map.module = modules_ksymbol(&history->modules,
		    ksymbol.name);
	add_change(history, change);
	return true;
}

static bool
add_comm(struct history *history, const struct record *record,
    struct change change)
{
	struct record_comm comm;
	uint32_t number;

	if (!record_comm(record, &comm))
		return false;
	number = table_add(&history->names, comm.name);
	change.kind = CHANGE_NAME;
	change.pid = comm.pid;
	change.tid = comm.tid;
	change.name = history->names.keys[number];
	add_change(history, change);
	return true;
}

static bool
add_cgroup(struct history *history, const struct record *record,
    struct change change)
{
	struct record_cgroup cgroup;
	uint32_t number;

	if (!record_cgroup(record, &cgroup))
		return false;
	number = table_add(&history->names, cgroup.path);
	change.kind = CHANGE_CGROUP;
	change.map.start = cgroup.id;
	change.name = history->names.keys[number];
	add_change(history, change);
	return true;
}

static bool
add_task(struct history *history, const struct record *record,
    struct change change)
{
	struct record_task task;

	if (!record_task(record, &task))
		return false;
	change.kind = record->type == RECORD_FORK ? CHANGE_FORK : CHANGE_END;
	change.pid = task.pid;
	change.tid = task.tid;
	change.parent_pid = task.parent_pid;
	change.parent_tid = task.parent_tid;
	change.copies_maps = task.copies_maps;
	add_change(history, change);
	return true;
}

/* Adds a record, which becomes a change; false if it makes no sense. */
static bool
add_record(struct history *history, const struct record *record,
    struct change change)
{
	switch (record->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return add_map(history, record, change);
	case RECORD_COMM:
		return add_comm(history, record, change);
	case RECORD_FORK:
	case RECORD_EXIT:
		return add_task(history, record, change);
	case RECORD_KSYMBOL:
		return add_ksymbol(history, record, change);
	case RECORD_CGROUP:
		return add_cgroup(history, record, change);
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
		history->lost += record_lost(record);
		return true;
	case RECORD_DEFERRED_CHAIN:
		return false;	/* else samples would have it */
	default:
		return true;
	}
}

bool
history_add(struct history *history, const struct record *record,
    struct moment moment)
{
	bool good;

	history->bytes -= mem_taken();
	good = add_record(history, record,
	    (struct change){ .map.from = moment });
	history->bytes += mem_taken();
	return good;
}

/* A thread begins, and perhaps its process. */
static void
fork_thread(struct history *history, const struct change *change)
{
	const struct history_name *parent = last_name(history,
	    change->parent_tid);
	struct history_name name = { change->map.from, STR(""), change->pid };
	struct history_process *process;
	struct maps_view maps = { NULL, 0 };

	/* a record of its end, or that of another one's start, was lost */
	if (parent != NULL && parent->pid != -1 &&
	    parent->pid != change->parent_pid)
		add_name(history, change->parent_tid, (struct history_name){
		    change->map.from, STR(""), change->parent_pid });
	else if (parent != NULL)
		name.name = parent->name;
	process = last_process(history, change->parent_pid);
	if (change->copies_maps && process != NULL)
		maps = maps_now(process->maps);
	process = last_process(history, change->pid);
	if (change->pid != change->parent_pid && (process == NULL ||
	    change->tid == change->pid ||
	    maps_now(process->maps).maps == NULL))
		add_process(history, change->pid, change->map.from, maps);
	add_name(history, change->tid, name);
}

static void
end_thread(struct history *history, const struct change *change)
{
	struct history_process *process = last_process(history, change->pid);

	if (process != NULL && process->threads > 0)
		process->threads--;
	history->endings = mem_grow(history->endings, &history->endings_room,
	    history->endings_count + 1, sizeof(*history->endings));
	history->endings[history->endings_count++] = (struct ending){
	    change->map.from, change->pid, change->tid };
}

/* Returns the process that has a number, perhaps a new one. */
static struct history_process *
get_process(struct history *history, int32_t pid, struct moment from)
{
	struct history_process *process = last_process(history, pid);
	struct maps_view none = { NULL, 0 };

	return process != NULL ? process :
	    add_process(history, pid, from, none);
}

/* As perf inject --jit, leaves out the memory in which dumped code is. */
static void
map_file(struct history *history, const struct change *change)
{
	struct history_process *process = get_process(history, change->pid,
	    change->map.from);

	if (change->is_memory && process->has_dump)
		return;
	maps_add(process->maps, &change->map);
	if (change->map.module->dso != NULL)
		dso_note_process(change->map.module->dso, change->pid);
}

static void
note_dump(struct history *history, const struct change *change)
{
	if (dumps_has(&history->dumps, change->map.offset))
		get_process(history, change->pid,
		    change->map.from)->has_dump = true;
}

/* The kernel is told, or one of its modules. */
static void
map_kernel(struct history *history, const struct map *map)
{
	if (map->module == history->modules.kernel &&
	    moment_is_before(map->from, history->kernel_from))
		history->kernel_from = map->from;
	maps_add(history->kernel, map);
}

/* The kernel gets a function, where it had nothing, or loses it. */
static void
change_ksymbol(struct history *history, const struct change *change)
{
	struct map map = change->map;
	struct maps_range around;
	const struct map *there = maps_find(maps_now(history->kernel),
	    map.start, &around);

	if (change->kind == CHANGE_KSYMBOL_GONE) {
		if (there == NULL || there->module == history->modules.kernel)
			return;
		map.start = there->start;
		map.end = there->end;
	} else if (there != NULL)
		return;
	maps_add(history->kernel, &map);
}

/* Names a cgroup, unless it has a name, as perf does. */
static void
name_cgroup(struct history *history, const struct change *change)
{
	uint32_t *number = intmap_at(&history->cgroups, change->map.start);

	if (*number > 0)
		return;
	history->paths = mem_grow(history->paths, &history->paths_room,
	    history->cgroups.count, sizeof(*history->paths));
	*number = (uint32_t)history->cgroups.count;
	history->paths[*number - 1] = change->name;
}

static void
take(struct history *history, const struct change *change)
{
	switch (change->kind) {
	case CHANGE_NAME:
		add_name(history, change->tid, (struct history_name){
		    change->map.from, change->name, change->pid });
		break;
	case CHANGE_FORK:
		fork_thread(history, change);
		break;
	case CHANGE_END:
		end_thread(history, change);
		break;
	case CHANGE_MAP:
		map_file(history, change);
		break;
	case CHANGE_DUMP:
		note_dump(history, change);
		break;
	case CHANGE_KERNEL_MAP:
		map_kernel(history, &change->map);
		break;
	case CHANGE_CGROUP:
		name_cgroup(history, change);
		break;
	default:
		change_ksymbol(history, change);
		break;
	}
}

/* Removes the numbers of which nothing is known any more. */
static void
drop_numbers(struct history *history)
{
	const struct history_number *number = history->numbers;
	const struct history_number *end = number + history->count;
	struct history_number kept;

	history->forgotten = history->count = 0;
	intmap_free(&history->known);
	intmap_init(&history->known);
	for (; number < end; number++) {
		kept = *number;
		if (kept.names_count > 0 || kept.processes_count > 0)
			*get(history, kept.number) = kept;
	}
}

/* Forgets a thread that has ended, unless another has its number by now. */
static void
forget(struct history *history, const struct ending *ending)
{
	const struct history_name *name = last_name(history, ending->tid);
	const struct history_process *process = last_process(history,
	    ending->pid);

	history->forgotten++;
	if (name != NULL && moment_is_before(name->from, ending->moment))
		free_names(look_up(history, ending->tid));
	if (process != NULL && process->threads == 0 &&
	    moment_is_before(process->from, ending->moment))
		free_processes(look_up(history, ending->pid));
}

/* Forgets the threads that ended long before what is needed. */
static void
forget_ended(struct history *history)
{
	const struct ending *ending = history->endings;
	size_t count = 0;

	while (history->endings_count - count > ENDINGS_KEPT &&
	    moment_is_before(ending[count].moment, history->needed))
		forget(history, &ending[count++]);
	if (count == 0)
		return;
	history->endings_count -= count;
	memmove(history->endings, history->endings + count,
	    history->endings_count * sizeof(*ending));
	if (history->forgotten > history->count / 2)
		drop_numbers(history);
}

static int
compare_changes(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	return moment_is_before(a->map.from, b->map.from) ? -1 :
	    moment_is_before(b->map.from, a->map.from);
}

/* Returns the moment, or that of what took effect last, if it is before. */
static struct moment
next_moment(struct history *history, struct moment moment)
{
	if (!moment_is_before(moment, history->last))
		history->last = moment;
	return history->last;
}

/* Makes what was loaded, as dumps tell, take effect, up to a moment. */
static void
take_loads(struct history *history, struct moment moment)
{
	struct map map;
	int32_t pid;

	while (dumps_next(&history->dumps, moment, &map, &pid)) {
		history->dumps.late += history->file->header.is_pipe &&
		    moment_is_before(map.from, history->last);
		map.from = next_moment(history, map.from);
		maps_add(get_process(history, pid, map.from)->maps, &map);
	}
}

/* Makes changes take effect, up to a time. */
static void
take_changes(struct history *history, uint64_t time)
{
	struct change *change = history->changes;
	size_t count = history->changes_count, i;

	if (history->are_mixed)
		qsort(change, count, sizeof(*change), compare_changes);
	dumps_read(&history->dumps, &history->file->attrs,
	    history->file->header.is_pipe);
	for (i = 0; i < count && change[i].map.from.time <= time; i++) {
		take_loads(history, change[i].map.from);
		change[i].map.from = next_moment(history, change[i].map.from);
		take(history, &change[i]);
	}
	take_loads(history, (struct moment){ time, UINT64_MAX });
	history->are_mixed = false;
	history->changes_count = count - i;
	if (count > i)
		memmove(change, change + i, (count - i) * sizeof(*change));
}

void
history_settle(struct history *history, uint64_t time, struct moment needed)
{
	history->bytes -= mem_taken();
	history->needed = needed;
	take_changes(history, time);
	forget_ended(history);
	history->bytes += mem_taken();
}

struct history_thread
history_find(const struct history *history, int32_t pid, int32_t tid)
{
	return (struct history_thread){ look_up(history, tid),
	    look_up(history, pid) };
}

static bool
name_is_from(const void *name, const void *moment)
{
	return !moment_is_before(*(const struct moment *)moment,
	    ((const struct history_name *)name)->from);
}

const struct history_name *
history_name(const struct history_thread *thread, struct moment moment)
{
	const struct history_number *number = thread->thread;
	size_t count = number == NULL ? 0 : number->names_count;

	if (count > 0 && !name_is_from(&number->names[count - 1], &moment))
		count = lower_bound(&moment, number->names, count,
		    sizeof(*number->names), name_is_from);
	return count == 0 ? NULL : &number->names[count - 1];
}

struct str
history_cgroup(const struct history *history, uint64_t id)
{
	uint32_t number = intmap_find(&history->cgroups, id);

	return number == 0 ? STR("") : history->paths[number - 1];
}

static bool
process_is_from(const void *process, const void *moment)
{
	return !moment_is_before(*(const struct moment *)moment,
	    ((const struct history_process *)process)->from);
}

struct maps_view
history_maps(const struct history_thread *thread, struct moment moment)
{
	const struct history_number *number = thread->process;
	size_t count = number == NULL ? 0 : number->processes_count;

	if (count > 0 &&
	    !process_is_from(&number->processes[count - 1], &moment))
		count = lower_bound(&moment, number->processes, count,
		    sizeof(*number->processes), process_is_from);
	return count == 0 ? (struct maps_view){ NULL, 0 } :
	    maps_at(number->processes[count - 1].maps, moment);
}
