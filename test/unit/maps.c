/*
 * Reads changes of maps, which have a letter, a parent's `p` or a child's `c`,
 * and modules, which have a letter, too:
 *
 *	p add 100 200 40 A	from 100 to 200, with what A has at 40
 *	p clear 150 180
 *	c fork			the child gets the parent's maps
 *	p hold, p drop		takes a snapshot, and lets go of it
 *	p held			prints all of the snapshot
 *	p find 190		prints the map there
 *	p			prints all
 *	many 1000		adds as many to p, in a wild order, and checks
 *
 * Numbers are hexadecimal.
 */
#include <stdio.h>
#include <stdlib.h>

#include "perf/data/maps.h"
#include "test/fuzz/fuzz.h"
#include "unit.h"

#define MOST	0x4000	/* addresses at which maps are checked */

static const struct maps *held;

static void
print_map(const struct map *map)
{
	if (map == NULL)
		fputs(" none", stdout);
	else
		printf(" %llx-%llx:%c+%llx", (unsigned long long)map->start,
		    (unsigned long long)map->end, *(const char *)map->module,
		    (unsigned long long)map->offset);
}

static void
print_maps(const struct maps *maps)
{
	const struct map *map;
	uint64_t address;

	for (address = 0; address < MOST;) {
		map = maps_find(maps, address);
		if (map != NULL)
			print_map(map);
		address = map != NULL ? map->end : address + 1;
	}
}

/* Keeps a map for each address beside those that are tested. */
static void
check_many(struct maps *maps, unsigned long count)
{
	static struct map plain[MOST];
	static char module;
	const struct map *found;
	unsigned long i;
	uint64_t at, state = 1;
	struct map map;

	for (i = 0; i < count; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		map.start = (state >> 40) % MOST;
		map.end = map.start + (state >> 33) % 16;
		map.offset = state >> 44;
		map.module = (struct module *)&module;
		maps_add(maps, map);
		for (at = map.start; at < map.end && at < MOST; at++)
			plain[at] = map;
	}
	for (at = 0; at < MOST; at++) {
		found = maps_find(maps, at);
		require((found != NULL) == (plain[at].end > 0),
		    "a map where one was added");
		require(found == NULL || at - found->start + found->offset ==
		    at - plain[at].start + plain[at].offset,
		    "of the module's same place");
	}
	fputs(" equal", stdout);
}

static void
change(struct maps *maps, struct maps *parent, const char *line)
{
	unsigned long long start, end, offset, version = maps->version;
	unsigned long count;
	char name[2];

	if (sscanf(line, "add %llx %llx %llx %1s", &start, &end, &offset,
	    name) == 4)
		maps_add(maps, (struct map){ start, end, offset,
		    (struct module *)&"ABCDEFGH"[name[0] - 'A'] });
	else if (sscanf(line, "clear %llx %llx", &start, &end) == 2)
		maps_clear(maps, start, end);
	else if (sscanf(line, "find %llx", &start) == 1) {
		print_map(maps_find(maps, start));
		return;
	} else if (sscanf(line, "many %lu", &count) == 1)
		check_many(maps, count);
	else if (strcmp(line, "fork") == 0)
		maps_assign(maps, parent);
	else if (strcmp(line, "hold") == 0)
		held = maps_hold(maps);
	else if (strcmp(line, "drop") == 0)
		maps_drop(held);
	else if (strcmp(line, "held") == 0)
		print_maps(held);
	else
		print_maps(maps);
	if (maps->version != version)
		fputs(maps->version == parent->version && maps != parent ?
		    " as its parent" : " changed", stdout);
}

int
main(void)
{
	struct all_maps all = { 0 };
	struct maps *parent = maps_new(&all);
	struct maps *child = maps_new(&all);
	struct str line;
	char text[80];

	for (; unit_line(&line); putchar('\n')) {
		snprintf(text, sizeof(text), "%.*s", (int)line.len, line.data);
		fputs("-", stdout);
		change(text[0] == 'c' ? child : parent, parent,
		    text + (text[1] == ' ' ? 2 : 1));
	}
	maps_free(child);
	maps_free(parent);
	all_maps_free(&all);
	require(all.bytes == 0, "no memory that is not given back");
	return 0;
}
