#include <stdlib.h>
#include <unistd.h>

#include "dumps.h"
#include "lib/message.h"

#define READ_ON		1024	/* dumps that may grow */

void
dumps_init(struct dumps *dumps)
{
	*dumps = (struct dumps){ .soonest = UINT64_MAX,
	    .later = UINT64_MAX };
	table_init(&dumps->paths);
}

void
dumps_free(struct dumps *dumps)
{
	table_free(&dumps->paths);
	free(dumps->list);
	free(dumps->used);
}

/* True for "/srv/jit-7.dump" of process 7, which is what perf takes. */
static bool
is_dump(const struct record_map *map)
{
	struct text name = { 0 };
	bool is;

	text_add_format(&name, "/jit-%ld.dump", (long)map->pid);
	is = map->pid > 0 && str_ends(map->name, text_str(&name));
	free(name.data);
	return is;
}

bool
dumps_add(struct dumps *dumps, struct modules *modules,
    const struct record_map *map, struct moment moment, uint64_t *number)
{
	uint32_t before = dumps->paths.count;

	if (!is_dump(map))
		return false;
	*number = table_add(&dumps->paths, map->name);
	if (*number < before)
		return true;
	dumps->list = mem_grow(dumps->list, &dumps->room, (size_t)*number + 1,
	    sizeof(*dumps->list));
	dumps->list[*number] = (struct dump){ .from = moment,
	    .path = dumps->paths.keys[*number], .pid = map->pid,
	    .module = modules_dump(modules, map->name, map->pid) };
	return true;
}

/* Returns the time of a recording that the processor's is. */
static uint64_t
convert(const struct record_ticks *ticks, uint64_t time)
{
	uint64_t whole = time >> ticks->shift;
	uint64_t rest = time - (whole << ticks->shift);

	return ticks->zero + whole * ticks->multiplier +
	    (rest * ticks->multiplier >> ticks->shift);
}

/* True if the times of all records are those of a dump, or made from them. */
static bool
has_clock(const struct dumps *dumps, const struct attrs *attrs,
    bool counts_ticks)
{
	int32_t clock = counts_ticks ? -1 : ATTR_MONOTONIC;
	size_t i;

	for (i = 0; i < attrs->count; i++)
		if (attrs->list[i].clock != clock ||
		    (attrs->list[i].fields & SAMPLE_TIME) == 0 ||
		    !attr_marks_all(&attrs->list[i]))
			return false;
	return !counts_ticks || (dumps->ticks.multiplier > 0 &&
	    dumps->ticks.shift < 64);
}

/* True if a compiler left its names in /tmp/perf-PID.map, too. */
static bool
has_perf_map(int32_t pid)
{
	struct text path = { 0 };
	bool has;

	text_add_format(&path, "/tmp/perf-%ld.map", (long)pid);
	text_add_char(&path, '\0');
	has = access(path.data, R_OK) == 0;
	free(path.data);
	return has;
}

/* Without times, names from elsewhere are better. */
static void
read_dump(struct dumps *dumps, uint32_t number, const struct attrs *attrs)
{
	struct dump *dump = &dumps->list[number];
	struct jitdump *told = dso_jitdump(dump->module->dso, 0,
	    &dump->trouble);

	if (told == NULL)
		return;
	dump->lacks_clock = !has_clock(dumps, attrs, told->counts_ticks);
	if (dump->lacks_clock && has_perf_map(dump->pid)) {
		dump->lacks_clock = false;
		return;
	}
	dump->told = told;
	dumps->used = mem_grow(dumps->used, &dumps->used_room,
	    dumps->used_count + 1, sizeof(*dumps->used));
	dumps->used[dumps->used_count++] = number;
	if (dump->lacks_clock)
		dso_keep_certain(dump->module->dso);
}

void
dumps_read(struct dumps *dumps, const struct attrs *attrs, bool goes_on)
{
	size_t i = dumps->read;
	struct dump *dump;

	if (goes_on)
		i = i > READ_ON ? i - READ_ON : 0;
	for (; i < dumps->paths.count; i++) {
		dump = &dumps->list[i];
		if (dump->told == NULL)
			read_dump(dumps, (uint32_t)i, attrs);
		else if (!dump->lacks_clock)
			dso_jitdump(dump->module->dso, dump->next,
			    &dump->trouble);
		dumps->soonest = 0;
	}
	dumps->read = dumps->paths.count;
}

bool
dumps_has(const struct dumps *dumps, uint64_t number)
{
	return dumps->list[number].told != NULL;
}

/* Returns the moment of a dump's next load, or the last moment. */
static struct moment
next_moment(const struct dumps *dumps, const struct dump *dump)
{
	const struct jitdump *told = dump->told;
	uint64_t time;

	if (dump->next == told->loads_count)
		return (struct moment){ UINT64_MAX, UINT64_MAX };
	if (dump->lacks_clock)
		return dump->from;
	time = told->loads[dump->next].time;
	if (told->counts_ticks)
		time = convert(&dumps->ticks, time);
	return (struct moment){ time, dump->from.number };
}

/* Steps over the next load of a dump; false if no process can have it. */
static bool
take_load(struct dump *dump, struct moment from, struct map *map,
    int32_t *pid)
{
	const struct jitdump_load *load = &dump->told->loads[dump->next++];

	*pid = load->pid;
	*map = (struct map){ .start = load->address,
	    .end = load->address + load->size, .offset = load->place,
	    .module = dump->module, .from = from };
	return record_is_pid(*pid);
}

/* One dump is asked after another, each until its next load is later. */
bool
dumps_next(struct dumps *dumps, struct moment moment, struct map *map,
    int32_t *pid)
{
	struct dump *dump;
	struct moment next;

	if (moment.time < dumps->soonest)
		return false;
	for (; dumps->turn < dumps->used_count; dumps->turn++) {
		dump = &dumps->list[dumps->used[dumps->turn]];
		while (moment_is_before(next = next_moment(dumps, dump),
		    moment))
			if (take_load(dump, next, map, pid))
				return true;
		if (next.time < dumps->later)
			dumps->later = next.time;
	}
	dumps->soonest = dumps->later;
	dumps->later = UINT64_MAX;
	dumps->turn = 0;
	return false;
}

/* Returns the first dump of which `is` is true, or NULL; counts all. */
static const struct dump *
find(const struct dumps *dumps, bool (*is)(const struct dump *dump),
    size_t *count)
{
	const struct dump *first = NULL;
	size_t i;

	*count = 0;
	for (i = 0; i < dumps->read; i++)
		if (is(&dumps->list[i]) && ++*count == 1)
			first = &dumps->list[i];
	return first;
}

static bool
is_unread(const struct dump *dump)
{
	return dump->trouble != NULL;
}

static bool
lacks_clock(const struct dump *dump)
{
	return dump->lacks_clock;
}

static bool
is_cut(const struct dump *dump)
{
	return dump->told != NULL && dump->told->is_cut;
}

static bool
is_odd(const struct dump *dump)
{
	return dump->told != NULL && dump->told->odd > 0;
}

/* Returns a text with a dump's path and how many others are like it. */
static const char *
name_dump(struct text *text, const struct dump *dump, size_t count)
{
	text->len = 0;
	text_add(text, dump->path);
	if (count > 1)
		text_add_format(text, " (and %llu more)",
		    (unsigned long long)count - 1);
	text_add_char(text, '\0');
	return text->data;
}

void
dumps_report(const struct dumps *dumps, const char *name)
{
	struct text text = { 0 };
	const struct dump *dump;
	size_t count;

	dump = find(dumps, is_unread, &count);
	if (dump != NULL)
		message_warn("%s: %s, which has the names of functions that "
		    "were compiled at run time, %s; --symfs tells where files "
		    "are", name, name_dump(&text, dump, count), dump->trouble);
	dump = find(dumps, lacks_clock, &count);
	if (dump != NULL)
		message_warn("%s: its clock is not that of %s, so functions "
		    "at reused addresses have no name; record with perf "
		    "record -k mono", name,
		    name_dump(&text, dump, count));
	dump = find(dumps, is_cut, &count);
	if (dump != NULL)
		message_warn("%s: %s ends inside a record, at byte %llu; what "
		    "was compiled later has no name", name,
		    name_dump(&text, dump, count),
		    (unsigned long long)dump->told->end);
	dump = find(dumps, is_odd, &count);
	if (dump != NULL)
		message_warn("%s: %s: invalid records, left out: %llu",
		    name, name_dump(&text, dump, count),
		    dump->told->odd);
	if (dumps->late > 0)
		message_warn("%s: functions that ran before their dump's "
		    "record: %llu; a recording in a file, not a pipe, has "
		    "their names",
		    name, dumps->late);
	free(text.data);
}
