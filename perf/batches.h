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
#include "reader.h"

/* A thread that folds. */
struct worker {
	struct batches *batches;
	struct namer *namer;	/* the caller's has those of the target */
	struct frames *frames;
	struct stacks *stacks;
	struct chains chains;
	pthread_t thread;
	struct batch *open;	/* that is filled for it */
	struct batch *kept;	/* some of whose chains wait for names */
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
	unsigned long long opened;	/* so many, each time anew */
	struct blocks *blocks;

	pthread_mutex_t lock;		/* for what follows */
	pthread_cond_t changed;
	struct batch *done;
	size_t given;			/* to threads, and not done */
	bool waits;			/* the caller does, for one of these */
	bool ended;
};

#define BATCHES_SHARES	64

/*
 * Begins for so many threads, and samples in blocks.  Stacks go to `stacks`,
 * frames are named as `frames` does.
 */
void batches_init(struct batches *batches, size_t threads,
    struct blocks *blocks, struct frames *frames, struct stacks *stacks,
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

/* Adds a chain, to be filled, whose words are in a block. */
static inline struct chain *
batch_add(struct batch *batch, struct block *block)
{
	if (block->batch != batch->number) {
		block->batch = batch->number;
		block->held++;
		batch->blocks[batch->blocks_count++] = block;
	}
	return &batch->chains[batch->count++];
}

/* Returns the snapshot of maps, for a chain of the batch. */
static inline const struct maps *
batch_hold_maps(struct batch *batch, struct maps *maps)
{
	if (maps->batch != batch->number) {
		maps->batch = batch->number;
		batch->maps[batch->maps_count++] = maps_hold(maps);
	}
	return maps->snapshot;
}

/* Adds the rest of a chain of the batch; returns its number, from 1. */
static inline uint16_t
batch_add_rest(struct batch *batch, struct chain_rest rest)
{
	if (batch->rests == NULL)
		batch->rests = mem_array(BATCH_CHAINS, sizeof(*batch->rests));
	batch->rests[batch->rests_count++] = rest;
	return (uint16_t)batch->rests_count;
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
