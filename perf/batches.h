/*
 * batches: hands samples, in batches, to the threads that fold them.
 *
 * One thread, the caller's, reads a recording and fills batches, one for each
 * thread.  A chain that comes again goes to the same thread, by a hash, so that
 * no other one has to make a stack of it, too.  The caller's has a share of the
 * chains that grows while the others are behind, and shrinks while one of them
 * has nothing to do.  Each thread has stacks of its own, which are added up in
 * the end.
 *
 *	caller   fills 1a, 2 | fills 1b, 2 | folds 2 | fills 1a, 2 | ...
 *	thread                 folds 1a    | folds 1b              | ...
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
	struct batch *open;	/* that is filled for it */
	struct batch *begun;	/* by chains_fold_early */
	/* With the lock: */
	struct batch *full, **full_end;	/* in their order */
	size_t waiting;		/* so many of these */
	bool is_busy;
};

struct batches {
	struct worker workers[THREADS_MOST];	/* the first is the caller */
	size_t threads, started;	/* with the caller's; 0: none yet */
	uint32_t share;			/* of the caller, of BATCHES_SHARES */
	struct batch *empty;
	size_t made;
	/* To be set: called for so many samples of an owner, with the context,
	   in the caller's thread, once its memory is not needed any more. */
	void (*release)(void *context, void *owner, size_t count);
	void *context;

	pthread_mutex_t lock;		/* for what follows */
	pthread_cond_t changed;
	struct batch *done;
	size_t given;			/* to threads, and not done */
	bool ended;
};

#define BATCHES_SHARES	64

/*
 * Begins for so many threads.  Stacks go to `stacks`, frames are named as
 * `frames` does.
 */
void batches_init(struct batches *batches, size_t threads,
    struct frames *frames, struct stacks *stacks,
    const struct chain_options *options);

/* Returns the thread that folds chains with a key, where there are several. */
struct worker *batches_choose(struct batches *batches, uint64_t key);

/* Begins a batch for a thread, and has the one that was open folded. */
struct batch *batches_open(struct batches *batches, struct worker *worker,
    struct maps *kernel, struct module *kernel_module);

/* A batch is full with so many bytes: their blocks cannot be read into. */
#define BATCH_BYTES	((size_t)256 * 1024)

/*
 * Returns a batch with room for a sample of so many bytes; `kernel` are the
 * maps of the kernel.  Chains with one key are mostly folded by one thread.
 */
static inline struct batch *
batches_with_room(struct batches *batches, struct maps *kernel,
    struct module *kernel_module, uint64_t key, size_t bytes)
{
	struct worker *worker = batches->threads == 1 ? batches->workers :
	    batches_choose(batches, key);
	struct batch *batch = worker->open;

	if (batch == NULL || batch->count == BATCH_CHAINS ||
	    batch->bytes >= BATCH_BYTES ||
	    batch->kernel->version != kernel->version ||
	    batch->kernel_module != kernel_module)
		batch = batches_open(batches, worker, kernel, kernel_module);
	batch->bytes += bytes;
	return batch;
}

/* Adds a chain, to be filled, with a snapshot of maps that is held for it. */
static inline struct chain *
batch_add(struct batch *batch)
{
	return &batch->chains[batch->count++];
}

/* Adds the rest of a chain of the batch; returns where it is. */
static inline const struct chain_rest *
batch_add_rest(struct batch *batch, struct chain_rest rest)
{
	if (batch->rests == NULL)
		batch->rests = mem_array(BATCH_CHAINS, sizeof(*batch->rests));
	batch->rests[batch->rests_count] = rest;
	return &batch->rests[batch->rests_count++];
}

/* Waits until all samples are folded and released. */
void batches_settle(struct batches *batches);

/*
 * Ends the threads, and adds up their stacks, and what their chains have
 * counted in those of the first.
 */
void batches_end(struct batches *batches);

void batches_free(struct batches *batches);

#endif
