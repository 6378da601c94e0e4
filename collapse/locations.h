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
	uint32_t *single;	/* the frame of one that has no other, plus
				   one; most have, and this needs a sixth of
				   the memory that known does */
	struct arena arena;
	struct text names;
};

void locations_init(struct locations *locations);
void locations_free(struct locations *locations);

/* Reads a location for the first time; NULL if it is damaged. */
const struct calls *locations_read(struct locations *locations,
    uint32_t number);

/*
 * Adds the calls of the location with that id to a stack; false if there is
 * none, or if it is damaged.
 */
static inline bool
locations_push(struct locations *locations, uint64_t id, struct stack *stack)
{
	uint32_t number = ids_find(&locations->profile->location_ids, id);
	const struct calls *calls;

	if (number == IDS_NONE)
		return false;
	if (locations->single[number] > 0) {
		stack_push(stack, locations->single[number] - 1);
		return true;
	}
	calls = &locations->known[number];
	if (calls->frames == NULL)
		calls = locations_read(locations, number);
	if (calls != NULL)
		calls_push(stack, *calls);
	return calls != NULL;
}

#endif
