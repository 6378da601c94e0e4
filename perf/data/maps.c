/*
 * Most processes have a few dozen maps, and the newest that covers an address
 * is found by a look at all of them.  Some have 100,000, as those that compile
 * at run time.  So each 64 maps that follow each other are flattened, once they
 * are there: cut into pieces that do not overlap, in which an address is found
 * by halves; and each 64 of these groups are a group of the next level:
 *
 *	maps      0 ... 63 | 64 ... 127 | ... | 4096 ... 4159 | 4160 4161
 *	level 0   group 0  | group 1    | ... | group 64
 *	level 1   group 0, of groups 0 to 63  |
 *
 * The first 4162 maps are the last two, group 64 of level 0, and group 0 of
 * level 1, the newest first.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/bound.h"
#include "lib/mem.h"
#include "maps.h"

#define GROUP_BITS	6
#define GROUP		(1U << GROUP_BITS)
#define LEVELS		5	/* for 2^32 maps, and two bits */

/* More forks of forks than these, each with maps of its own, are copied. */
#define DEPTH_MOST	32

/* A piece of the newest map there is in its group. */
struct piece {
	uint64_t start, end;
	uint32_t map;		/* its number */
};

/* Pieces in the order of their addresses. */
struct group {
	struct piece *pieces;
	size_t count, room;
};

struct level {
	struct group *groups;
	size_t count, room;
};

struct maps {
	uint32_t number;
	uint32_t count;
	unsigned users, depth;
	struct maps_view parent;
	struct map *list;		/* in the order of time */
	size_t room;
	struct level *levels;		/* LEVELS; NULL: there is no group */
};

/* Frees memory that lib/mem has counted. */
static void
give_back(void *memory, size_t count, size_t size)
{
	free(memory);
	mem_give_back(count * size);
}

static void
free_group(const struct group *group)
{
	give_back(group->pieces, group->room, sizeof(*group->pieces));
}

void
maps_hold(struct maps *maps)
{
	maps->users++;
}

static void
free_level(struct level *level)
{
	while (level->count > 0)
		free_group(&level->groups[--level->count]);
	give_back(level->groups, level->room, sizeof(*level->groups));
}

void
maps_drop(struct maps *maps)
{
	struct maps *parent;
	size_t i;

	for (; maps != NULL && --maps->users == 0; maps = parent) {
		parent = maps->parent.maps;
		for (i = 0; maps->levels != NULL && i < LEVELS; i++)
			free_level(&maps->levels[i]);
		give_back(maps->levels, maps->levels == NULL ? 0 : LEVELS,
		    sizeof(*maps->levels));
		give_back(maps->list, maps->room, sizeof(*maps->list));
		give_back(maps, 1, sizeof(*maps));
	}
}

static bool
ends_up_to(const void *piece, const void *address)
{
	return ((const struct piece *)piece)->end <= *(const uint64_t *)address;
}

/* Returns the first piece of a group that ends after an address. */
static size_t
find_piece(const struct group *group, uint64_t address)
{
	return lower_bound(&address, group->pieces, group->count,
	    sizeof(*group->pieces), ends_up_to);
}

static void
add_piece(struct group *to, uint64_t start, uint64_t end, uint32_t map)
{
	if (start < end)
		to->pieces[to->count++] = (struct piece){ start, end, map };
}

/* Lays pieces over others, of which the parts that are not covered stay. */
static struct group
overlay(const struct group *below, const struct group *above)
{
	size_t room = 2 * above->count + below->count;
	struct group made = { mem_array(room, sizeof(*made.pieces)), 0, room };
	const struct piece *under = below->pieces, *over = above->pieces;
	const struct piece *under_end = under + below->count;
	const struct piece *over_end = over + above->count;
	uint64_t done = 0, start;

	for (; under < under_end; under++) {
		start = under->start;
		for (; over < over_end && over->start < under->end; over++) {
			add_piece(&made, start > done ? start : done,
			    over->start, under->map);
			add_piece(&made, over->start, over->end, over->map);
			done = over->end;
		}
		add_piece(&made, start > done ? start : done, under->end,
		    under->map);
	}
	for (; over < over_end; over++)
		add_piece(&made, over->start, over->end, over->map);
	return made;
}

/* Lays a group over what there is. */
static void
cover(struct group *made, const struct group *above)
{
	struct group below = *made;

	*made = overlay(&below, above);
	free_group(&below);
}

/* Flattens the last GROUP maps, or groups of the level below. */
static struct group
flatten(const struct maps *maps, size_t level)
{
	struct group made = { mem_array(1, sizeof(*made.pieces)), 0, 1 }, one;
	const struct level *below;
	const struct map *map;
	struct piece piece;
	uint32_t i;

	for (i = GROUP; i > 0; i--) {
		if (level > 0) {
			below = &maps->levels[level - 1];
			one = below->groups[below->count - i];
		} else {
			map = &maps->list[maps->count - i];
			piece = (struct piece){ map->start, map->end,
			    maps->count - i };
			one = (struct group){ &piece, 1, 1 };
		}
		cover(&made, &one);
	}
	return made;
}

/* Adds the groups that the last map has made whole. */
static void
add_groups(struct maps *maps)
{
	uint32_t count = maps->count;
	struct level *level;
	size_t i;

	if (count % GROUP == 0 && maps->levels == NULL)
		maps->levels = mem_array(LEVELS, sizeof(*maps->levels));
	for (i = 0; i < LEVELS && count % GROUP == 0; i++, count /= GROUP) {
		level = &maps->levels[i];
		level->groups = mem_grow(level->groups, &level->room,
		    level->count + 1, sizeof(*level->groups));
		level->groups[level->count] = flatten(maps, i);
		level->count++;
	}
}

void
maps_add(struct maps *maps, const struct map *map)
{
	if (map->start >= map->end)
		return;
	maps->list = mem_grow_small(maps->list, &maps->room,
	    maps->count + (size_t)1, sizeof(*maps->list));
	maps->list[maps->count++] = *map;
	add_groups(maps);
}

/* Adds the maps of a view, as if they had always been there. */
static void
add_view(struct maps *maps, struct maps_view view)
{
	struct map map;
	uint32_t i;

	if (view.maps == NULL)
		return;
	add_view(maps, view.maps->parent);
	for (i = 0; i < view.count; i++) {
		map = view.maps->list[i];
		map.from = (struct moment){ 0, 0 };
		maps_add(maps, &map);
	}
}

struct maps *
maps_new(uint32_t number, struct maps_view parent)
{
	struct maps *maps = mem_array(1, sizeof(*maps));

	maps->number = number;
	maps->users = 1;
	if (parent.maps != NULL && parent.maps->depth >= DEPTH_MOST)
		add_view(maps, parent);
	else if (parent.maps != NULL) {
		maps->depth = parent.maps->depth + 1;
		maps->parent = parent;
		maps_hold(parent.maps);
	}
	return maps;
}

static struct maps_view
view(struct maps *maps, uint32_t count)
{
	return count == 0 ? maps->parent : (struct maps_view){ maps, count };
}

struct maps_view
maps_now(struct maps *maps)
{
	return view(maps, maps->count);
}

static bool
is_from(const void *map, const void *moment)
{
	return !moment_is_before(*(const struct moment *)moment,
	    ((const struct map *)map)->from);
}

struct maps_view
maps_at(struct maps *maps, struct moment moment)
{
	uint32_t count = maps->count;

	if (count > 0 && !is_from(&maps->list[count - 1], &moment))
		count = (uint32_t)lower_bound(&moment, maps->list, count,
		    sizeof(*maps->list), is_from);
	return view(maps, count);
}

uint64_t
maps_version(struct maps_view view)
{
	return view.maps == NULL ? 1 :
	    (uint64_t)view.maps->number << 32 | view.count;
}

/* Narrows a range to what is on an address's side of what does not have it. */
static void
narrow(struct maps_range *around, uint64_t address, uint64_t start,
    uint64_t end)
{
	if (end <= address && end > around->start)
		around->start = end;
	if (start > address && start < around->end)
		around->end = start;
}

/* Narrows a range to what it shares with another. */
static void
intersect(struct maps_range *around, uint64_t start, uint64_t end)
{
	if (start > around->start)
		around->start = start;
	if (end < around->end)
		around->end = end;
}

/* Returns the newest map of a group at an address, or NULL. */
static const struct map *
find_in_group(const struct maps *maps, const struct group *group,
    uint64_t address, struct maps_range *around)
{
	size_t i = find_piece(group, address);
	const struct piece *piece = &group->pieces[i];

	if (i > 0)
		narrow(around, address, piece[-1].start, piece[-1].end);
	if (i == group->count)
		return NULL;
	if (piece->start > address) {
		narrow(around, address, piece->start, piece->end);
		return NULL;
	}
	intersect(around, piece->start, piece->end);
	return &maps->list[piece->map];
}

/* The same of maps from one on to, not including, another. */
static const struct map *
find_in_list(const struct maps *maps, uint32_t from, uint32_t to,
    uint64_t address, struct maps_range *around)
{
	const struct map *map;

	while (to > from) {
		map = &maps->list[--to];
		if (map->start <= address && address < map->end) {
			intersect(around, map->start, map->end);
			return map;
		}
		narrow(around, address, map->start, map->end);
	}
	return NULL;
}

/* The same of the first `count` maps, without those of the parent. */
static const struct map *
find_own(const struct maps *maps, uint32_t count, uint64_t address,
    struct maps_range *around)
{
	uint32_t whole = count / GROUP, first;
	const struct map *map = find_in_list(maps, whole * GROUP, count,
	    address, around);
	size_t level;

	for (level = 0; whole > 0 && map == NULL; level++) {
		first = level + 1 < LEVELS ? whole / GROUP * GROUP : 0;
		while (whole > first && map == NULL)
			map = find_in_group(maps,
			    &maps->levels[level].groups[--whole], address,
			    around);
		whole /= GROUP;
	}
	return map;
}

const struct map *
maps_find(struct maps_view view, uint64_t address,
    struct maps_range *around)
{
	const struct map *map = NULL;

	*around = (struct maps_range){ 0, UINT64_MAX };
	for (; view.maps != NULL && map == NULL; view = view.maps->parent)
		map = find_own(view.maps, view.count, address, around);
	return map != NULL && map->module == NULL ? NULL : map;
}
