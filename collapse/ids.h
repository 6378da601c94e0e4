/*
 * ids: finds what a profile gives ids of its own to: locations, functions,
 * stacks.  It numbers ids 0, 1, 2, ... in the order in which they were added.
 *
 * Most profiles count their ids up from 0 or 1: these are found by themselves,
 * and any others by a table.
 */
#ifndef IDS_H
#define IDS_H

#include "lib/table.h"

struct ids {
	uint32_t *small;	/* by an id, its number from 1; 0: not added */
	size_t most;		/* so many of these */
	uint32_t count;		/* of all ids */
	struct table others;	/* made with the first one */
	uint32_t *numbers;	/* of the others, by a number of the table */
	size_t room;
};

#define IDS_NONE	UINT32_MAX

void ids_init(struct ids *ids);
void ids_free(struct ids *ids);

/* Returns the number of an id, which is added if it is new. */
uint32_t ids_add(struct ids *ids, uint64_t id);

/* Returns the number of an id, or IDS_NONE if it was not added. */
uint32_t ids_find_other(const struct ids *ids, uint64_t id);

static inline uint32_t
ids_find(const struct ids *ids, uint64_t id)
{
	if (id < ids->most && ids->small[id] > 0)
		return ids->small[id] - 1;
	return ids_find_other(ids, id);
}

#endif
