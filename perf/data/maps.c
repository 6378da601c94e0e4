/*
 * Maps are the leaves of a tree, in which an item of a branch is known, as a
 * map is, by its end.  So each of 100,000 maps, as a compiler at run time
 * makes them, costs little more than one of ten, and to copy all costs
 * nothing: what several trees have in common is copied as far as it changes.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "maps.h"

#define FEWEST	4U	/* items that a node has room for */
#define ITEMS	(FEWEST << (MAPS_ROOMS - 1))	/* at most; most processes
						   have one leaf */

struct branch {
	uint64_t unused, end;	/* of the last map in the node */
	struct node *node;
};

union item {
	struct map map;		/* of a leaf */
	struct branch branch;	/* of any other node */
};

struct node {
	struct node *spare;	/* the next one, if nothing uses it */
	unsigned users;		/* maps and nodes that share it */
	unsigned level;		/* 0: a leaf */
	unsigned count, room;	/* of items; a node has some, in order */
	union item items[];
};

struct maps *
maps_new(struct all_maps *all)
{
	struct maps *maps = mem_array(1, sizeof(*maps));

	maps->all = all;
	maps->version = ++all->version;
	all->bytes += sizeof(*maps);
	return maps;
}

static size_t
node_bytes(unsigned room)
{
	return sizeof(struct node) + room * sizeof(union item);
}

/* Returns where the spare nodes of a room are. */
static struct node **
spare_of(struct all_maps *all, unsigned room)
{
	unsigned i = 0;

	while (room > FEWEST << i)
		i++;
	return &all->spare[i];
}

/* Keeps a node that nothing uses, whose memory others will need soon. */
static void
spare_node(struct all_maps *all, struct node *node)
{
	struct node **spare = spare_of(all, node->room);

	all->bytes -= node_bytes(node->room);
	node->spare = *spare;
	*spare = node;
}

void
all_maps_free(struct all_maps *all)
{
	struct node *node;
	unsigned i;

	for (i = 0; i < MAPS_ROOMS; i++)
		while ((node = all->spare[i]) != NULL) {
			all->spare[i] = node->spare;
			free(node);
		}
}

/* Lets go of a node; no tree is deep. */
static void
release(struct all_maps *all, struct node *node)
{
	unsigned i;

	if (node == NULL || --node->users > 0)
		return;
	for (i = 0; i < node->count && node->level > 0; i++)
		release(all, node->items[i].branch.node);
	spare_node(all, node);
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
	release(maps->all, maps->root);
	maps->all->bytes -= sizeof(*maps);
	free(maps);
}

void
maps_assign(struct maps *maps, const struct maps *from)
{
	end_snapshot(maps);
	if (from->root != NULL)
		from->root->users++;
	release(maps->all, maps->root);
	maps->root = from->root;
	maps->count = from->count;
	maps->version = from->version;
}

void
maps_make_snapshot(struct maps *maps)
{
	struct maps *snapshot = mem_array(1, sizeof(*snapshot));

	snapshot->all = maps->all;
	snapshot->all->bytes += sizeof(*snapshot);
	maps_assign(snapshot, maps);
	snapshot->users = 1;
	maps->snapshot = snapshot;
}

static struct node *
new_node(struct all_maps *all, unsigned level, unsigned room)
{
	struct node **spare = spare_of(all, room), *node = *spare;

	if (node == NULL)
		node = mem_array(1, node_bytes(room));
	else
		*spare = node->spare;
	all->bytes += node_bytes(room);
	node->count = 0;
	node->users = 1;
	node->level = level;
	node->room = room;
	return node;
}

/* Returns the least room for more items than so many; not all for all. */
static unsigned
choose_room(unsigned count)
{
	unsigned room = FEWEST;

	while (room <= count && room < ITEMS)
		room *= 2;
	return room;
}

/*
 * The node at a place in a tree, which no other has from then on, and which has
 * room for one more item, unless it is full.
 */
static struct node *
own(struct all_maps *all, struct node **at)
{
	struct node *old = *at, *node;
	unsigned i;

	if (old->users == 1 && (old->count < old->room || old->room == ITEMS))
		return old;
	node = new_node(all, old->level, choose_room(old->count));
	node->count = old->count;
	memcpy(node->items, old->items, node->count * sizeof(*node->items));
	for (i = 0; i < node->count && node->level > 0; i++)
		node->items[i].branch.node->users++;
	release(all, old);
	return *at = node;
}

/* Returns the place of the first item of a node that ends behind an address. */
static unsigned
place_of(const struct node *node, uint64_t address)
{
	unsigned low = 0, high = node->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (node->items[middle].map.end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

const struct map *
maps_find_behind(const struct maps *maps, uint64_t address)
{
	const struct node *node = maps->root;
	unsigned i;

	while (node != NULL) {
		i = place_of(node, address);
		if (i == node->count)
			break;
		if (node->level == 0)
			return &node->items[i].map;
		node = node->items[i].branch.node;
	}
	return NULL;
}

const struct map *
maps_find(const struct maps *maps, uint64_t address)
{
	const struct map *map = maps_find_behind(maps, address);

	return map != NULL && map->start <= address ? map : NULL;
}

static uint64_t
end_of(const struct node *node)
{
	return node->items[node->count - 1].map.end;
}

/* Moves the items of a node from a place on by so many places. */
static void
move_items(struct node *node, unsigned from, int by)
{
	union item *at = node->items + from;

	memmove(at + by, at, (node->count - from) * sizeof(*at));
	node->count = (unsigned)((int)node->count + by);
}

/*
 * Puts an item into a node.  A full one is parted: the second half, or, since
 * mostly they come in order, the new item alone is in the node returned.
 */
static struct node *
put_item(struct all_maps *all, struct node *node, unsigned at,
    union item item)
{
	struct node *rest = NULL, *to = node;
	unsigned kept;

	if (node->count == ITEMS) {
		kept = at == ITEMS ? ITEMS : ITEMS / 2;
		rest = new_node(all, node->level, ITEMS);
		rest->count = ITEMS - kept;
		memcpy(rest->items, node->items + kept,
		    rest->count * sizeof(*rest->items));
		node->count = kept;
		if (at > kept || at == ITEMS) {
			to = rest;
			at -= kept;
		}
	}
	move_items(to, at, 1);
	to->items[at] = item;
	return rest;
}

static union item
branch_to(struct node *node)
{
	return (union item){ .branch = { 0, end_of(node), node } };
}

/* Inserts a map below a place in a tree; returns what put_item does. */
static struct node *
insert_at(struct all_maps *all, struct node **place, const struct map *map)
{
	struct node *node = own(all, place), *rest, **below;
	unsigned i = place_of(node, map->start);

	if (node->level == 0)
		return put_item(all, node, i, (union item){ .map = *map });
	if (i == node->count)
		i--;
	below = &node->items[i].branch.node;
	rest = insert_at(all, below, map);
	node->items[i].branch.end = end_of(*below);
	return rest == NULL ? NULL :
	    put_item(all, node, i + 1, branch_to(rest));
}

static void
insert(struct maps *maps, struct map map)
{
	struct node *rest, *root;

	if (maps->root == NULL)
		maps->root = new_node(maps->all, 0, FEWEST);
	rest = insert_at(maps->all, &maps->root, &map);
	maps->count++;
	if (rest == NULL)
		return;
	root = new_node(maps->all, maps->root->level + 1, FEWEST);
	root->items[0] = branch_to(maps->root);
	root->items[1] = branch_to(rest);
	root->count = 2;
	maps->root = root;
}

/* Removes the first map that ends behind an address, which there is. */
static void
remove_at(struct all_maps *all, struct node **place, uint64_t address)
{
	struct node *node = own(all, place), **below;
	unsigned i = place_of(node, address);

	if (node->level > 0) {
		below = &node->items[i].branch.node;
		remove_at(all, below, address);
		if (*below != NULL) {
			node->items[i].branch.end = end_of(*below);
			return;
		}
	}
	move_items(node, i + 1, -1);
	if (node->count > 0)
		return;
	release(all, node);
	*place = NULL;
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

	while ((found = maps_find_behind(maps, start)) != NULL &&
	    found->start < end) {
		map = *found;
		remove_at(maps->all, &maps->root, start);
		maps->count--;
		if (map.end > end) {
			rest = map;
			rest.start = end;
			rest.offset += end - map.start;
			insert(maps, rest);
		}
		if (map.start < start) {
			map.end = start;
			insert(maps, map);
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
	insert(maps, map);
	maps->version = ++maps->all->version;
}

void
maps_clear(struct maps *maps, uint64_t start, uint64_t end)
{
	end_snapshot(maps);
	cut(maps, start, end);
	maps->version = ++maps->all->version;
}
