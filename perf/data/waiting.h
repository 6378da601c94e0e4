/*
 * waiting: chains of samples that wait for the kernel's names, which another
 * thread reads.
 *
 * They have words of their own, and, once they are told to keep them, maps: so
 * they may wait longer than all else of the phase that they were met in.
 */
#ifndef WAITING_H
#define WAITING_H

#include "keys.h"

struct waiting_chain {
	struct chain chain;
	const struct maps *kernel;
	struct module *kernel_module;
	struct seen_chain *seen;	/* which has counted it */
};

/* Begins as { 0 }. */
struct waiting {
	struct waiting_chain *list;
	size_t count, room;
	struct arena words;		/* theirs */
	const struct maps **kept;	/* snapshots, two for each that keeps
					   them */
	size_t kept_count, kept_room;
	bool has_ended;			/* what is kept is of chains before */
};

/* Adds a chain, whose words are copied. */
void waiting_add(struct waiting *waiting, struct waiting_chain chain);

/* Ends the wait of all, whose maps are kept until the next call of this: */
void waiting_end(struct waiting *waiting);

/*
 * Keeps the maps of those that wait, and drops those of others.  Nobody else
 * may hold or drop maps meanwhile.
 */
void waiting_keep_maps(struct waiting *waiting);

/* Frees all, under the same condition. */
void waiting_free(struct waiting *waiting);

#endif
