/*
 * Maps are in leaves of up to LEAF_MAPS, and these in an array, so that one
 * more of 100,000, as a compiler at run time makes them, moves few.
 */
#include <stdlib.h>
#include <string.h>

#include "../lib/mem.h"
#include "maps.h"

#define LEAF_MAPS	48	/* most processes have one leaf */

struct leaf {
	unsigned users;		/* maps that share it */
	unsigned count;
	struct map maps[LEAF_MAPS];
};

/* A place among maps: before the map there, or at the end. */
struct spot {
	size_t leaf;
	unsigned index;
};

struct maps *
maps_new(unsigned long long *versions)
{
	struct maps *maps = mem_array(1, sizeof(*maps));

	maps->versions = versions;
	maps->version = ++*versions;
	return maps;
}

static void
release(struct leaf *leaf)
{
	if (--leaf->users == 0)
		free(leaf);
}

static void
clear(struct maps *maps)
{
	while (maps->count > 0)
		release(maps->leaves[--maps->count]);
}

/* Lets go of the snapshot, which is no longer what maps are. */
static void
end_snapshot(struct maps *maps)
{
	if (maps->snapshot != NULL)
		maps_drop(maps->snapshot);
	maps->snapshot = NULL;
}

void
maps_free(struct maps *maps)
{
	end_snapshot(maps);
	clear(maps);
	free(maps->leaves);
	free(maps);
}

void
maps_assign(struct maps *maps, const struct maps *from)
{
	size_t i;

	end_snapshot(maps);
	clear(maps);
	maps->version = from->version;
	maps->leaves = mem_grow(maps->leaves, &maps->room, from->count,
	    sizeof(*maps->leaves));
	for (i = 0; i < from->count; i++) {
		maps->leaves[i] = from->leaves[i];
		maps->leaves[i]->users++;
	}
	maps->count = from->count;
}

void
maps_make_snapshot(struct maps *maps)
{
	struct maps *snapshot = mem_array(1, sizeof(*snapshot));

	maps_assign(snapshot, maps);
	snapshot->users = 1;
	maps->snapshot = snapshot;
}

void
maps_drop(const struct maps *snapshot)
{
	struct maps *maps = (struct maps *)snapshot;

	if (--maps->users == 0)
		maps_free(maps);
}

static struct leaf *
new_leaf(void)
{
	struct leaf *leaf = mem_array(1, sizeof(*leaf));

	leaf->users = 1;
	return leaf;
}

/* The leaf at a place among them, which nobody else has from then on. */
static struct leaf *
own_leaf(struct maps *maps, size_t at)
{
	struct leaf *shared = maps->leaves[at], *leaf;

	if (shared->users == 1)
		return shared;
	leaf = new_leaf();
	leaf->count = shared->count;
	memcpy(leaf->maps, shared->maps, shared->count * sizeof(*leaf->maps));
	shared->users--;
	return maps->leaves[at] = leaf;
}

static void
insert_leaf(struct maps *maps, size_t at, struct leaf *leaf)
{
	maps->leaves = mem_grow(maps->leaves, &maps->room, maps->count + 1,
	    sizeof(*maps->leaves));
	memmove(maps->leaves + at + 1, maps->leaves + at,
	    (maps->count - at) * sizeof(*maps->leaves));
	maps->leaves[at] = leaf;
	maps->count++;
}

/* The first map that ends behind an address. */
static struct spot
find_spot(const struct maps *maps, uint64_t address)
{
	size_t low = 0, high = maps->count, middle;
	const struct leaf *leaf;
	struct spot spot;

	while (low < high) {
		middle = low + (high - low) / 2;
		leaf = maps->leaves[middle];
		if (leaf->maps[leaf->count - 1].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	spot = (struct spot){ low, 0 };
	if (low == maps->count)
		return spot;
	leaf = maps->leaves[low];
	for (low = 0, high = leaf->count; low < high;) {
		middle = low + (high - low) / 2;
		if (leaf->maps[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	spot.index = (unsigned)low;
	return spot;
}

static const struct map *
map_at(const struct maps *maps, struct spot spot)
{
	return spot.leaf == maps->count ? NULL :
	    &maps->leaves[spot.leaf]->maps[spot.index];
}

const struct map *
maps_find(const struct maps *maps, uint64_t address)
{
	const struct map *map = map_at(maps, find_spot(maps, address));

	return map != NULL && map->start <= address ? map : NULL;
}

/* Moves the second half of a full leaf to a new one. */
static void
split_leaf(struct maps *maps, size_t at)
{
	struct leaf *leaf = own_leaf(maps, at), *rest = new_leaf();
	unsigned half = leaf->count / 2;

	rest->count = leaf->count - half;
	memcpy(rest->maps, leaf->maps + half, rest->count * sizeof(*rest->maps));
	leaf->count = half;
	insert_leaf(maps, at + 1, rest);
}

static void
insert(struct maps *maps, struct spot spot, struct map map)
{
	struct leaf *leaf;

	if (spot.leaf == maps->count && spot.leaf > 0) {
		spot.leaf--;
		spot.index = maps->leaves[spot.leaf]->count;
	}
	if (maps->count == 0 || (spot.leaf == maps->count - 1 &&
	    spot.index == LEAF_MAPS)) {
		/* mostly they come in order */
		spot = (struct spot){ maps->count, 0 };
		insert_leaf(maps, maps->count, new_leaf());
	} else if (maps->leaves[spot.leaf]->count == LEAF_MAPS) {
		split_leaf(maps, spot.leaf);
		if (spot.index > maps->leaves[spot.leaf]->count) {
			spot.index -= maps->leaves[spot.leaf]->count;
			spot.leaf++;
		}
	}
	leaf = own_leaf(maps, spot.leaf);
	memmove(leaf->maps + spot.index + 1, leaf->maps + spot.index,
	    (leaf->count - spot.index) * sizeof(*leaf->maps));
	leaf->maps[spot.index] = map;
	leaf->count++;
}

static void
remove_at(struct maps *maps, struct spot spot)
{
	struct leaf *leaf = own_leaf(maps, spot.leaf);

	leaf->count--;
	memmove(leaf->maps + spot.index, leaf->maps + spot.index + 1,
	    (leaf->count - spot.index) * sizeof(*leaf->maps));
	if (leaf->count > 0)
		return;
	release(leaf);
	maps->count--;
	memmove(maps->leaves + spot.leaf, maps->leaves + spot.leaf + 1,
	    (maps->count - spot.leaf) * sizeof(*maps->leaves));
}

/*
 * Removes what is between two addresses.  What is left of a map on both sides
 * of them stays; that behind them begins later in the file.
 */
static void
cut(struct maps *maps, uint64_t start, uint64_t end)
{
	const struct map *found;
	struct map map, rest;

	for (;;) {
		found = map_at(maps, find_spot(maps, start));
		if (found == NULL || found->start >= end)
			return;
		map = *found;
		remove_at(maps, find_spot(maps, start));
		if (map.end > end) {
			rest = map;
			rest.start = end;
			rest.offset += end - map.start;
			insert(maps, find_spot(maps, end), rest);
		}
		if (map.start < start) {
			map.end = start;
			insert(maps, find_spot(maps, map.start), map);
		}
	}
}

void
maps_add(struct maps *maps, struct map map)
{
	if (map.start >= map.end)
		return;
	end_snapshot(maps);
	cut(maps, map.start, map.end);
	insert(maps, find_spot(maps, map.start), map);
	maps->version = ++*maps->versions;
}

void
maps_clear(struct maps *maps, uint64_t start, uint64_t end)
{
	end_snapshot(maps);
	cut(maps, start, end);
	maps->version = ++*maps->versions;
}
