/*
 * shared: lets threads read one source in turns, and work at the same time on
 * what they have read.
 *
 * The thread whose turn it is reads a block, cuts it where the last sample in
 * it ends, leaves what follows to the next turn, passes the turn on and goes
 * through its block.  A thread in whose block no sample ends keeps the turn,
 * and reads on until one does.  So every sample is in one block, and files may
 * end inside of them.
 *
 * A message, and all else that depends on the order of the input, is left to
 * the thread with the oldest block, for which the others wait: shared_wait.
 */
#ifndef SHARED_H
#define SHARED_H

#include <pthread.h>

#include "source.h"
#include "text.h"

/*
 * Finds the end of the last line in `text`, at `from` or later, behind which
 * the input may be cut; 0 if it may not be cut.  The text begins with a line.
 */
typedef size_t shared_cutter(struct str text, size_t from);

struct shared {
	shared_cutter *find_cut;
	pthread_mutex_t turn;
	struct source source;	/* at the end of the last block */
	struct text rest;	/* of it, which begins the next block */
	size_t file;		/* the number of files opened */

	pthread_mutex_t lock;	/* for the blocks */
	pthread_cond_t done;
	struct block *blocks;
	size_t count, room;
	size_t oldest;		/* block that is not done */
};

/* A thread's part in it; it begins as { shared }. */
struct turn {
	struct shared *shared;
	bool is_mine;		/* this thread reads, and the others do not */
	bool in_block;
	size_t block;		/* its number, if in_block */
};

void shared_init(struct shared *shared, const char *const *operands,
    shared_cutter *find_cut);

void shared_free(struct shared *shared);

/*
 * Waits for a turn, when the thread is done with its block, which had so many
 * lines.  Stores where reading goes on, and returns what was read of the new
 * block, which lives until the turn is passed on.
 */
struct str shared_take(struct turn *turn, size_t lines, struct source *source);

/*
 * Passes the turn on if the bytes of the block that are ahead, of which those
 * from `from` are new, can be cut.  Returns how many of them stay in the block:
 * all, if they cannot.
 */
size_t shared_cut(struct turn *turn, const struct source *source,
    struct str ahead, size_t from);

/* Begins a new block with a new file, after one of so many lines. */
void shared_next_file(struct turn *turn, size_t lines);

/* Ends the block, of so many lines, and passes the turn on, at the end. */
void shared_leave(struct turn *turn, size_t lines, const struct source *source);

/* Waits until all threads are done with what comes before this block. */
void shared_wait(const struct turn *turn);

/* Returns the number in its file of a line of the block; after shared_wait. */
size_t shared_number(const struct turn *turn, size_t line);

#endif
