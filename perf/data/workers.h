/*
 * workers: the threads that fold the samples of a recording, a window at a
 * time.
 *
 * One thread, the caller's, reads the recording.  While the others fold a
 * window it reads the next one, and then helps them:
 *
 *	caller  reads 1 | reads 2      | folds 1 | reads 3      | folds 2 | ...
 *	thread            folds 1                | folds 2
 *
 * Each takes the next slice of the window that nobody has taken, and has stacks
 * of its own, which are added up in the end.  Where samples need their order,
 * the caller folds alone.
 */
#ifndef WORKERS_H
#define WORKERS_H

#include <pthread.h>

#include "chain.h"
#include "lib/threads.h"
#include "samples.h"

/* A thread that folds. */
struct worker {
	struct workers *workers;
	struct namer *namer;	/* the caller's has those of the target */
	struct frames *frames;
	struct stacks *stacks;
	struct chains chains;
	struct attrs attrs;	/* with a memory of its own for questions */
	struct samples samples;
	struct select_tally tally;	/* of samples, if they have one */
	pthread_t thread;
};

/* Begins as { 0 }. */
struct workers {
	struct worker list[THREADS_MOST];	/* the first is the caller */
	size_t count, started;	/* with the caller's; 0: none yet */
	uint64_t complete;	/* samples that are no later were all taken */

	pthread_mutex_t lock;		/* for what follows */
	pthread_cond_t changed;
	const struct slices *slices;	/* that are folded, or NULL */
	bool keeps_order;		/* so that the caller alone folds */
	size_t next;			/* of them */
	size_t busy;			/* threads that fold one */
	bool ended;
};

/*
 * Begins with `count` threads.  Each has a copy of `samples`, with a namer,
 * chains and a batch of its own.
 */
void workers_init(struct workers *workers, size_t count,
    const struct samples *samples, const struct chain_options *options);
void workers_free(struct workers *workers);

/* Returns the samples of the caller's thread, which has counted all. */
static inline struct samples *
workers_samples(struct workers *workers)
{
	return &workers->list[0].samples;
}

/*
 * Begins to fold slices, while no others are folded; with those before, they
 * have all samples up to the time `complete`.
 */
void workers_begin(struct workers *workers, const struct slices *slices,
    uint64_t complete);

/* Folds, too, until all slices are. */
void workers_finish(struct workers *workers);

/* Forgets which event counts, as attrs change; no slice is folded. */
void workers_forget_event(struct workers *workers);

/* Ends the threads, and adds up their stacks in those of the first. */
void workers_end(struct workers *workers);

#endif
