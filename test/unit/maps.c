/*
 * Reads changes of maps, which have a letter, a parent's `p` or a child's `c`,
 * and modules, which have a letter, too:
 *
 *	p add 100 200 40 A 1	from 100 to 200, with what A has at 40, from the
 *				time 1 on; - is no module
 *	c fork 2		the child has what the parent had at the time 2
 *	p at 3			prints all that there was at the time 3
 *	p find 190 3		prints the map there, and around which addresses
 *	many 1000		adds 1000 to p and to c, in a wild order, and
 *				checks them at many times
 *	deep 100		checks forks of forks, 100 of them
 *
 * Addresses are hexadecimal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "perf/data/maps.h"
#include "test/fuzz/fuzz.h"
#include "unit.h"

#define MOST	0x1000	/* addresses at which maps are checked */

static const char letters[] = "ABCDEFGH";

static struct moment
moment_of(uint64_t time)
{
	return (struct moment){ time, 0 };
}

static void
print_map(const struct map *map, uint64_t start, uint64_t end)
{
	printf(" %" PRIx64 "-%" PRIx64 ":", start, end);
	if (map == NULL)
		fputs("none", stdout);
	else
		printf("%c+%" PRIx64, *(const char *)map->module,
		    start - map->start + map->offset);
}

static void
print_maps(struct maps_view view)
{
	struct maps_range around;
	const struct map *map;
	uint64_t address;

	for (address = 0; address < MOST; address = around.end) {
		map = maps_find(view, address, &around);
		require(around.start <= address && address < around.end,
		    "a range with the address");
		if (map != NULL)
			print_map(map, around.start, around.end);
	}
}

/* The maps that were added, of which the last one that fits is meant. */
struct plain {
	struct map list[30000];
	size_t count;
};

static const struct map *
find_plain(const struct plain *plain, uint64_t address, uint64_t time)
{
	const struct map *map = plain->list + plain->count;

	while (map-- > plain->list)
		if (map->from.time <= time && map->start <= address &&
		    address < map->end)
			return map->module == NULL ? NULL : map;
	return NULL;
}

static uint64_t
draw(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static void
add_any(struct maps *maps, struct plain *plain, uint64_t *state)
{
	struct map map = { .start = draw(state) % MOST };

	map.end = map.start + draw(state) % (draw(state) % 50 == 0 ? MOST : 16);
	map.offset = draw(state);
	map.module = draw(state) % 8 == 0 ? NULL :
	    (struct module *)(uintptr_t)letters;
	map.from = moment_of(plain->count / 2);
	maps_add(maps, &map);
	plain->list[plain->count++] = map;
}

static void
check(struct maps *maps, const struct plain *plain, uint64_t time,
    uint64_t address)
{
	struct maps_view view = maps_at(maps, moment_of(time));
	const struct map *found, *right = find_plain(plain, address, time);
	struct maps_range around;

	found = maps_find(view, address, &around);
	require((found != NULL) == (right != NULL), "a map where there is one");
	require(found == NULL || (found->start == right->start &&
	    found->offset == right->offset), "the newest map");
	require(around.start <= address && address < around.end,
	    "a range with the address");
	require(find_plain(plain, around.start, time) == right &&
	    find_plain(plain, around.end - 1, time) == right,
	    "a range of one map");
}

/* Compares all with what a look at each map finds. */
static void
check_many(struct maps *parent, unsigned long count)
{
	static struct plain plain;
	uint64_t state = 1;
	struct maps *maps = parent;
	unsigned long i;

	for (i = 0; i < count; i++) {
		if (i == count / 2)
			maps = maps_new(9, maps_now(parent));
		add_any(maps, &plain, &state);
	}
	for (i = 0; i < 3000; i++)
		check(maps, &plain, count / 4 + draw(&state) % (count / 4),
		    draw(&state) % MOST);
	plain.count = count / 2;
	for (i = 0; i < 3000; i++)
		check(parent, &plain, draw(&state) % (count / 4 + 1),
		    draw(&state) % MOST);
	maps_drop(maps);
	fputs(" equal", stdout);
}

/* Each fork adds a map, and has those of all before. */
static void
check_deep(struct maps *parent, unsigned long count)
{
	struct maps *maps = parent, *child;
	struct maps_range around;
	struct map map = { .module = (struct module *)(uintptr_t)letters };
	unsigned long i, j;

	for (i = 0; i < count; i++) {
		map.start = i * 16;
		map.end = map.start + 16;
		map.from = moment_of(i);
		maps_add(maps, &map);
		child = maps_new((uint32_t)i + 10, maps_now(maps));
		if (i > 0)
			maps_drop(maps);
		maps = child;
	}
	for (j = 0; j < count; j++)
		require(maps_find(maps_at(maps, moment_of(count)), j * 16 + 8,
		    &around) != NULL && around.start == j * 16 &&
		    around.end == j * 16 + 16, "all maps of those before");
	maps_drop(maps);
	fputs(" equal", stdout);
}

static void
change(struct maps **maps, struct maps *parent, const char *line)
{
	unsigned long long start, end, offset, time;
	uint64_t version = maps_version(maps_now(*maps));
	struct maps_range around;
	const struct map *found;
	unsigned long count;
	struct map map;
	char name[2];

	if (sscanf(line, "add %llx %llx %llx %1s %llu", &start, &end, &offset,
	    name, &time) == 5) {
		map = (struct map){ start, end, offset, name[0] == '-' ? NULL :
		    (struct module *)(uintptr_t)&letters[name[0] - 'A'],
		    moment_of(time) };
		maps_add(*maps, &map);
	} else if (sscanf(line, "find %llx %llu", &start, &time) == 2) {
		found = maps_find(maps_at(*maps, moment_of(time)), start,
		    &around);
		print_map(found, around.start, around.end);
	} else if (sscanf(line, "many %lu", &count) == 1)
		check_many(*maps, count);
	else if (sscanf(line, "deep %lu", &count) == 1)
		check_deep(*maps, count);
	else if (sscanf(line, "fork %llu", &time) == 1) {
		maps_drop(*maps);
		*maps = maps_new(2, maps_at(parent, moment_of(time)));
	} else if (sscanf(line, "at %llu", &time) == 1)
		print_maps(maps_at(*maps, moment_of(time)));
	if (maps_version(maps_now(*maps)) != version)
		fputs(maps_version(maps_now(*maps)) ==
		    maps_version(maps_now(parent)) && *maps != parent ?
		    " as its parent" : " changed", stdout);
}

int
maps_main(int argc, char **argv)
{
	struct maps_view none = { NULL, 0 };
	struct maps *parent = maps_new(1, none), *child = maps_new(2, none);
	struct str line;
	char text[80];

	(void)argc;
	(void)argv;
	for (; unit_line(&line); putchar('\n')) {
		snprintf(text, sizeof(text), "%.*s", (int)line.len, line.data);
		fputs("-", stdout);
		change(text[0] == 'c' ? &child : &parent, parent,
		    text + (text[1] == ' ' ? 2 : 1));
	}
	maps_drop(child);
	maps_drop(parent);
	return 0;
}
