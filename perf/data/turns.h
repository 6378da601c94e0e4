/*
 * turns: has the records of a recording wait for their turns.
 *
 * Records that are no samples are brought into order, and take effect phase by
 * phase.  Samples need no order, mostly, but only to find what was when they
 * were taken: they wait in slices until all that comes before them has been
 * read, and then the crew folds them, while the next phase is read:
 *
 *	read       1, 2 ......... | 3, 4 ......... | 5, 6 ...
 *	take effect              1  |            2, 3  |
 *	fold                        | samples of 1     | samples of 2, 3
 *
 * Where samples do need their order, as they tell how far counters got, or the
 * first of them which event counts, they wait as the others do.
 */
#ifndef TURNS_H
#define TURNS_H

#include "crew.h"
#include "effects.h"
#include "order.h"

/* A record whose turn comes in the next phase. */
struct due {
	struct moment moment;
	const char *record;
	struct block *block;	/* which it holds */
};

/* Begins with the first four set, and all else zero. */
struct turns {
	struct datafile *file;
	struct effects *effects;
	struct crew *crew;
	unsigned long long memory;	/* that effects may take */

	struct order order;
	struct slices slices;		/* that wait, as the order does */
	struct due *due;		/* in order */
	size_t due_count, due_next, due_room;
	uint64_t number;		/* of the record that was read last */
	uint64_t delivered;		/* by a flush: the newest time */
	uint64_t phase_bytes;		/* that were read since the last phase */
	bool has_slices;		/* samples need no order */
	bool seeks_event;		/* the first sample in order tells which
					   event counts */
	struct phase phases[2], *phase;	/* that is prepared; the other one may
					   be folded */
	bool is_full;			/* memory is, by the record... */
	uint64_t full_at;		/* ...that is there in its file... */
	struct moment full;		/* ...and comes then */
};

/* Begins, and frees; the crew and the effects are the caller's. */
void turns_init(struct turns *turns);
void turns_free(struct turns *turns);

/* Has a record of the kernel, in a block, wait for its turn. */
void turns_add(struct turns *turns, const struct record *record,
    struct block *block);

/* Ends a round, as order.h has it. */
void turns_end_round(struct turns *turns);

/* Looks anew for the event that counts, as what is known of events changes. */
void turns_forget_event(struct turns *turns);

/* Has all folded that waits, and ends the crew's work. */
void turns_end(struct turns *turns);

#endif
