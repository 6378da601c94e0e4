#include <stdlib.h>

#include "workers.h"

/* Takes a slice, or NULL; the lock is held. */
static const struct slice *
take(const struct worker *worker)
{
	struct workers *workers = worker->workers;
	const struct slices *slices = workers->slices;

	if (slices == NULL || workers->next == slices->count ||
	    (workers->keeps_order && worker != &workers->list[0]))
		return NULL;
	return &slices->list[workers->next++];
}

/* Folds slices while there are some; the lock is held before and after. */
static void
fold(struct worker *worker)
{
	struct workers *workers = worker->workers;
	const struct slice *slice = take(worker);

	if (slice == NULL)
		return;
	workers->busy++;
	samples_begin(&worker->samples);
	for (; slice != NULL; slice = take(worker)) {
		pthread_mutex_unlock(&workers->lock);
		samples_take(&worker->samples, slice);
		pthread_mutex_lock(&workers->lock);
	}
	pthread_mutex_unlock(&workers->lock);
	samples_fold(&worker->samples);
	pthread_mutex_lock(&workers->lock);
	if (--workers->busy == 0)
		pthread_cond_broadcast(&workers->changed);
}

/* Folds windows until they end, in a thread: a struct worker. */
static void *
work(void *argument)
{
	struct worker *worker = argument;
	struct workers *workers = worker->workers;

	pthread_mutex_lock(&workers->lock);
	while (!workers->ended) {
		fold(worker);
		if (!workers->ended)
			pthread_cond_wait(&workers->changed, &workers->lock);
	}
	pthread_mutex_unlock(&workers->lock);
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
workers_init(struct workers *workers, size_t count,
    const struct samples *samples, const struct chain_options *options)
{
	const struct recording_target *target = samples->target;
	struct worker *worker;
	size_t i;

	workers->count = count;
	pthread_mutex_init(&workers->lock, NULL);
	pthread_cond_init(&workers->changed, NULL);
	for (i = 0; i < count; i++) {
		worker = &workers->list[i];
		*worker = (struct worker){ .workers = workers,
		    .namer = target->frames->namer, .frames = target->frames,
		    .stacks = target->stacks, .samples = *samples };
		if (i > 0)
			begin_worker(worker, target->frames);
		chains_init(&worker->chains, worker->frames, worker->stacks,
		    options);
		worker->samples.namer = worker->namer;
		worker->samples.chains = &worker->chains;
		worker->samples.batch = mem_array(1,
		    sizeof(*worker->samples.batch));
		if (i > 0)
			worker->samples.attrs = &worker->attrs;
		if (i > 0 && samples->tally != NULL) {
			worker->samples.tally = &worker->tally;
			worker->tally = (struct select_tally){ 0 };
		}
	}
}

/* Starts the threads, once there is something to do for them. */
static void
start(struct workers *workers)
{
	struct worker *worker = &workers->list[1];

	if (workers->started > 0)
		return;
	workers->started = 1;
	for (; workers->started < workers->count &&
	    threads_start(&worker->thread, work, worker); worker++)
		workers->started++;
}

void
workers_begin(struct workers *workers, const struct slices *slices,
    uint64_t complete)
{
	struct samples *samples = workers_samples(workers);
	bool keeps_order = samples_keep_order(samples);
	struct worker *worker;

	if (slices->count > 0 && !keeps_order)
		start(workers);
	samples_choose_event(samples, slices);
	workers->complete = complete;
	for (worker = &workers->list[1];
	    worker < workers->list + workers->started; worker++) {
		worker->attrs = *samples->attrs;
		worker->samples.machine = samples->machine;
	}
	pthread_mutex_lock(&workers->lock);
	workers->next = 0;
	workers->slices = slices;
	workers->keeps_order = keeps_order;
	pthread_cond_broadcast(&workers->changed);
	pthread_mutex_unlock(&workers->lock);
}

void
workers_finish(struct workers *workers)
{
	struct worker *first = &workers->list[0];
	struct samples *samples = &first->samples;
	size_t i;

	if (workers->slices == NULL)
		return;
	pthread_mutex_lock(&workers->lock);
	fold(first);
	while (workers->busy > 0)
		pthread_cond_wait(&workers->changed, &workers->lock);
	workers->slices = NULL;
	pthread_mutex_unlock(&workers->lock);
	samples_fold_ordered(samples, workers->complete);
	for (i = 1; i < workers->started; i++)
		samples_move(samples, &workers->list[i].samples);
	samples_note_others(samples);
	*samples->target->samples += samples->count;
	samples->count = 0;
	if (samples->target->fields == NULL)
		return;
	fieldcount_add(samples->target->fields, &samples->fields);
	samples->fields.missing = samples->fields.negative = 0;
}

void
workers_forget_event(struct workers *workers)
{
	size_t i;

	for (i = 0; i < workers->count; i++)
		samples_forget_event(&workers->list[i].samples);
}

void
workers_end(struct workers *workers)
{
	struct worker *first = &workers->list[0], *worker;
	size_t i;

	pthread_mutex_lock(&workers->lock);
	workers->ended = true;
	pthread_cond_broadcast(&workers->changed);
	pthread_mutex_unlock(&workers->lock);
	chains_settle(&first->chains);
	for (i = 1; i < workers->started; i++) {
		worker = &workers->list[i];
		pthread_join(worker->thread, NULL);
		unresolved_add(&first->chains.unresolved,
		    &worker->chains.unresolved);
		orphans_add(&first->chains.backtrace.orphans,
		    &worker->chains.backtrace.orphans);
		stacks_merge(first->stacks, &first->namer->names,
		    worker->stacks, &worker->namer->names);
	}
}

void
workers_free(struct workers *workers)
{
	size_t i;

	for (i = 0; i < workers->count; i++) {
		chains_free(&workers->list[i].chains);
		samples_free(&workers->list[i].samples);
		if (i > 0 && workers->list[i].samples.tally != NULL)
			select_tally_free(&workers->list[i].tally);
		if (i > 0)
			end_worker(&workers->list[i]);
	}
	pthread_mutex_destroy(&workers->lock);
	pthread_cond_destroy(&workers->changed);
}
