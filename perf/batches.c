#include <stdlib.h>

#include "batches.h"

/* A batch is full with so many bytes: their blocks cannot be read into. */
#define BATCH_BYTES	((size_t)256 * 1024)

/* Batches for each thread: one is folded while another one is filled. */
#define BATCHES_EACH	3

/* Takes the first batch that is full, to fold it; the lock is held. */
static struct batch *
take_full(struct batches *batches)
{
	struct batch *batch = batches->full;

	if (batch == NULL)
		return NULL;
	batches->full = batch->next;
	if (batch->next == NULL)
		batches->full_end = &batches->full;
	batches->busy++;
	return batch;
}

/* Folds a batch while the lock, which is held before and after, is not. */
static void
fold(struct worker *worker, struct batch *batch)
{
	struct batches *batches = worker->batches;

	pthread_mutex_unlock(&batches->lock);
	chains_fold(&worker->chains, batch);
	pthread_mutex_lock(&batches->lock);
	batch->next = batches->done;
	batches->done = batch;
	batches->busy--;
	pthread_cond_broadcast(&batches->changed);
}

/* Folds batches until they end, in a thread: a struct worker. */
static void *
work(void *argument)
{
	struct worker *worker = argument;
	struct batches *batches = worker->batches;
	struct batch *batch;

	pthread_mutex_lock(&batches->lock);
	while ((batch = take_full(batches)) != NULL || !batches->ended)
		if (batch != NULL)
			fold(worker, batch);
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
batches_init(struct batches *batches, size_t threads, struct frames *frames,
    struct stacks *stacks, const struct chain_options *options)
{
	struct worker *worker;
	size_t i;

	*batches = (struct batches){ .threads = threads };
	batches->full_end = &batches->full;
	pthread_mutex_init(&batches->lock, NULL);
	pthread_cond_init(&batches->changed, NULL);
	for (i = 0; i < threads; i++) {
		worker = &batches->workers[i];
		*worker = (struct worker){ .batches = batches,
		    .namer = frames->namer, .frames = frames,
		    .stacks = stacks };
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

/* Releases what the samples of a batch held, and empties it. */
static void
empty(struct batches *batches, struct batch *batch)
{
	size_t i;

	for (i = 0; i < batch->count; i++) {
		maps_drop(batch->chains[i].maps);
		batches->release(batches->context, batch->chains[i].owner);
	}
	maps_drop(batch->kernel);
	batch->count = batch->bytes = 0;
	batch->next = batches->empty;
	batches->empty = batch;
}

/* Has the open batch folded, here or by a thread. */
static void
close_batch(struct batches *batches)
{
	struct batch *batch = batches->open;

	batches->open = NULL;
	if (batches->threads == 1) {
		chains_fold(&batches->workers[0].chains, batch);
		empty(batches, batch);
		return;
	}
	start(batches);
	pthread_mutex_lock(&batches->lock);
	batch->next = NULL;
	*batches->full_end = batch;
	batches->full_end = &batch->next;
	pthread_cond_broadcast(&batches->changed);
	pthread_mutex_unlock(&batches->lock);
}

/*
 * Empties the batches that are done.  Where there are none, folds one that
 * nobody has taken, or waits for others; false if there is nothing to wait for.
 */
static bool
collect(struct batches *batches)
{
	struct batch *done, *next, *full;
	bool any;

	pthread_mutex_lock(&batches->lock);
	if (batches->done == NULL) {
		if ((full = take_full(batches)) != NULL)
			fold(&batches->workers[0], full);
		else if (batches->busy > 0)
			pthread_cond_wait(&batches->changed, &batches->lock);
	}
	done = batches->done;
	batches->done = NULL;
	any = done != NULL || batches->full != NULL || batches->busy > 0;
	pthread_mutex_unlock(&batches->lock);
	for (; done != NULL; done = next) {
		next = done->next;
		empty(batches, done);
	}
	return any;
}

/* Returns a batch to fill. */
static struct batch *
open_batch(struct batches *batches)
{
	struct batch *batch;

	if (batches->made < batches->threads * BATCHES_EACH &&
	    batches->empty == NULL) {
		batches->made++;
		return mem_array(1, sizeof(*batch));
	}
	while (batches->empty == NULL)
		collect(batches);
	batch = batches->empty;
	batches->empty = batch->next;
	return batch;
}

struct chain *
batches_add(struct batches *batches, struct maps *kernel,
    struct module *kernel_module, size_t bytes)
{
	struct batch *batch = batches->open;

	if (batch != NULL && (batch->count == BATCH_CHAINS ||
	    batch->bytes >= BATCH_BYTES ||
	    batch->kernel->version != kernel->version ||
	    batch->kernel_module != kernel_module)) {
		close_batch(batches);
		batch = NULL;
	}
	if (batch == NULL) {
		batch = batches->open = open_batch(batches);
		batch->kernel = maps_hold(kernel);
		batch->kernel_module = kernel_module;
	}
	batch->bytes += bytes;
	return &batch->chains[batch->count++];
}

void
batches_settle(struct batches *batches)
{
	struct batch *batch = batches->open;

	while (collect(batches))
		continue;
	if (batch == NULL)
		return;
	batches->open = NULL;
	chains_fold(&batches->workers[0].chains, batch);
	empty(batches, batch);
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
		chains_add_unknown(&first->chains, &worker->chains);
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
