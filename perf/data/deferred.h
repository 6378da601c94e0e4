/*
 * deferred: samples whose user call chain follows later (perf record
 * --call-graph fp,defer; Linux 6.19).
 *
 * A sample has the kernel's addresses and a cookie, the same for all samples
 * until the kernel returns to the program.  Then the user chain is recorded
 * once:
 *
 *	SAMPLE    ffffffff81a012  USER_DEFERRED  cookie
 *	SAMPLE    ffffffff81b300  USER_DEFERRED  cookie
 *	CALLCHAIN_DEFERRED  cookie  count  USER  7f2a0c14  401136
 *
 * Copies of samples are parked here when they leave the queue, until their
 * chain leaves it.  As in perf script, they are resolved against the maps of
 * that moment.
 */
#ifndef DEFERRED_H
#define DEFERRED_H

#include "record.h"

/* A sample that waits. */
struct parked {
	struct parked *next;	/* in its bucket, or in the list taken */
	struct parked *before, *after;	/* by time of parking */
	uint64_t cookie;
	uint64_t at;		/* where it is in its file */
	int32_t tid;
	struct record record;	/* in the same piece of memory */
};

/* Begins as { 0 }. */
struct deferred {
	struct parked *first, *last;
	struct parked **buckets;	/* by thread and cookie; or NULL */
	size_t bytes;
	unsigned long long alone;	/* samples whose chain never came */
};

/*
 * Parks a sample that is in a file at a place, if it waits for a chain; false
 * if it does not.
 */
bool deferred_park(struct deferred *deferred, const struct record *record,
    const struct attr *attr, uint64_t at);

/*
 * Takes the samples of a thread with a cookie, linked by `next`, the oldest
 * first; or NULL.  The caller frees each.
 */
struct parked *deferred_take(struct deferred *deferred, int32_t tid,
    uint64_t cookie);

/* Takes the samples of the oldest cookie if too many wait, or for `all`. */
struct parked *deferred_take_oldest(struct deferred *deferred, bool all);

void deferred_free(struct deferred *deferred);

#endif
