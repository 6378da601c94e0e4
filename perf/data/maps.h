/*
 * maps: what a process or the kernel has mapped now, by address.
 *
 * A new map replaces what it covers, and leaves the rest in place:
 *
 *	before		|--------- libc ---------|
 *	adds			|-- jit --|
 *	after		| libc	|-- jit --| libc |
 *
 * Maps are a search tree that random ranks balance, a treap.  A forked process
 * shares its parent's branches until one of the two changes them.  A new map
 * among the 100,000 of a JIT compiler changes a few branches.
 */
#ifndef MAPS_H
#define MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct module;

/* Addresses from start to, not including, end. */
struct map {
	uint64_t start, end;
	uint64_t offset;	/* of start in the file */
	struct module *module;	/* NULL: nothing is there any more */
};

/* A tree of maps: its root, and those at lower and higher addresses. */
struct maps {
	struct map map;
	struct maps *before, *after;
	uint64_t generation;	/* of the whole tree */
	unsigned users;
};

/* Returns the generation of maps; that of NULL is the first, 1. */
static inline uint64_t
maps_generation(const struct maps *maps)
{
	return maps == NULL ? 1 : maps->generation;
}

/* Adds a user, and returns the maps. */
static inline struct maps *
maps_hold(struct maps *maps)
{
	if (maps != NULL)
		maps->users++;
	return maps;
}

/* Frees the maps if this was the last user. */
void maps_drop(struct maps *maps);

/* Adds a map for one user of the maps.  Counts up the newest generation. */
void maps_add(struct maps **maps, const struct map *map, uint64_t *generation);

/* A range of addresses around the one looked up; end is not in it. */
struct maps_range {
	uint64_t start, end;
};

/*
 * Returns the map at an address, or NULL, until the next change.  Stores for
 * which addresses that is so, unless `around` is NULL.
 */
const struct map *maps_find(const struct maps *maps, uint64_t address,
    struct maps_range *around);

#endif
