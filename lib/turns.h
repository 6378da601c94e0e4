/*
 * turns: threads that read one input in turns, and do what they do with it at
 * the same time.
 *
 * Every thread has a struct input of its own.  The one whose turn it is reads a
 * block, cuts it behind the last empty line, leaves what follows that line to
 * the next turn, passes the turn on and goes through its block, line by line.
 * So every block begins and ends where a sample does.  A thread whose block has
 * no empty line keeps the turn, and reads on until one comes.
 *
 * What depends on the order of the input, such as a message, is done by the
 * thread with the oldest block, for which the others wait: input_wait.
 */
#ifndef TURNS_H
#define TURNS_H

#include <pthread.h>

#include "input.h"
#include "text.h"

/* What one thread goes through between two turns, lines of one file. */
struct block {
	size_t file;
	size_t lines;
	bool done;
};

struct turns {
	pthread_mutex_t turn;
	struct input next;	/* how far the operands are read, without data */
	struct text rest;	/* what was read of the next block */
	size_t file;		/* how many files were opened */

	pthread_mutex_t lock;	/* for the blocks */
	pthread_cond_t done;
	struct block *blocks;
	size_t count, room;
	size_t oldest;		/* block that is not done */
};

/* How many processors there are, but at most `most`. */
size_t turns_processors(size_t most);

/* Prepares turns in reading the operands. */
void turns_init(struct turns *turns, const char *const *operands);

/* Lets input take part. */
void turns_join(struct turns *turns, struct input *input);

/* Frees what turns hold, once all threads have come to the end. */
void turns_free(struct turns *turns);

/* For input: waits for a turn, with nothing left of the block before. */
void turns_take(struct input *input);

/* For input: passes the turn on if the bytes from `from` hold an empty line. */
void turns_cut(struct input *input, size_t from);

/* For input, which has the turn: a new file begins, or, with it, all ends. */
void turns_next_file(struct input *input);
void turns_leave(struct input *input);

/* For input: input_wait and input_number. */
void turns_wait(struct turns *turns, size_t block);
size_t turns_number(struct turns *turns, const struct input *input);

#endif
