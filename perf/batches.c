#include <stdlib.h>

#include "batches.h"

/* Batches for each thread, so that one that is slow at times stops no other. */
#define BATCHES_EACH	8

/* More of them while the kernel's names are read. */
#define BATCHES_EARLY	48

/* A thread is behind if so many wait for it. */
#define BATCHES_BEHIND	6

/* A thread that sleeps is woken for so many: half as often as for each. */
#define BATCHES_WAKE	2

/* Takes the first batch that is full, or NULL; the lock is held. */
static struct batch *
take(struct worker *worker)
{
	struct batch *batch = worker->full;

	if (batch == NULL)
		return NULL;
	worker->full = batch->next;
	worker->waiting--;
	if (batch->next == NULL)
		worker->full_end = &worker->full;
	return batch;
}

/* Keeps a batch, some of whose chains wait for the kernel's names. */
static void
keep(struct worker *worker, struct batch *batch)
{
	batch->next = worker->kept;
	worker->kept = batch;
}

/* Takes a batch that was kept, or NULL. */
static struct batch *
take_kept(struct worker *worker)
{
	struct batch *batch = worker->kept;

	if (batch != NULL)
		worker->kept = batch->next;
	return batch;
}

/* Says that a batch, and those that were kept, are done; the lock is held. */
static void
finish(struct worker *worker, struct batch *batch)
{
	struct batches *batches = worker->batches;

	for (; batch != NULL; batch = take_kept(worker)) {
		batch->next = batches->done;
		batches->done = batch;
		batches->given--;
	}
	pthread_cond_broadcast(&batches->changed);
}

/* Folds a batch while the lock, which is held before and after, is not. */
static void
fold(struct worker *worker, struct batch *batch)
{
	struct batches *batches = worker->batches;
	bool waits;

	worker->is_busy = true;
	pthread_mutex_unlock(&batches->lock);
	waits = chains_fold(&worker->chains, batch);
	pthread_mutex_lock(&batches->lock);
	worker->is_busy = false;
	if (waits)
		keep(worker, batch);
	else
		finish(worker, batch);
}

/* Folds what waits for the kernel's names; the lock is as in fold. */
static void
fold_kept(struct worker *worker)
{
	struct batches *batches = worker->batches;

	pthread_mutex_unlock(&batches->lock);
	chains_end_waiting(&worker->chains);
	pthread_mutex_lock(&batches->lock);
	finish(worker, take_kept(worker));
}

/* Folds batches until they end, in a thread: a struct worker. */
static void *
work(void *argument)
{
	struct worker *worker = argument;
	struct batches *batches = worker->batches;
	struct batch *batch;

	pthread_mutex_lock(&batches->lock);
	while ((batch = take(worker)) != NULL || !batches->ended)
		if (batch != NULL)
			fold(worker, batch);
		else if (batches->waits && worker->kept != NULL)
			fold_kept(worker);
		else
			pthread_cond_wait(&batches->changed, &batches->lock);
	pthread_mutex_unlock(&batches->lock);
	chains_settle(&worker->chains);
	return NULL;
}

/* Gives a thread frames and stacks of its own. */
static void
begin_worker(struct worker *worker, const struct frames *frames)
{
	worker->namer = mem_array(1, sizeof(*worker->namer));
	namer_init(worker->namer);
	worker->frames = mem_array(1, sizeof(*worker->frames));
	frames_init(worker->frames, worker->namer);
	worker->frames->kernel = frames->kernel;
	worker->frames->jit = frames->jit;
	worker->frames->addresses = frames->addresses;
	worker->stacks = mem_array(1, sizeof(*worker->stacks));
	stacks_init(worker->stacks);
}

static void
end_worker(struct worker *worker)
{
	stacks_free(worker->stacks);
	frames_free(worker->frames);
	namer_free(worker->namer);
	free(worker->stacks);
	free(worker->frames);
	free(worker->namer);
}

void
batches_init(struct batches *batches, size_t threads, struct blocks *blocks,
    struct frames *frames, struct stacks *stacks,
    const struct chain_options *options)
{
	struct worker *worker;
	size_t i;

	*batches = (struct batches){ .threads = threads, .blocks = blocks };
	pthread_mutex_init(&batches->lock, NULL);
	pthread_cond_init(&batches->changed, NULL);
	for (i = 0; i < threads; i++) {
		worker = &batches->workers[i];
		*worker = (struct worker){ .batches = batches,
		    .namer = frames->namer, .frames = frames,
		    .stacks = stacks };
		worker->full_end = &worker->full;
		if (i > 0)
			begin_worker(worker, frames);
		chains_init(&worker->chains, worker->frames, worker->stacks,
		    options);
	}
}

/* Starts the threads, once there is something to do for them. */
static void
start(struct batches *batches)
{
	struct worker *worker = &batches->workers[1];

	if (batches->started > 0)
		return;
	batches->started = 1;
	for (; batches->started < batches->threads &&
	    pthread_create(&worker->thread, NULL, work, worker) == 0; worker++)
		batches->started++;
}

/* Lets go of what the samples of a batch are in, and empties it. */
static void
empty(struct batches *batches, struct batch *batch)
{
	while (batch->blocks_count > 0)
		blocks_drop(batches->blocks,
		    batch->blocks[--batch->blocks_count], 1);
	while (batch->maps_count > 0)
		maps_drop(batch->maps[--batch->maps_count]);
	maps_drop(batch->kernel);
	batch->count = batch->rests_count = batch->bytes = 0;
	batch->next = batches->empty;
	batches->empty = batch;
}

/* Empties the batches that the caller's thread has kept. */
static void
empty_kept(struct batches *batches)
{
	struct batch *batch;

	while ((batch = take_kept(&batches->workers[0])) != NULL)
		empty(batches, batch);
}

/* Folds a batch in the caller's thread. */
static void
fold_here(struct batches *batches, struct batch *batch)
{
	struct worker *worker = &batches->workers[0];
	bool waits = chains_fold(&worker->chains, batch);

	keep(worker, batch);
	if (!waits)
		empty_kept(batches);
}

/* Folds what waits for the kernel's names in the caller's thread. */
static void
fold_kept_here(struct batches *batches)
{
	chains_end_waiting(&batches->workers[0].chains);
	empty_kept(batches);
}

/* Gives a batch to a thread. */
static void
give(struct batches *batches, struct worker *worker, struct batch *batch)
{
	bool wakes;

	pthread_mutex_lock(&batches->lock);
	if (!worker->is_busy && worker->full == NULL && batches->share > 0)
		batches->share--;
	else if (worker->waiting > BATCHES_BEHIND &&
	    batches->share < BATCHES_SHARES - 1)
		batches->share++;
	batch->next = NULL;
	*worker->full_end = batch;
	worker->full_end = &batch->next;
	batches->given++;
	wakes = ++worker->waiting == BATCHES_WAKE && !worker->is_busy;
	pthread_mutex_unlock(&batches->lock);
	if (wakes)	/* not while the lock is held, for which it would wait */
		pthread_cond_broadcast(&batches->changed);
}

/* Has the open batch of a thread folded by that, or here. */
static void
close_batch(struct batches *batches, struct worker *worker)
{
	struct batch *batch = worker->open;

	worker->open = NULL;
	if (worker > batches->workers)
		start(batches);
	if (worker > batches->workers &&
	    worker < batches->workers + batches->started)
		give(batches, worker, batch);
	else
		fold_here(batches, batch);
}

/*
 * Empties the batches that are done; may wait for one if there is none.  False
 * if there is nothing to wait for.
 */
static bool
collect(struct batches *batches, bool waits)
{
	struct batch *done, *next;
	bool any;

	pthread_mutex_lock(&batches->lock);
	batches->waits = waits && batches->done == NULL && batches->given > 0;
	if (batches->waits)
		pthread_cond_broadcast(&batches->changed);
	while (batches->waits && batches->done == NULL && batches->given > 0)
		pthread_cond_wait(&batches->changed, &batches->lock);
	batches->waits = false;
	done = batches->done;
	batches->done = NULL;
	any = done != NULL || batches->given > 0;
	pthread_mutex_unlock(&batches->lock);
	for (; done != NULL; done = next) {
		next = done->next;
		empty(batches, done);
	}
	return any;
}

/* True if another batch may be made. */
static bool
has_room(struct batches *batches, struct module *kernel_module)
{
	return batches->made < batches->threads * BATCHES_EACH ||
	    (batches->made < batches->threads * BATCHES_EARLY &&
	    chains_lack_names(&batches->workers[0].chains,
	    kernel_module));
}

/* Returns a batch to fill; where there is none, this thread waits. */
static struct batch *
empty_batch(struct batches *batches, struct module *kernel_module)
{
	struct batch *batch;

	if (batches->empty == NULL)
		collect(batches, false);
	if (batches->empty == NULL && has_room(batches, kernel_module)) {
		batches->made++;
		return mem_array(1, sizeof(*batch));
	}
	if (batches->empty == NULL)
		fold_kept_here(batches);
	while (batches->empty == NULL)
		collect(batches, true);
	batch = batches->empty;
	batches->empty = batch->next;
	return batch;
}

struct worker *
batches_choose(struct batches *batches, uint64_t key)
{
	uint32_t hash = (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32);

	if (hash % BATCHES_SHARES < batches->share)
		return &batches->workers[0];
	return &batches->workers[1 + hash / BATCHES_SHARES %
	    (batches->threads - 1)];
}

struct batch *
batches_open(struct batches *batches, struct worker *worker,
    struct maps *kernel, struct module *kernel_module)
{
	struct batch *batch;

	if (worker->open != NULL)
		close_batch(batches, worker);
	batch = worker->open = empty_batch(batches, kernel_module);
	batch->number = ++batches->opened;
	batch->kernel = maps_hold(kernel);
	batch->kernel_module = kernel_module;
	return batch;
}

void
batches_settle(struct batches *batches)
{
	size_t i;

	/* the caller's last, so that the others fold meanwhile */
	for (i = batches->threads; i > 0; i--)
		if (batches->workers[i - 1].open != NULL)
			close_batch(batches, &batches->workers[i - 1]);
	fold_kept_here(batches);
	while (collect(batches, true))
		continue;
}

void
batches_end(struct batches *batches)
{
	struct worker *first = &batches->workers[0], *worker;
	size_t i;

	batches_settle(batches);
	pthread_mutex_lock(&batches->lock);
	batches->ended = true;
	pthread_cond_broadcast(&batches->changed);
	pthread_mutex_unlock(&batches->lock);
	chains_settle(&first->chains);
	for (i = 1; i < batches->started; i++) {
		worker = &batches->workers[i];
		pthread_join(worker->thread, NULL);
		unknowns_add(&first->chains.unknowns,
		    &worker->chains.unknowns);
		stacks_merge(first->stacks, &first->namer->names,
		    worker->stacks, &worker->namer->names);
	}
}

void
batches_free(struct batches *batches)
{
	struct batch *batch, *next;
	size_t i;

	for (batch = batches->empty; batch != NULL; batch = next) {
		next = batch->next;
		free(batch->rests);
		free(batch);
	}
	for (i = 0; i < batches->threads; i++) {
		chains_free(&batches->workers[i].chains);
		if (i > 0)
			end_worker(&batches->workers[i]);
	}
	pthread_mutex_destroy(&batches->lock);
	pthread_cond_destroy(&batches->changed);
}
