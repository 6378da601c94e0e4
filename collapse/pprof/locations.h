/*
 * locations: names the locations of a pprof profile.  A location is a function,
 * perhaps with others that were inlined into it, or an address alone, whose
 * functions are looked for in the file that was mapped there.
 */
#ifndef LOCATIONS_H
#define LOCATIONS_H

#include "collapse/native.h"
#include "fold/calls.h"
#include "lib/content.h"
#include "profile.h"

/* It begins with the first four set. */
struct locations {
	const struct profile *profile;
	struct namer *namer;
	struct native *native;
	struct budget *budget;	/* for all names of frames */
	struct calls *known;	/* by a location's number; frames NULL: not
				   yet */
	uint32_t *single;	/* by an id that is small, see ids, the frame
				   plus one, if it is known and has no other, as
				   most: found in one step */
	struct arena arena;
	struct text names;
};

/* Begins with no location read; what the first four are must outlive it. */
void locations_init(struct locations *locations);
void locations_free(struct locations *locations);

/*
 * Adds the calls of the locations whose ids a field of a sample has to a stack;
 * false if one of them is not there, or is damaged, or if the field is.
 */
bool locations_push(struct locations *locations, struct protobuf_field *ids,
    struct stack *stack);

#endif
