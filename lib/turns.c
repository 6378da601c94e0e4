#include <stdlib.h>
#include <unistd.h>

#include "mem.h"
#include "turns.h"

size_t
turns_processors(size_t most)
{
	long processors = 1;

#ifdef _SC_NPROCESSORS_ONLN	/* which POSIX has since 2024 */
	processors = sysconf(_SC_NPROCESSORS_ONLN);
#endif
	if (processors < 1)
		return 1;
	return (size_t)processors < most ? (size_t)processors : most;
}

void
turns_init(struct turns *turns, const char *const *operands)
{
	*turns = (struct turns){ .file = 0 };
	pthread_mutex_init(&turns->turn, NULL);
	pthread_mutex_init(&turns->lock, NULL);
	pthread_cond_init(&turns->done, NULL);
	input_init(&turns->next, operands);
	free(turns->next.data);
}

void
turns_join(struct turns *turns, struct input *input)
{
	input_init(input, turns->next.operands);
	input->turns = turns;
}

void
turns_free(struct turns *turns)
{
	pthread_mutex_destroy(&turns->turn);
	pthread_mutex_destroy(&turns->lock);
	pthread_cond_destroy(&turns->done);
	free(turns->rest.data);
	free(turns->blocks);
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

/* One past the last empty line, whose end is at `from` or later; or 0. */
static size_t
last_empty_line(struct str s, size_t from)
{
	size_t end, line;

	for (end = s.len; end > from; end--) {
		if (s.data[end - 1] != '\n')
			continue;
		line = end - 1;
		if (line > 0 && s.data[line - 1] == '\r')
			line--;
		if (line > 0 && s.data[line - 1] == '\n')
			return end;
	}
	return 0;
}

void
turns_cut(struct input *input, size_t from)
{
	struct str ahead = input_ahead(input);
	size_t end = last_empty_line(ahead, from);

	if (end == 0)
		return;
	text_add(&input->turns->rest, str_skip(ahead, end));
	input_cut(input, end);
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
