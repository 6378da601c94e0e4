#include <stdlib.h>

#include "crew.h"

/* Takes a slice, or NULL; the lock is held. */
static const struct slice *
take(struct crew *crew)
{
	const struct slices *slices;

	if (crew->phase == NULL)
		return NULL;
	slices = &crew->phase->slices;
	return crew->next < slices->count ? &slices->list[crew->next++] : NULL;
}

/* Folds slices while there are some; the lock is held before and after. */
static void
fold(struct worker *worker)
{
	struct crew *crew = worker->crew;
	const struct slice *slice = take(crew);

	if (slice == NULL)
		return;
	crew->busy++;
	for (; slice != NULL; slice = take(crew)) {
		pthread_mutex_unlock(&crew->lock);
		samples_take_slice(&worker->samples, slice);
		pthread_mutex_lock(&crew->lock);
	}
	pthread_mutex_unlock(&crew->lock);
	samples_fold(&worker->samples);
	pthread_mutex_lock(&crew->lock);
	if (--crew->busy == 0)
		pthread_cond_broadcast(&crew->changed);
}

/* Folds phases until they end, in a thread: a struct worker. */
static void *
work(void *argument)
{
	struct worker *worker = argument;
	struct crew *crew = worker->crew;

	pthread_mutex_lock(&crew->lock);
	while (!crew->ended) {
		fold(worker);
		if (!crew->ended)
			pthread_cond_wait(&crew->changed, &crew->lock);
	}
	pthread_mutex_unlock(&crew->lock);
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
crew_init(struct crew *crew, size_t threads, const struct samples *samples,
    const struct chain_options *options)
{
	const struct recording_target *target = samples->target;
	struct worker *worker;
	size_t i;

	crew->threads = threads;
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->changed, NULL);
	for (i = 0; i < threads; i++) {
		worker = &crew->workers[i];
		*worker = (struct worker){ .crew = crew,
		    .namer = target->frames->namer, .frames = target->frames,
		    .stacks = target->stacks, .samples = *samples };
		if (i > 0)
			begin_worker(worker, target->frames);
		chains_init(&worker->chains, worker->frames, worker->stacks,
		    options);
		worker->samples.chains = &worker->chains;
		worker->samples.batch = mem_array(1,
		    sizeof(*worker->samples.batch));
		if (i > 0)
			worker->samples.attrs = &worker->attrs;
	}
}

/* Starts the threads, once there is something to do for them. */
static void
start(struct crew *crew)
{
	struct worker *worker = &crew->workers[1];

	if (crew->started > 0)
		return;
	crew->started = 1;
	for (; crew->started < crew->threads &&
	    pthread_create(&worker->thread, NULL, work, worker) == 0; worker++)
		crew->started++;
}

void
crew_fold_ordered(struct crew *crew)
{
	struct worker *worker = &crew->workers[0];

	samples_fold(&worker->samples);
	waiting_keep_maps(&worker->chains.waiting);
}

void
crew_begin(struct crew *crew, struct phase *phase)
{
	struct samples *samples = crew_samples(crew);
	size_t i;

	start(crew);
	samples_name_events(samples);
	for (i = 1; i < crew->started; i++) {
		crew->workers[i].attrs = *samples->attrs;
		crew->workers[i].samples.machine = samples->machine;
		samples_begin_phase(&crew->workers[i].samples, phase);
	}
	pthread_mutex_lock(&crew->lock);
	crew->next = 0;
	crew->phase = phase;
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
}

/* Adds what a thread has counted to what the caller's has. */
static void
add_counts(struct samples *samples, struct samples *others)
{
	if (others->odd > 0 && (samples->odd == 0 ||
	    others->odd_number < samples->odd_number)) {
		samples->odd_number = others->odd_number;
		samples->odd_at = others->odd_at;
	}
	samples->odd += others->odd;
	samples->guests += others->guests;
	samples->count += others->count;
	if (samples->refused == NULL)
		samples->refused = others->refused;
	others->odd = others->guests = others->count = 0;
	samples_move_others(samples, others);
}

/* Ends the phase for all threads. */
static void
collect(struct crew *crew)
{
	struct samples *samples = crew_samples(crew);
	size_t i;

	for (i = 0; i < crew->started; i++) {
		waiting_keep_maps(&crew->workers[i].chains.waiting);
		if (i > 0)
			add_counts(samples, &crew->workers[i].samples);
	}
	samples_note_others(samples);
}

void
crew_finish(struct crew *crew)
{
	struct worker *worker = &crew->workers[0];

	if (crew->phase == NULL)
		return;
	samples_begin_phase(&worker->samples, crew->phase);
	pthread_mutex_lock(&crew->lock);
	fold(worker);
	while (crew->busy > 0)
		pthread_cond_wait(&crew->changed, &crew->lock);
	crew->phase = NULL;
	pthread_mutex_unlock(&crew->lock);
	samples_begin_phase(&worker->samples, NULL);
	collect(crew);
}

void
crew_forget_event(struct crew *crew)
{
	struct samples *samples;
	size_t i;

	for (i = 0; i < crew->threads; i++) {
		samples = &crew->workers[i].samples;
		free(samples->others_by_attr);
		samples->others_by_attr = NULL;
		samples->counted = NULL;
	}
}

void
crew_end(struct crew *crew)
{
	struct worker *first = &crew->workers[0], *worker;
	size_t i;

	pthread_mutex_lock(&crew->lock);
	crew->ended = true;
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
	chains_settle(&first->chains);
	for (i = 1; i < crew->started; i++) {
		worker = &crew->workers[i];
		pthread_join(worker->thread, NULL);
		unknowns_add(&first->chains.unknowns,
		    &worker->chains.unknowns);
		stacks_merge(first->stacks, &first->namer->names,
		    worker->stacks, &worker->namer->names);
	}
}

void
crew_free(struct crew *crew)
{
	size_t i;

	for (i = 0; i < crew->threads; i++) {
		chains_free(&crew->workers[i].chains);
		samples_free(&crew->workers[i].samples);
		if (i > 0)
			end_worker(&crew->workers[i]);
	}
	pthread_mutex_destroy(&crew->lock);
	pthread_cond_destroy(&crew->changed);
}
