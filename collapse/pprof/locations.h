/*
 * locations: names the locations of a pprof profile.  A location is a function,
 * perhaps with others that were inlined into it, or an address alone.  Its
 * functions are looked up in the file that was mapped there.
 */
#ifndef LOCATIONS_H
#define LOCATIONS_H

#include "collapse/native.h"
#include "fold/calls.h"
#include "lib/content.h"
#include "profile.h"

/* It begins with the first five members set. */
struct locations {
	const struct profile *profile;
	struct namer *namer;
	struct native *native;
	struct budget *budget;	/* for all names of frames */
	struct budget stacks;	/* for the names in all stacks */
	struct calls *known;	/* by number; without frames if not read yet */
	/*
	 * The frame plus one of a location with one frame, by its id, which is
	 * less than `most`.  Most locations are so, and profilers count ids
	 * from 1; this takes a fifth off the time of new stacks.
	 */
	uint32_t *single;
	size_t most;
	struct arena arena;
	struct text names;
};

/* Begins without any location; the first four members must outlive it. */
void locations_init(struct locations *locations);
void locations_free(struct locations *locations);

/*
 * Adds to a stack the calls of the locations whose ids a field of a sample has;
 * false if one of them is missing, or if it or the field is damaged.
 */
bool locations_push(struct locations *locations, struct protobuf_field *ids,
    struct stack *stack);

#endif
