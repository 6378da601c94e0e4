#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "jitcode.h"
#include "lib/message.h"

#define READ_ON		1024	/* dumps that may grow */

void
jitcode_free(struct jitcode *jit)
{
	table_free(&jit->paths);
	free(jit->list);
}

/* Without times, names from elsewhere are better. */
static void
read_dump(struct jitcode *jit, struct jitcode_dump *dump)
{
	struct jitdump *jitdump = dso_jitdump(dump->module->dso, 0,
	    &dump->trouble);
	const struct attr *attr = jit->attrs->list;
	const struct attr *end = attr + jit->attrs->count;
	char perf_map[32];

	if (jitdump == NULL)
		return;
	/* the clock of all records must be the dump's, or be converted */
	dump->lacks_clock = jitdump->counts_ticks &&
	    (jit->ticks.multiplier == 0 || jit->ticks.shift >= 64);
	for (; attr < end; attr++)
		dump->lacks_clock |= attr->clock != (jitdump->counts_ticks ?
		    -1 : ATTR_MONOTONIC) || !attr_marks_all(attr) ||
		    (attr->fields & SAMPLE_TIME) == 0;
	snprintf(perf_map, sizeof(perf_map), "/tmp/perf-%ld.map",
	    (long)dump->pid);
	if (dump->lacks_clock && access(perf_map, R_OK) == 0) {
		dump->lacks_clock = false;
		return;
	}
	dump->jitdump = jitdump;
	jit->soonest = 0;
	if (dump->lacks_clock)
		jitdump_keep_certain(jitdump);
}

bool
jitcode_add(struct jitcode *jit, struct modules *modules,
    const struct record_fields *map)
{
	uint32_t before = jit->paths.count, number;
	char name[32];

	/* "/srv/jit-7.dump" of process 7, as in perf */
	snprintf(name, sizeof(name), "/jit-%ld.dump", (long)map->pid);
	if (map->pid <= 0 || !str_ends(map->name, str_from(name)))
		return false;
	number = table_add(&jit->paths, map->name);
	if (number == before) {
		*LIST_AT(jit->list, number, jit->room) = (struct jitcode_dump){
		    .pid = map->pid,
		    .module = modules_dump(modules, map->name, map->pid) };
		read_dump(jit, &jit->list[number]);
	}
	return jit->list[number].jitdump != NULL;
}

void
jitcode_read_on(struct jitcode *jit)
{
	uint32_t i = jit->paths.count > READ_ON ? jit->paths.count - READ_ON :
	    0;
	struct jitcode_dump *dump;

	for (; jit->grows && i < jit->paths.count; i++) {
		dump = &jit->list[i];
		if (dump->jitdump == NULL)
			read_dump(jit, dump);
		else if (!dump->lacks_clock)
			dso_jitdump(dump->module->dso, dump->next,
			    &dump->trouble);
		jit->soonest = 0;
	}
}

/* Stores when a dump has its next load; false at its end. */
static bool
next_time(const struct jitcode *jit, const struct jitcode_dump *dump,
    uint64_t *time)
{
	const struct jitdump *jitdump = dump->jitdump;
	const struct record_ticks *ticks = &jit->ticks;
	uint64_t whole, rest;

	*time = UINT64_MAX;
	if (jitdump == NULL || dump->next == jitdump->loads_count)
		return false;
	*time = dump->lacks_clock ? 0 : jitdump->loads[dump->next].time;
	if (dump->lacks_clock || !jitdump->counts_ticks)
		return true;
	whole = *time >> ticks->shift;
	rest = *time - (whole << ticks->shift);
	*time = ticks->zero + whole * ticks->multiplier +
	    (rest * ticks->multiplier >> ticks->shift);
	return true;
}

/* One dump is asked after another, each until its next load is later. */
bool
jitcode_next(struct jitcode *jit, uint64_t time, struct jitcode_load *load)
{
	struct jitcode_dump *dump;
	const struct jitdump_load *next;

	for (; jit->turn < jit->paths.count; jit->turn++) {
		dump = &jit->list[jit->turn];
		while (next_time(jit, dump, &load->time) &&
		    load->time <= time) {
			next = &dump->jitdump->loads[dump->next++];
			load->pid = next->pid;
			load->map = (struct map){ .start = next->address,
			    .end = next->address + next->size,
			    .offset = next->place, .module = dump->module };
			if (record_is_pid(load->pid))
				return true;
		}
		if (load->time < jit->later)
			jit->later = load->time;
	}
	jit->soonest = jit->later;
	jit->later = UINT64_MAX;
	jit->turn = 0;
	return false;
}

/* What may be wrong with a dump. */
enum trouble { UNREAD, NO_CLOCK, CUT, ODD };

/* Returns the first dump with a trouble, or NULL; adds how many there are. */
static const struct jitcode_dump *
find_trouble(const struct jitcode *jit, enum trouble trouble,
    struct text *shown)
{
	const struct jitcode_dump *dump, *first = NULL;
	const struct jitdump *jitdump;
	size_t i, count = 0;
	bool has;

	shown->len = 0;
	for (i = 0; i < jit->paths.count; i++) {
		dump = &jit->list[i];
		jitdump = dump->jitdump;
		has = trouble == UNREAD ? dump->trouble != NULL :
		    trouble == NO_CLOCK ? dump->lacks_clock :
		    jitdump != NULL &&
		    (trouble == CUT ? jitdump->is_cut : jitdump->odd > 0);
		if (has && count++ == 0) {
			first = dump;
			text_add(shown, jit->paths.keys[i]);
		}
	}
	if (count > 1)
		text_add_format(shown, " (and %zu more)", count - 1);
	text_add_char(shown, '\0');
	return first;
}

void
jitcode_report(const struct jitcode *jit, const char *name)
{
	const struct jitcode_dump *dump;
	struct text shown = { 0 };

	dump = find_trouble(jit, UNREAD, &shown);
	if (dump != NULL)
		message_warn("%s: %s, which has the names of functions that "
		    "were compiled at run time, %s; --symfs tells where files "
		    "are", name, shown.data, dump->trouble);
	if (find_trouble(jit, NO_CLOCK, &shown) != NULL)
		message_warn("%s: its clock is not that of %s, so functions "
		    "at reused addresses have no name; record with perf "
		    "record -k mono", name, shown.data);
	dump = find_trouble(jit, CUT, &shown);
	if (dump != NULL)
		message_warn("%s: %s ends inside a record, at byte %llu; what "
		    "was compiled later has no name", name, shown.data,
		    (unsigned long long)dump->jitdump->end);
	dump = find_trouble(jit, ODD, &shown);
	if (dump != NULL)
		message_warn("%s: %s: invalid records, left out: %llu",
		    name, shown.data, dump->jitdump->odd);
	if (jit->late > 0)
		message_warn("%s: functions that ran before their dump's "
		    "record: %llu; a recording in a file, not a pipe, has "
		    "their names", name, jit->late);
	free(shown.data);
}
