/*
 * turns: threads that read one input in turns, and do what they do with it at
 * the same time.
 *
 * Every thread has a struct input of its own.  The one whose turn it is reads a
 * block, cuts it where the last sample in it ends, leaves what follows to the
 * next turn, passes the turn on and goes through its block, line by line.  A
 * thread in whose block no sample ends keeps the turn, and reads on until one
 * does.  So every sample is in one block, and files may end inside of them.
 *
 * What depends on the order of the input, such as a message, is done by the
 * thread with the oldest block, for which the others wait: input_wait.
 */
#ifndef SHARED_H
#define SHARED_H

#include <limits.h>
#include <pthread.h>

#include "input.h"
#include "text.h"

struct usage;

/* What one thread goes through between two turns, lines of one file. */
struct block {
	size_t file;
	size_t lines;
	bool done;
};

/*
 * Finds the end of the last line in `text`, at `from` or later, behind which
 * the input may be cut; 0 when there is none.  The text begins with a line.
 */
typedef size_t turns_cutter(struct str text, size_t from);

struct turns {
	turns_cutter *find_cut;
	pthread_mutex_t turn;
	struct input next;	/* where reading goes on; has no data */
	struct text rest;	/* what was read of the next block */
	size_t file;		/* how many files were opened */

	pthread_mutex_t lock;	/* for the blocks */
	pthread_cond_t done;
	struct block *blocks;
	size_t count, room;
	size_t oldest;		/* block that is not done */
};

/* How many processors there are, but at most `most`. */
int turns_processors(int most);

#define TURNS_MOST	64	/* threads */

/*
 * How many threads to use: `jobs`, which is rejected unless it is from 1 to
 * TURNS_MOST, or as many as pay if it is TURNS_CHOOSE.
 */
#define TURNS_CHOOSE	LONG_MIN
size_t turns_threads(const struct usage *usage, long jobs,
    const char *const *operands);

/*
 * Reads the operands: calls work() in `count` threads, each with a part of its
 * own.  `parts` is an array of structs of `size` bytes that begin with their
 * thread's struct input.  One thread takes no turns.  False if something could
 * not be read.
 */
bool turns_run(const char *const *operands, turns_cutter *find_cut,
    void *(*work)(void *), void *parts, size_t size, size_t count);

/* For input: waits for a turn, with nothing left of the block before. */
void turns_take(struct input *input);

/* For input: passes the turn on if the bytes from `from` can be cut. */
void turns_cut(struct input *input, size_t from);

/* For input, which has the turn: a new file begins, or, with it, all ends. */
void turns_next_file(struct input *input);
void turns_leave(struct input *input);

/* For input: input_wait and input_number. */
void turns_wait(struct turns *turns, size_t block);
size_t turns_number(struct turns *turns, const struct input *input);

#endif
