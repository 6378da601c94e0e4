#include <err.h>
#include <stdlib.h>

#include "workqueue.h"
#include "progress.h"

/* What is due to be printed when it is this long, */
#define DRAIN	((size_t)32 * 1024)
/* what one piece holds back at most, */
#define HELD_BY_ONE	((size_t)256 * 1024)
/* and about all that are done. */
#define HELD	((size_t)2 * 1024 * 1024)

void
pieces_init(struct pieces *pieces, const struct piece_list *list)
{
	*pieces = (struct pieces){
		.list = *list,
		.waiting = list->count,
	};
	pthread_mutex_init(&pieces->lock, NULL);
	pthread_cond_init(&pieces->added, NULL);
	pthread_cond_init(&pieces->moved, NULL);
}

void
pieces_add(struct piece_list *list, struct piece *piece)
{
	piece->before = list->last;
	if (list->last != NULL)
		list->last->next = piece;
	else
		list->first = piece;
	list->last = piece;
	list->count++;
}

/* The first piece that nobody has: it has few before it, one a thread. */
static struct piece *
first_waiting(const struct pieces *pieces)
{
	struct piece *piece = pieces->list.first;

	while (piece->taken)
		piece = piece->next;
	return piece;
}

struct piece *
pieces_take(struct pieces *pieces)
{
	struct piece *piece = NULL;

	pthread_mutex_lock(&pieces->lock);
	while (piece == NULL && pieces->list.first != NULL) {
		if (pieces->waiting == 0)
			pthread_cond_wait(&pieces->added, &pieces->lock);
		else if (pieces->held > HELD && pieces->list.first->taken)
			pthread_cond_wait(&pieces->moved, &pieces->lock);
		else
			piece = first_waiting(pieces);
	}
	if (piece != NULL) {
		piece->taken = true;
		pieces->waiting--;
	}
	pthread_mutex_unlock(&pieces->lock);
	return piece;
}

static size_t
length(const struct said *said)
{
	return said->out.len + said->warnings.len;
}

static void
move(struct text *from, struct text *to)
{
	text_add(to, text_str(from));
	from->len = 0;
}

/* Prints what is said, now that it is its turn. */
static void
print(struct pieces *pieces, struct said *said)
{
	struct str warnings = text_str(&said->warnings);

	move(&said->out, &pieces->out);
	text_drain(&pieces->out, stdout);
	if (warnings.len > 0)
		progress_clear();
	while (warnings.len > 0) {
		warnx("%s", warnings.data);
		warnings = str_skip(warnings, strlen(warnings.data) + 1);
		pieces->warned = true;
	}
	said->warnings.len = 0;
}

static void
hold(struct pieces *pieces, struct said *from, struct said *to)
{
	pieces->held += length(from);
	move(&from->out, &to->out);
	move(&from->warnings, &to->warnings);
}

/* Prints, or leaves to the piece before, what pieces that are done said. */
static void
pass_on(struct pieces *pieces, struct piece *before, struct said *later)
{
	pieces->held -= length(later);
	if (before != NULL)
		hold(pieces, later, &before->later);
	else
		print(pieces, later);
	free(later->out.data);
	free(later->warnings.data);
}

/* Puts `more`, which may be none, where the piece stands. */
static void
replace(struct piece_list *list, struct piece *piece, struct piece_list *more)
{
	struct piece *before = piece->before, *next = piece->next;
	struct piece *first = more->first != NULL ? more->first : next;
	struct piece *last = more->last != NULL ? more->last : before;

	if (more->first != NULL) {
		more->first->before = before;
		more->last->next = next;
	}
	if (before != NULL)
		before->next = first;
	else
		list->first = first;
	if (next != NULL)
		next->before = last;
	else
		list->last = last;
}

void
pieces_drain(struct pieces *pieces, struct piece *piece, struct said *said)
{
	if (length(said) < DRAIN)
		return;
	pthread_mutex_lock(&pieces->lock);
	while (length(said) > HELD_BY_ONE && pieces->list.first != piece)
		pthread_cond_wait(&pieces->moved, &pieces->lock);
	if (pieces->list.first == piece)
		print(pieces, said);
	pthread_mutex_unlock(&pieces->lock);
}

void
pieces_end(struct pieces *pieces, struct piece *piece,
    struct piece_list *more, struct said *said)
{
	struct piece *before;

	pthread_mutex_lock(&pieces->lock);
	before = piece->before;
	if (before == NULL)
		print(pieces, said);
	else
		hold(pieces, said, &before->later);
	if (more->last != NULL)
		more->last->later = piece->later;
	else
		pass_on(pieces, before, &piece->later);
	replace(&pieces->list, piece, more);
	pieces->waiting += more->count;
	*more = (struct piece_list){ 0 };
	/* This thread takes one itself. */
	if (pieces->waiting > 1 || pieces->list.first == NULL)
		pthread_cond_broadcast(&pieces->added);
	if (before == NULL)
		pthread_cond_broadcast(&pieces->moved);
	pthread_mutex_unlock(&pieces->lock);
}
