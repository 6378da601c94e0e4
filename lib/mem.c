#define _DEFAULT_SOURCE	/* madvise(2), where there is one */

#include <sys/mman.h>
#include <err.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "mem.h"

/*
 * An arena takes its memory in chunks, each twice as large as the last one,
 * since a small input needs a few KB in each of half a dozen arenas.
 */
#define FIRST_CHUNK	((size_t)4 * 1024)
#define LAST_CHUNK	((size_t)256 * 1024)

#define LINE		((size_t)64)	/* bytes of a cache's */
#define HUGE		((size_t)2 * 1024 * 1024)	/* of a huge page */

static void (*before_message)(void);

void
mem_on_failure(void (*call)(void))
{
	before_message = call;
}

/* If several threads are out of memory at once, one says so and ends all. */
static void *
checked(void *memory)
{
	static pthread_mutex_t end = PTHREAD_MUTEX_INITIALIZER;

	if (memory == NULL) {
		pthread_mutex_lock(&end);
		if (before_message != NULL)
			before_message();
		errx(1, "out of memory");
	}
	return memory;
}

/*
 * Where compilers have no variables of a thread, all threads share the counter,
 * and bytes may be lost where two count at once.
 */
#ifdef __GNUC__
static __thread long long taken;
#else
static long long taken;
#endif

long long
mem_taken(void)
{
	return taken;
}

void
mem_give_back(size_t bytes)
{
	taken -= (long long)bytes;
}

/* Returns memory of that size, or NULL, that was counted. */
static void *
counted(void *memory, size_t bytes)
{
	taken += (long long)bytes;
	return checked(memory);
}

void *
mem_array(size_t count, size_t size)
{
	return counted(calloc(count > 0 ? count : 1, size), count * size);
}

void *
mem_table(size_t count, size_t size, void **memory)
{
	size_t bytes = count * size, align = bytes < HUGE ? LINE : HUGE;
	char *table = *memory = mem_array(bytes + align - 1, 1);

	table += (align - (uintptr_t)table % align) % align;
#ifdef MADV_HUGEPAGE
	if (align == HUGE)
		madvise(table, bytes / HUGE * HUGE, MADV_HUGEPAGE);
#endif
	return table;
}

void *
mem_grow_small(void *old, size_t *room, size_t need, size_t size)
{
	size_t more = *room == 0 ? 1 : *room, before = *room;

	if (need <= *room)
		return old;
	while (more < need && more <= SIZE_MAX / 2)
		more *= 2;
	if (more < need || more > SIZE_MAX / size)
		return checked(NULL);
	*room = more;
	return counted(realloc(old, more * size), (more - before) * size);
}

void *
mem_grow(void *old, size_t *room, size_t need, size_t size)
{
	return need <= *room ? old :
	    mem_grow_small(old, room, need < 16 ? 16 : need, size);
}

void *
mem_grow_zero(void *old, size_t *room, size_t need, size_t size)
{
	size_t before = *room;
	char *array = mem_grow(old, room, need, size);

	if (*room > before)
		memset(array + before * size, 0, (*room - before) * size);
	return array;
}

/* Adds a chunk with room for size bytes, and returns the room. */
static char *
add_chunk(struct arena *arena, size_t size)
{
	union chunk *chunk = counted(malloc(sizeof(*chunk) + size), size);

	chunk->before = arena->chunks;
	arena->chunks = chunk;
	arena->bytes += size;
	return (char *)(chunk + 1);
}

void *
arena_take_new(struct arena *arena, size_t size)
{
	if (size > SIZE_MAX / 2)
		return checked(NULL);
	size = arena_round(size);
	if (size > LAST_CHUNK / 4)
		return add_chunk(arena, size);
	if (arena->chunk == 0)
		arena->chunk = FIRST_CHUNK;
	else if (arena->chunk < LAST_CHUNK)
		arena->chunk *= 2;
	while (arena->chunk < size)
		arena->chunk *= 2;
	arena->next = add_chunk(arena, arena->chunk);
	arena->left = arena->chunk;
	return arena_take(arena, size);
}

struct str
arena_copy(struct arena *arena, struct str s)
{
	char *copy = arena_take(arena, s.len);

	if (s.len > 0)
		memcpy(copy, s.data, s.len);
	return (struct str){ copy, s.len };
}

void
arena_free_since(struct arena *arena, struct arena before)
{
	union chunk *next;

	for (; arena->chunks != before.chunks; arena->chunks = next) {
		next = arena->chunks->before;
		free(arena->chunks);
	}
	mem_give_back(arena->bytes - before.bytes);
	*arena = before;
}

void
arena_free(struct arena *arena)
{
	arena_free_since(arena, (struct arena){ 0 });
}
