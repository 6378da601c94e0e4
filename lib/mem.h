/*
 * mem: memory.  Running out of it ends the program: no caller has to check.
 *
 * The programs are filters: they build one result, print it and exit.  So what
 * belongs to the result is not freed; all else is, with free(3).
 *
 * Memory is counted, so that it can be limited: what an addition takes is the
 * difference of mem_taken() after it and before it.
 */
#ifndef MEM_H
#define MEM_H

#include "str.h"

/* Calls call() before that message; it must need no memory. */
void mem_on_failure(void (*call)(void));

/*
 * Returns how many bytes this thread has taken by the functions below, an array
 * with all its room, less what arena_free and mem_give_back gave back.
 */
long long mem_taken(void);

/* Notes that memory which was counted is freed. */
void mem_give_back(size_t bytes);

/* Returns `count` elements of `size` bytes, all zero. */
void *mem_array(size_t count, size_t size);

/*
 * Returns the same for a table that is read here and there.  The size of its
 * elements divides 64, so that each is in one line of a cache; a large table is
 * in huge pages, if the system has them.  The caller frees *memory instead.
 */
void *mem_table(size_t count, size_t size, void **memory);

/*
 * Makes room for at least `need` elements of `size` bytes in the array `old`
 * with room for `*room`; returns old itself, or a copy twice as large.
 */
void *mem_grow(void *old, size_t *room, size_t need, size_t size);

/*
 * Give the place of an element in a list that grows: at a number, or after the
 * last one, which is counted.  The value must not use the list or its count: C
 * does not say whether it is evaluated before the list grows.
 *
 *	*LIST_ADD(file->names, file->count, file->room) = name;
 */
#define LIST_AT(list, number, room) \
	((list) = mem_grow(list, &(room), (size_t)(number) + 1, \
	    sizeof(*(list))), &(list)[number])
#define LIST_ADD(list, count, room) \
	((list) = mem_grow(list, &(room), (size_t)(count) + 1, \
	    sizeof(*(list))), &(list)[(count)++])

/* Like mem_grow, with new elements zeroed. */
void *mem_grow_zero(void *old, size_t *room, size_t need, size_t size);

/* The same of an array that is one of many, and mostly stays small. */
void *mem_grow_small(void *old, size_t *room, size_t need, size_t size);

/* A chunk begins with this, and its pieces are aligned like it. */
union chunk {
	union chunk *before;
	double number;
	unsigned long long integer;
};

/* An arena gives out memory in small pieces; it begins as { 0 }. */
struct arena {
	char *next;
	size_t left;
	size_t chunk;		/* bytes of the last one */
	size_t bytes;		/* of all chunks */
	union chunk *chunks;	/* the last one taken, linked to the others */
};

/* Returns size with the bytes after it that align the next piece. */
static inline size_t
arena_round(size_t size)
{
	const size_t unit = sizeof(union chunk);

	return (size + unit - 1) / unit * unit;
}

/* Does arena_take's work where a new chunk is needed. */
void *arena_take_new(struct arena *arena, size_t size);

/* Returns bytes aligned for any integer, pointer or double; not cleared. */
static inline void *
arena_take(struct arena *arena, size_t size)
{
	void *taken = arena->next;

	if (size > arena->left || taken == NULL)
		return arena_take_new(arena, size);
	size = arena_round(size);
	arena->next += size;
	arena->left -= size;
	return taken;
}

/* Returns a copy of s. */
struct str arena_copy(struct arena *arena, struct str s);

/* Frees all pieces, or the pieces taken since `before` was copied. */
void arena_free(struct arena *arena);
void arena_free_since(struct arena *arena, struct arena before);

#define PREFETCH_LINE	64	/* bytes that are mostly brought at once */

/* Brings memory near before it is needed; any address will do. */
static inline void
prefetch(const void *address)
{
#ifdef __GNUC__
	__builtin_prefetch(address);
#else
	(void)address;
#endif
}

#endif
