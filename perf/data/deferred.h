/*
 * deferred: joins samples to the call chains of programs that the kernel writes
 * when it returns to them (perf record --call-graph fp,defer; Linux 6.19).
 *
 * A sample tells the kernel's addresses, and a cookie, which all samples of a
 * stay in the kernel have.  At its end comes the program's chain, once:
 *
 *	SAMPLE    ffffffff81a012  USER_DEFERRED  cookie
 *	SAMPLE    ffffffff81b300  USER_DEFERRED  cookie
 *	CALLCHAIN_DEFERRED  cookie  count  USER  7f2a0c14  401136
 *
 * Samples wait for that, as copies, and are given on with the chain in the
 * cookie's place.  They take effect with the chain, as in perf script: the
 * addresses are of the maps that the program has then.  Records of two
 * processors may come in any order, so chains are kept, too, until all samples
 * that are older were read.
 */
#ifndef DEFERRED_H
#define DEFERRED_H

#include "window.h"

/* Those of one kind that wait, the oldest first; begins as { 0 }. */
struct deferred_queue {
	struct held *first, *last;
	struct held **buckets;	/* by thread and cookie; NULL at first */
	size_t bytes;
};

/* Begins with a window, to which records are given on, and else zero. */
struct deferred {
	struct window *window;
	struct deferred_queue samples, chains;
	struct block *block;	/* in which samples were joined; or NULL */
	unsigned long long alone;	/* samples whose chain never came */
};

/* Does the work of deferred_add where chains are deferred. */
void deferred_take(struct deferred *deferred, const struct record *record,
    struct block *block);

/* Gives a record of the kernel on, which is in a block, or holds it. */
static inline void
deferred_add(struct deferred *deferred, const struct record *record,
    struct block *block)
{
	if (deferred->window->file->attrs.defers_chains)
		deferred_take(deferred, record, block);
	else
		window_add(deferred->window, record, block);
}

/* Gives on all that waits. */
void deferred_end(struct deferred *deferred);

#endif
