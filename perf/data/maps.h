/*
 * maps: what a process or the kernel has mapped now, by address.
 *
 * A new map replaces what it covers, and leaves the rest in place:
 *
 *	before		|--------- libc ---------|
 *	adds			|-- jit --|
 *	after		| libc	|-- jit --| libc |
 *
 * A forked process shares its parent's maps until one of them changes.  They
 * are kept in blocks, so that a change of one among 100,000, for example by a
 * JIT compiler, moves only a few; copies share blocks, too.
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

/* NULL is without any map. */
struct maps {
	uint64_t generation;	/* changes when a map does; no others have it */
	unsigned users;
	struct maps_block **blocks;	/* by address; none is empty */
	size_t count, room;
};

/* Generation of NULL; others have higher numbers. */
#define MAPS_NONE	UINT64_C(1)

static inline uint64_t
maps_generation(const struct maps *maps)
{
	return maps == NULL ? MAPS_NONE : maps->generation;
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

/* Adds a map; copies shared maps.  The generation must be a new one. */
struct maps *maps_add(struct maps *maps, const struct map *map,
    uint64_t generation);

/* A range of addresses around the one looked up; end is not in it. */
struct maps_range {
	uint64_t start, end;
};

/*
 * Returns the map at an address, or NULL, until the next change; and addresses
 * around it for which the answer is the same, unless that is NULL.
 */
const struct map *maps_find(const struct maps *maps, uint64_t address,
    struct maps_range *around);

#endif
