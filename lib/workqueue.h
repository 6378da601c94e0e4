/*
 * pieces: work that several threads do in pieces, while what it prints comes
 * out as if one thread had done one after another.
 *
 * A piece may add others, which follow it, before all that followed it so far.
 * A thread takes the first one that no other has, so that few are done long
 * before they are printed; once those hold 2 MB, threads wait.
 *
 *	while ((piece = pieces_take(&pieces)) != NULL) {
 *		(do it, adding to said and more)
 *		pieces_end(&pieces, piece, &more, &said);
 *	}
 */
#ifndef WORKQUEUE_H
#define WORKQUEUE_H

#include <pthread.h>

#include "text.h"

struct said {
	struct text out;	/* for standard output */
	struct text warnings;	/* for standard error, each with its NUL */
};

/* Begins as { 0 }. */
struct piece {
	struct piece *before, *next;	/* those not done yet around it */
	bool taken;
	struct said later;	/* by those that follow it and are done */
};

/* Turns one after another; begins as { 0 }. */
struct piece_list {
	struct piece *first, *last;
	size_t count;
};

struct pieces {
	pthread_mutex_t lock;
	pthread_cond_t added;	/* some to take, or all are done */
	pthread_cond_t moved;	/* another piece is the first */
	struct piece_list list;	/* those not done yet */
	size_t waiting;		/* those that nobody has taken */
	size_t held;		/* bytes that wait to be printed */
	struct text out;	/* what is not written yet */
	bool warned;		/* a warning was printed */
};

/* Begins with the pieces of a list. */
void pieces_init(struct pieces *pieces, const struct piece_list *list);

/* Adds a piece at the end of a list. */
void pieces_add(struct piece_list *list, struct piece *piece);

/* The next piece to do; NULL when all are done. */
struct piece *pieces_take(struct pieces *pieces);

/* To call now and then within a long piece: empties `said` when that is due. */
void pieces_drain(struct pieces *pieces, struct piece *piece,
    struct said *said);

/* Ends a piece that said this, and adds those in `more`; empties both. */
void pieces_end(struct pieces *pieces, struct piece *piece,
    struct piece_list *more, struct said *said);

#endif
