#include <stdlib.h>
#include <unistd.h>

#include "mem.h"
#include "options.h"
#include "shared.h"

/*
 * With 8 MB, a second thread has paid for itself.  Threads read one after the
 * other, which is a quarter of the work, so that more than four gain little.
 */
#define WORTH_THREADS	(8LL * 1024 * 1024)	/* bytes */
#define WORTH_COUNT	4

/* POSIX has it since 2024; these hide it from programs for an older one. */
#ifdef _SC_NPROCESSORS_ONLN
#define ONLINE_PROCESSORS	_SC_NPROCESSORS_ONLN
#elif defined(__FreeBSD__) || defined(__APPLE__)
#define ONLINE_PROCESSORS	58
#endif

int
turns_processors(int most)
{
	long count = 1;

#ifdef ONLINE_PROCESSORS
	count = sysconf(ONLINE_PROCESSORS);
#endif
	if (count < 1)
		return 1;
	return count < most ? (int)count : most;
}

size_t
turns_threads(const struct usage *usage, long jobs, const char *const *operands)
{
	if (jobs == TURNS_CHOOSE)
		jobs = input_size(operands) < WORTH_THREADS ? 1 :
		    turns_processors(WORTH_COUNT);
	if (jobs < 1 || jobs > TURNS_MOST)
		options_reject(usage, "--jobs is not from 1 to %d", TURNS_MOST);
	return (size_t)jobs;
}

static void
init(struct turns *turns, const char *const *operands, turns_cutter *find_cut)
{
	*turns = (struct turns){ .find_cut = find_cut };
	pthread_mutex_init(&turns->turn, NULL);
	pthread_mutex_init(&turns->lock, NULL);
	pthread_cond_init(&turns->done, NULL);
	input_init(&turns->next, operands);
	free(turns->next.data);
}

static void
finish(struct turns *turns)
{
	pthread_mutex_destroy(&turns->turn);
	pthread_mutex_destroy(&turns->lock);
	pthread_cond_destroy(&turns->done);
	free(turns->rest.data);
	free(turns->blocks);
}

/* Where no thread can be started, fewer do the work. */
static void
run_threads(void *(*work)(void *), char *parts, size_t size, size_t count)
{
	pthread_t threads[TURNS_MOST];
	size_t i, started = 1;

	while (started < count && pthread_create(&threads[started], NULL,
	    work, parts + started * size) == 0)
		started++;
	work(parts);
	for (i = 1; i < started; i++)
		pthread_join(threads[i], NULL);
}

bool
turns_run(const char *const *operands, turns_cutter *find_cut,
    void *(*work)(void *), void *parts, size_t size, size_t count)
{
	struct input *input = parts;
	struct turns turns;
	size_t i;

	if (count == 1) {
		input_init(input, operands);
		work(parts);
		return !input->failed;
	}
	init(&turns, operands, find_cut);
	for (i = 0; i < count; i++) {
		input = (void *)((char *)parts + i * size);
		input_init(input, operands);
		input->turns = &turns;
	}
	run_threads(work, parts, size, count);
	finish(&turns);
	return !turns.next.failed;
}

/* What of an input is where reading goes on, and not the block. */
static void
copy_reading(struct input *to, const struct input *from)
{
	to->operands = from->operands;
	to->name = from->name;
	to->failed = from->failed;
	to->fd = from->fd;
	to->at_end = from->at_end;
}

static void
begin_block(struct input *input)
{
	struct turns *turns = input->turns;

	pthread_mutex_lock(&turns->lock);
	turns->blocks = mem_grow(turns->blocks, &turns->room, turns->count + 1,
	    sizeof(*turns->blocks));
	turns->blocks[turns->count] = (struct block){ .file = turns->file };
	input->block = turns->count++;
	input->in_block = true;
	pthread_mutex_unlock(&turns->lock);
	input->line = 0;
}

static void
end_block(struct input *input)
{
	struct turns *turns = input->turns;

	if (!input->in_block)
		return;
	input->in_block = false;
	pthread_mutex_lock(&turns->lock);
	turns->blocks[input->block].lines = input->line;
	turns->blocks[input->block].done = true;
	while (turns->oldest < turns->count &&
	    turns->blocks[turns->oldest].done)
		turns->oldest++;
	pthread_cond_broadcast(&turns->done);
	pthread_mutex_unlock(&turns->lock);
}

void
turns_take(struct input *input)
{
	struct turns *turns = input->turns;

	end_block(input);
	pthread_mutex_lock(&turns->turn);
	input->has_turn = true;
	copy_reading(input, &turns->next);
	input->file_begins = false;
	input_unread(input, text_str(&turns->rest));
	turns->rest.len = 0;
	begin_block(input);
}

static void
pass_turn(struct input *input)
{
	struct turns *turns = input->turns;

	copy_reading(&turns->next, input);
	input->has_turn = false;
	pthread_mutex_unlock(&turns->turn);
}

void
turns_cut(struct input *input, size_t from)
{
	struct str ahead = input_ahead(input);
	size_t cut = input->turns->find_cut(ahead, from);

	if (cut == 0)
		return;
	text_add(&input->turns->rest, str_skip(ahead, cut));
	input_cut(input, cut);
	pass_turn(input);
}

void
turns_next_file(struct input *input)
{
	end_block(input);
	input->turns->file++;
	begin_block(input);
}

void
turns_leave(struct input *input)
{
	end_block(input);
	pass_turn(input);
}

void
turns_wait(struct turns *turns, size_t block)
{
	pthread_mutex_lock(&turns->lock);
	while (turns->oldest < block)
		pthread_cond_wait(&turns->done, &turns->lock);
	pthread_mutex_unlock(&turns->lock);
}

size_t
turns_number(struct turns *turns, const struct input *input)
{
	size_t number = input->line, i = input->block;

	pthread_mutex_lock(&turns->lock);
	while (i > 0 && turns->blocks[i - 1].file ==
	    turns->blocks[input->block].file)
		number += turns->blocks[--i].lines;
	pthread_mutex_unlock(&turns->lock);
	return number;
}
