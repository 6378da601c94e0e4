/*
 * window: the part of a recording that is folded at once.
 *
 * Records come as the file has them.  Those that are no samples are added to
 * the history.  Samples wait in slices, pieces of the recording, until all that
 * is older has been read; then the history is settled, and the workers fold
 * them, while the next window is read:
 *
 *	read       1 ......... | 2 ......... | 3 ...
 *	fold                   | 1 ......... | 2 ...
 *
 * Rounds tell what has been read.  perf record empties one processor's buffer
 * after another, each of which holds records in order; a round over all ends
 * with a record that says so.  All that was stored before a round began is in
 * the file when that round has ended, so all that is not later than the newest
 * of the round before it has been read:
 *
 *	          round 1          round 2          round 3
 *	      CPU 0 | CPU 1    CPU 0 | CPU 1    CPU 0 | CPU 1
 *	        1   |   2        3   |   5        6   |   8
 *	        2   |   3        4   |   6        7   |   9
 *	            |   4        5   |   7        9   |  10
 *	                   end              end              end
 *	            (newest: 4)      (newest: 7)      (newest: 10)
 *	            nothing          up to 4          up to 7
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "history.h"
#include "reader.h"
#include "workers.h"

/* Begins with the first four set, and all else zero. */
struct window {
	struct datafile *file;
	struct history *history;
	struct workers *workers;
	unsigned long long memory;	/* that the history may take */

	struct slices slices;		/* that wait */
	bool is_open;			/* the next record may be the last
					   slice's */
	struct slices folded;		/* those that the workers have */
	uint64_t number;		/* of the record that was read last */
	uint64_t bytes;			/* that were read since they began */
	uint64_t newest;		/* of all times */
	uint64_t limit;			/* up to which all will have been read
					   when this round has ended... */
	uint64_t complete;		/* ...and has been */
	bool is_full;			/* memory is, by the record... */
	uint64_t full_at;		/* ...that is there in its file */
};

void window_free(struct window *window);

/* Adds a record of the kernel, which is in a block. */
void window_add(struct window *window, const struct record *record,
    struct block *block);

/* Ends a round. */
void window_end_round(struct window *window);

/* Ends what the workers do, so that what is known of events may change. */
void window_pause(struct window *window);

/* Folds all that waits, and ends the work. */
void window_end(struct window *window);

#endif
