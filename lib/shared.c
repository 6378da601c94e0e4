#include <stdlib.h>

#include "mem.h"
#include "shared.h"

/* A thread goes through this between two turns: lines of one file. */
struct block {
	size_t file;
	size_t lines;
	bool done;
};

void
shared_init(struct shared *shared, const char *const *operands,
    shared_cutter *find_cut)
{
	*shared = (struct shared){ .find_cut = find_cut };
	source_init(&shared->source, operands);
	pthread_mutex_init(&shared->turn, NULL);
	pthread_mutex_init(&shared->lock, NULL);
	pthread_cond_init(&shared->done, NULL);
}

void
shared_free(struct shared *shared)
{
	pthread_mutex_destroy(&shared->turn);
	pthread_mutex_destroy(&shared->lock);
	pthread_cond_destroy(&shared->done);
	free(shared->rest.data);
	free(shared->blocks);
}

static void
begin_block(struct turn *turn)
{
	struct shared *shared = turn->shared;

	pthread_mutex_lock(&shared->lock);
	shared->blocks = mem_grow(shared->blocks, &shared->room,
	    shared->count + 1, sizeof(*shared->blocks));
	shared->blocks[shared->count] = (struct block){ .file = shared->file };
	turn->block = shared->count++;
	turn->in_block = true;
	pthread_mutex_unlock(&shared->lock);
}

static void
end_block(struct turn *turn, size_t lines)
{
	struct shared *shared = turn->shared;

	if (!turn->in_block)
		return;
	turn->in_block = false;
	pthread_mutex_lock(&shared->lock);
	shared->blocks[turn->block].lines = lines;
	shared->blocks[turn->block].done = true;
	while (shared->oldest < shared->count &&
	    shared->blocks[shared->oldest].done)
		shared->oldest++;
	pthread_cond_broadcast(&shared->done);
	pthread_mutex_unlock(&shared->lock);
}

struct str
shared_take(struct turn *turn, size_t lines, struct source *source)
{
	struct shared *shared = turn->shared;
	struct str rest;

	end_block(turn, lines);
	pthread_mutex_lock(&shared->turn);
	turn->is_mine = true;
	*source = shared->source;
	rest = text_str(&shared->rest);
	shared->rest.len = 0;
	begin_block(turn);
	return rest;
}

static void
pass_turn(struct turn *turn, const struct source *source)
{
	struct shared *shared = turn->shared;

	shared->source = *source;
	turn->is_mine = false;
	pthread_mutex_unlock(&shared->turn);
}

/* Returns the end of the last line in `text`, at `from` or later, or 0. */
static size_t
find_line_end(struct str text, size_t from)
{
	size_t end = str_find_last(str_skip(text, from), '\n') + from;

	return end < text.len ? end + 1 : 0;
}

size_t
shared_cut(struct turn *turn, const struct source *source, struct str ahead,
    size_t from)
{
	size_t cut = source->by_lines ? find_line_end(ahead, from) :
	    turn->shared->find_cut(ahead, from);

	if (cut == 0)
		return ahead.len;
	text_add(&turn->shared->rest, str_skip(ahead, cut));
	pass_turn(turn, source);
	return cut;
}

void
shared_next_file(struct turn *turn, size_t lines)
{
	end_block(turn, lines);
	turn->shared->file++;
	begin_block(turn);
}

void
shared_leave(struct turn *turn, size_t lines, const struct source *source)
{
	end_block(turn, lines);
	pass_turn(turn, source);
}

void
shared_wait(const struct turn *turn)
{
	struct shared *shared = turn->shared;

	pthread_mutex_lock(&shared->lock);
	while (shared->oldest < turn->block)
		pthread_cond_wait(&shared->done, &shared->lock);
	pthread_mutex_unlock(&shared->lock);
}

size_t
shared_number(const struct turn *turn, size_t line)
{
	struct shared *shared = turn->shared;
	size_t i = turn->block, file;

	pthread_mutex_lock(&shared->lock);
	file = shared->blocks[i].file;
	while (i > 0 && shared->blocks[i - 1].file == file)
		line += shared->blocks[--i].lines;
	pthread_mutex_unlock(&shared->lock);
	return line;
}
