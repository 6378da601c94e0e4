#include <stdlib.h>

#include "lib/mem.h"
#include "lib/table.h"
#include "maps.h"

void
maps_drop(struct maps *maps)
{
	if (maps == NULL || --maps->users > 0)
		return;
	maps_drop(maps->before);
	maps_drop(maps->after);
	free(maps);
	mem_give_back(sizeof(*maps));
}

static struct maps *
new_maps(const struct map *map)
{
	struct maps *maps = mem_array(1, sizeof(*maps));

	maps->map = *map;
	maps->users = 1;
	return maps;
}

/* Returns maps whose root may be changed, in place of one user's. */
static struct maps *
own(struct maps *maps)
{
	struct maps *copy;

	if (maps->users == 1)
		return maps;
	copy = new_maps(&maps->map);
	copy->before = maps_hold(maps->before);
	copy->after = maps_hold(maps->after);
	maps->users--;
	return copy;
}

/* Returns a number that input cannot choose: the root has the largest one. */
static uint64_t
rank(const struct maps *maps)
{
	return table_fold(maps->map.start ^ table_multiplier(),
	    table_multiplier());
}

static struct maps *
join(struct maps *before, struct maps *after)
{
	if (before == NULL || after == NULL)
		return before != NULL ? before : after;
	if (rank(before) > rank(after)) {
		before = own(before);
		before->after = join(before->after, after);
		return before;
	}
	after = own(after);
	after->before = join(before, after->before);
	return after;
}

/* Parts maps at an address, and the map that is there, too. */
static void
part(struct maps *maps, uint64_t address, struct maps **before,
    struct maps **after)
{
	struct map rest;

	*before = *after = NULL;
	if (maps == NULL)
		return;
	maps = own(maps);
	if (maps->map.start >= address) {
		part(maps->before, address, before, &maps->before);
		*after = maps;
		return;
	}
	if (maps->map.end > address) {
		rest = maps->map;
		rest.offset += address - rest.start;
		rest.start = maps->map.end = address;
		*after = join(new_maps(&rest), maps->after);
		maps->after = NULL;
	} else
		part(maps->after, address, &maps->after, after);
	*before = maps;
}

void
maps_add(struct maps **maps, const struct map *map, uint64_t *generation)
{
	struct maps *before, *covered, *after;

	++*generation;
	if (map->start >= map->end)
		return;
	part(*maps, map->start, &before, &covered);
	part(covered, map->end, &covered, &after);
	maps_drop(covered);
	if (map->module != NULL)
		before = join(before, new_maps(map));
	*maps = join(before, after);
	if (*maps != NULL)
		(*maps)->generation = *generation;
}

const struct map *
maps_find(const struct maps *maps, uint64_t address, struct maps_range *around)
{
	struct maps_range unwanted;

	if (around == NULL)
		around = &unwanted;
	*around = (struct maps_range){ 0, UINT64_MAX };
	while (maps != NULL)
		if (address < maps->map.start) {
			around->end = maps->map.start;
			maps = maps->before;
		} else if (address >= maps->map.end) {
			around->start = maps->map.end;
			maps = maps->after;
		} else {
			*around = (struct maps_range){ maps->map.start,
			    maps->map.end };
			return &maps->map;
		}
	return NULL;
}
