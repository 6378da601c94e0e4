/*
 * maps: the files, and other memory, that a process or the kernel has mapped,
 * by address, at any moment.
 *
 * A map is there from its moment on.  Where maps overlap, the newest of those
 * that were there counts, so nothing is ever changed or removed:
 *
 *	added at 5    |--------- libc ---------|
 *	added at 9            |-- jit --|
 *	at 7          |--------- libc ---------|
 *	at 9          | libc  |-- jit --| libc |
 *
 * A process that was forked has its parent's maps of that moment below its own.
 */
#ifndef MAPS_H
#define MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "moment.h"

struct module;

/* Addresses from start to, not including, end. */
struct map {
	uint64_t start, end;
	uint64_t offset;	/* of start in the file */
	struct module *module;	/* NULL: nothing is there any more */
	struct moment from;	/* when it was mapped */
};

/*
 * Maps as they were at a moment: the first `count` that were added.  It begins
 * as { 0 }, without any.
 */
struct maps_view {
	struct maps *maps;
	uint32_t count;
};

/*
 * Makes maps that have those of a view, of a parent, below them.  Their number
 * is not 0, and is that of no other maps.  The caller holds them once.
 */
struct maps *maps_new(uint32_t number, struct maps_view parent);

/* Holds maps once more, or once less; those that nobody holds are freed. */
void maps_hold(struct maps *maps);
void maps_drop(struct maps *maps);

/* Adds a map, unless it is empty; its moment is not before that of another. */
void maps_add(struct maps *maps, const struct map *map);

/* Returns maps as they are after all that was added. */
struct maps_view maps_now(struct maps *maps);

/* Returns maps as they were at a moment. */
struct maps_view maps_at(struct maps *maps, struct moment moment);

/* Returns a number of a view that others have only if they are equal; not 0. */
uint64_t maps_version(struct maps_view view);

/* Addresses around one, from start to, not including, end. */
struct maps_range {
	uint64_t start, end;
};

/*
 * Returns the map at an address, or NULL; and addresses around it for which the
 * answer is the same.
 */
const struct map *maps_find(struct maps_view view, uint64_t address,
    struct maps_range *around);

#endif
