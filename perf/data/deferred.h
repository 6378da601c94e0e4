/*
 * deferred: samples whose program's call chain comes after them, which the
 * kernel writes when it returns to the program (perf record --call-graph
 * fp,defer; Linux 6.19).
 *
 * A sample has the kernel's addresses, and a cookie, which all samples of a
 * stay in the kernel have.  At its end comes the program's chain, once:
 *
 *	SAMPLE    ffffffff81a012  USER_DEFERRED  cookie
 *	SAMPLE    ffffffff81b300  USER_DEFERRED  cookie
 *	CALLCHAIN_DEFERRED  cookie  count  USER  7f2a0c14  401136
 *
 * Samples that leave the queue are parked here as copies until their chain
 * leaves it, and take effect then, as in perf script: the addresses are of the
 * maps that the program has then.
 */
#ifndef DEFERRED_H
#define DEFERRED_H

#include "record.h"

/* A sample that waits. */
struct parked {
	struct parked *next;	/* of its bucket, or of those that were taken */
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

/* Takes those of the oldest cookie, if too much waits, or `all` must go. */
struct parked *deferred_take_oldest(struct deferred *deferred, bool all);

void deferred_free(struct deferred *deferred);

#endif
