/*
 * batches: hands samples, in batches, to the threads that fold them.
 *
 * One thread, the caller's, reads a recording and fills batches.  Others take
 * them as they are full; where all are full, the caller's folds one, too.  Each
 * thread has stacks of its own, which are added up in the end.
 *
 *	caller   fills 1 | fills 2 | fills 3 | folds 3 | fills 1 | ...
 *	thread             folds 1           | folds 2           | ...
 */
#ifndef BATCHES_H
#define BATCHES_H

#include <pthread.h>

#include "../lib/threads.h"
#include "chain.h"

/* A thread that folds. */
struct worker {
	struct batches *batches;
	struct namer *namer;	/* the caller's has those of the target */
	struct frames *frames;
	struct stacks *stacks;
	struct chains chains;
	pthread_t thread;
};

struct batches {
	struct worker workers[THREADS_MOST];	/* the first is the caller */
	size_t threads, started;	/* with the caller's; 0: none yet */
	struct batch *open;		/* that is filled */
	struct batch *empty;		/* others */
	size_t made;
	/* To be set: called for each sample, with the context, in the caller's
	   thread, once its owner's memory is not needed any more. */
	void (*release)(void *context, void *owner);
	void *context;

	pthread_mutex_t lock;		/* for what follows */
	pthread_cond_t changed;
	struct batch *full, **full_end;	/* in their order */
	struct batch *done;
	size_t busy;			/* that are folded now */
	bool ended;
};

/*
 * Begins for so many threads.  Stacks go to `stacks`, frames are named as
 * `frames` does.
 */
void batches_init(struct batches *batches, size_t threads,
    struct frames *frames, struct stacks *stacks,
    const struct chain_options *options);

/*
 * Returns a chain to be filled with a sample of so many bytes, with a snapshot
 * of maps that is held for it; `kernel` are those of the kernel.
 */
struct chain *batches_add(struct batches *batches, struct maps *kernel,
    struct module *kernel_module, size_t bytes);

/* Waits until all samples are folded and released. */
void batches_settle(struct batches *batches);

/*
 * Ends the threads, and adds up their stacks, and what their chains have
 * counted in those of the first.
 */
void batches_end(struct batches *batches);

void batches_free(struct batches *batches);

#endif
