/*
 * crew: the threads that fold the samples of a recording, a phase at a time.
 *
 * One thread, the caller's, reads the recording.  While the others fold a phase
 * it reads the next one, and then helps them:
 *
 *	caller   reads 1 | reads 2       | folds 1 | reads 3       | folds 2 | ...
 *	thread             folds 1                 | folds 2
 *
 * Each takes the next slice of the phase that nobody has taken, and has stacks
 * of its own, which are added up in the end.
 */
#ifndef CREW_H
#define CREW_H

#include <pthread.h>

#include "lib/threads.h"
#include "samples.h"

/* A thread that folds. */
struct worker {
	struct crew *crew;
	struct namer *namer;	/* the caller's has those of the target */
	struct frames *frames;
	struct stacks *stacks;
	struct chains chains;
	struct attrs attrs;	/* with a memory of its own for questions */
	struct samples samples;
	pthread_t thread;
};

/* Begins as { 0 }. */
struct crew {
	struct worker workers[THREADS_MOST];	/* the first is the caller */
	size_t threads, started;	/* with the caller's; 0: none yet */

	pthread_mutex_t lock;		/* for what follows */
	pthread_cond_t changed;
	struct phase *phase;		/* that is folded, or NULL */
	size_t next;			/* slice of it */
	size_t busy;			/* threads that fold one */
	bool ended;
};

/*
 * Begins for so many threads, with samples that are begun but for their chains
 * and batch, which each thread gets of its own.
 */
void crew_init(struct crew *crew, size_t threads, const struct samples *samples,
    const struct chain_options *options);

/* Returns the samples of the caller's thread, for those that keep order. */
static inline struct samples *
crew_samples(struct crew *crew)
{
	return &crew->workers[0].samples;
}

/* Folds the samples that were taken in order. */
void crew_fold_ordered(struct crew *crew);

/* Has a phase, which is sealed, folded from now on; none is. */
void crew_begin(struct crew *crew, struct phase *phase);

/* Folds, too, until all of the phase is. */
void crew_finish(struct crew *crew);

/* Has the event looked for that counts, as attrs change; no phase is folded. */
void crew_forget_event(struct crew *crew);

/*
 * Ends the threads, and adds up their stacks, and what they have counted in
 * those of the first.
 */
void crew_end(struct crew *crew);

void crew_free(struct crew *crew);

#endif
