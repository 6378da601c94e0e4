#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "lib/sort.h"
#include "maps.h"

#define BLOCK_MOST	128	/* maps */

struct maps_block {
	unsigned users;
	struct map *list;	/* by address, none over another */
	size_t count, room;
};

struct place {
	size_t block, at;
};

/* Frees memory that lib/mem has counted. */
static void
give_back(void *memory, size_t count, size_t size)
{
	free(memory);
	mem_give_back(count * size);
}

static void
drop_block(struct maps_block *block)
{
	if (--block->users > 0)
		return;
	give_back(block->list, block->room, sizeof(*block->list));
	give_back(block, 1, sizeof(*block));
}

void
maps_drop(struct maps *maps)
{
	if (maps == NULL || --maps->users > 0)
		return;
	while (maps->count > 0)
		drop_block(maps->blocks[--maps->count]);
	give_back(maps->blocks, maps->room, sizeof(*maps->blocks));
	give_back(maps, 1, sizeof(*maps));
}

static void
insert_block(struct maps *maps, size_t at, struct maps_block *block)
{
	maps->blocks = mem_grow_small(maps->blocks, &maps->room,
	    maps->count + 1, sizeof(*maps->blocks));
	memmove(maps->blocks + at + 1, maps->blocks + at,
	    (maps->count++ - at) * sizeof(*maps->blocks));
	maps->blocks[at] = block;
}

static struct maps_block *
new_block(const struct map *list, size_t count)
{
	struct maps_block *block = mem_array(1, sizeof(*block));

	block->users = 1;
	block->list = mem_grow_small(NULL, &block->room, count + 1,
	    sizeof(*list));
	if (count > 0)
		memcpy(block->list, list, count * sizeof(*list));
	block->count = count;
	return block;
}

/* Returns a block that may be changed. */
static struct maps_block *
own_block(struct maps *maps, size_t number)
{
	struct maps_block *block = maps->blocks[number];

	if (block->users == 1)
		return block;
	block->users--;
	return maps->blocks[number] = new_block(block->list, block->count);
}

static bool
block_ends_up_to(const void *item, const void *address)
{
	const struct maps_block *block =
	    *(const struct maps_block *const *)item;

	return block->list[block->count - 1].end <= *(const uint64_t *)address;
}

static bool
ends_up_to(const void *map, const void *address)
{
	return ((const struct map *)map)->end <= *(const uint64_t *)address;
}

/* Finds the first map that ends after an address; its block may be none. */
static struct place
find_place(const struct maps *maps, uint64_t address)
{
	struct place place = { lower_bound(&address, maps->blocks, maps->count,
	    sizeof(*maps->blocks), block_ends_up_to), 0 };
	const struct maps_block *block;

	if (place.block < maps->count) {
		block = maps->blocks[place.block];
		place.at = lower_bound(&address, block->list, block->count,
		    sizeof(*block->list), ends_up_to);
	}
	return place;
}

static void
insert(struct maps *maps, struct place place, const struct map *map)
{
	const size_t half = BLOCK_MOST / 2;
	struct maps_block *block;

	if (maps->count == 0)
		insert_block(maps, 0, new_block(NULL, 0));
	if (place.block == maps->count)
		place = (struct place){ maps->count - 1,
		    maps->blocks[maps->count - 1]->count };
	block = own_block(maps, place.block);
	if (block->count == BLOCK_MOST) {
		insert_block(maps, place.block + 1,
		    new_block(block->list + half, half));
		block->count = half;
		if (place.at > half) {
			place.at -= half;
			block = maps->blocks[place.block + 1];
		}
	}
	block->list = mem_grow_small(block->list, &block->room,
	    block->count + 1, sizeof(*map));
	memmove(block->list + place.at + 1, block->list + place.at,
	    (block->count++ - place.at) * sizeof(*map));
	block->list[place.at] = *map;
}

static void
delete(struct maps *maps, struct place place)
{
	struct maps_block *block = own_block(maps, place.block);

	block->count--;
	memmove(block->list + place.at, block->list + place.at + 1,
	    (block->count - place.at) * sizeof(*block->list));
	if (block->count > 0)
		return;
	drop_block(block);
	maps->count--;
	memmove(maps->blocks + place.block, maps->blocks + place.block + 1,
	    (maps->count - place.block) * sizeof(*maps->blocks));
}

static void
clear(struct maps *maps, uint64_t start, uint64_t end)
{
	struct place place;
	struct map there;

	for (;;) {
		place = find_place(maps, start);
		if (place.block == maps->count)
			return;
		there = maps->blocks[place.block]->list[place.at];
		if (there.start >= end)
			return;
		if (there.start < start)
			own_block(maps, place.block)->list[place.at].end =
			    start;
		else
			delete(maps, place);
		if (there.end <= end)
			continue;
		there.offset += end - there.start;
		there.start = end;
		insert(maps, find_place(maps, end), &there);
		return;
	}
}

struct maps *
maps_add(struct maps *maps, const struct map *map, uint64_t generation)
{
	struct maps *own = maps;

	if (map->start >= map->end)
		return maps;
	if (maps == NULL || maps->users > 1) {
		own = mem_array(1, sizeof(*own));
		own->users = 1;
	}
	if (maps != NULL && maps->users > 1) {
		own->blocks = mem_grow_small(NULL, &own->room, maps->count,
		    sizeof(*own->blocks));
		for (; own->count < maps->count; own->count++) {
			own->blocks[own->count] = maps->blocks[own->count];
			own->blocks[own->count]->users++;
		}
		maps->users--;
	}
	own->generation = generation;
	clear(own, map->start, map->end);
	if (map->module != NULL)
		insert(own, find_place(own, map->start), map);
	return own;
}

const struct map *
maps_find(const struct maps *maps, uint64_t address, struct maps_range *around)
{
	const struct maps_block *block;
	const struct map *map;
	struct maps_range unwanted;
	struct place place;

	if (around == NULL)
		around = &unwanted;
	*around = (struct maps_range){ 0, UINT64_MAX };
	if (maps == NULL)
		return NULL;
	place = find_place(maps, address);
	if (place.at > 0)
		around->start =
		    maps->blocks[place.block]->list[place.at - 1].end;
	else if (place.block > 0) {
		block = maps->blocks[place.block - 1];
		around->start = block->list[block->count - 1].end;
	}
	if (place.block == maps->count)
		return NULL;
	map = &maps->blocks[place.block]->list[place.at];
	if (map->start > address) {
		around->end = map->start;
		return NULL;
	}
	*around = (struct maps_range){ map->start, map->end };
	return map;
}
