/*
 * maps: the files, and other memory, that a process or the kernel has mapped,
 * by address.
 *
 * Maps do not overlap: a new one cuts off what it covers of those before it.
 * A process that forks copies its maps, and most then become another program,
 * so copies, and snapshots, share memory as far as they do not change:
 *
 *	maps of sh   root 1 ---- leaf 1, leaf 2
 *	                        /
 *	maps of ls   root 2 ---'-- leaf 3, changed
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
	struct module *module;
};

#define MAPS_ROOMS	4	/* of nodes, each twice as large */

/* Maps of all processes share this, which begins as { 0 }. */
struct all_maps {
	unsigned long long version;	/* the last one that was given */
	unsigned long long bytes;	/* that all take */
	struct node *spare[MAPS_ROOMS];	/* nodes of each room, to be used
					   again, by their parents */
};

struct maps {
	struct node *root;	/* NULL: there are none */
	size_t count;
	struct all_maps *all;
	unsigned long long version;	/* equal only where the contents are */
	unsigned users;		/* for the caller; of a snapshot, its holders */
	struct maps *snapshot;	/* as they are now, or NULL */
	struct past *past;	/* for the caller */
};

/* Returns maps without any, with the next of the versions. */
struct maps *maps_new(struct all_maps *all);

/* Makes maps equal to others, with the same version. */
void maps_assign(struct maps *maps, const struct maps *from);

void maps_free(struct maps *maps);

/* Frees what they shared, when all maps are freed. */
void all_maps_free(struct all_maps *all);

/*
 * Adds a map, unless it is empty, instead of what there is from its start to
 * its end.
 */
void maps_add(struct maps *maps, struct map map);

/* Makes the snapshot, which there is not. */
void maps_make_snapshot(struct maps *maps);

/*
 * Returns a snapshot of maps: the same ones, which never change, so that any
 * thread may look for addresses in it.  One thread holds and drops snapshots,
 * the one that changes maps.
 */
static inline const struct maps *
maps_hold(struct maps *maps)
{
	if (maps->snapshot == NULL)
		maps_make_snapshot(maps);
	maps->snapshot->users++;
	return maps->snapshot;
}

static inline void
maps_drop(const struct maps *snapshot)
{
	struct maps *maps = (struct maps *)(uintptr_t)snapshot;

	if (--maps->users == 0)
		maps_free(maps);
}

/* Removes all between two addresses. */
void maps_clear(struct maps *maps, uint64_t start, uint64_t end);

/* Returns the map at an address, which lives until maps change, or NULL. */
const struct map *maps_find(const struct maps *maps, uint64_t address);

/* Returns the first map that ends behind an address, or NULL, as above. */
const struct map *maps_find_behind(const struct maps *maps, uint64_t address);

#endif
