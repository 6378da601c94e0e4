/*
 * locations: names the locations of a pprof profile.  A location is a function,
 * perhaps with others that were inlined into it, or an address alone, whose
 * functions are looked for in the file that was mapped there.
 */
#ifndef LOCATIONS_H
#define LOCATIONS_H

#include "../fold/calls.h"
#include "../lib/content.h"
#include "native.h"
#include "profile.h"

/* It begins with the first four set. */
struct locations {
	const struct profile *profile;
	struct namer *namer;
	struct native *native;
	struct budget *budget;	/* for all names of frames */
	struct calls *known;	/* by a location's number; frames NULL: not
				   yet */
	struct arena arena;
	struct text names;
};

void locations_init(struct locations *locations);
void locations_free(struct locations *locations);

/* Reads a location for the first time; NULL if it is damaged. */
const struct calls *locations_read(struct locations *locations,
    uint32_t number);

/*
 * Returns the calls of the location with that id, which live as long as
 * locations; NULL if there is none, or if it is damaged.
 */
static inline const struct calls *
locations_find(struct locations *locations, uint64_t id)
{
	uint32_t number = ids_find(&locations->profile->location_ids, id);

	if (number == IDS_NONE)
		return NULL;
	return locations->known[number].frames != NULL ?
	    &locations->known[number] : locations_read(locations, number);
}

#endif
