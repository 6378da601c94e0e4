#include <err.h>
#include <stdint.h>
#include <stdlib.h>

#include "mem.h"

#define ALIGN		sizeof(double)
#define CHUNK		((size_t)256 * 1024)

static void *
checked(void *memory)
{
	if (memory == NULL)
		errx(1, "out of memory");
	return memory;
}

void *
mem_array(size_t count, size_t size)
{
	return checked(calloc(count > 0 ? count : 1, size));
}

void *
mem_grow(void *old, size_t *room, size_t need, size_t size)
{
	size_t more = *room < 16 ? 16 : *room;

	if (need <= *room)
		return old;
	while (more < need && more <= SIZE_MAX / 2)
		more *= 2;
	if (more < need || more > SIZE_MAX / size)
		return checked(NULL);
	*room = more;
	return checked(realloc(old, more * size));
}

void *
arena_take(struct arena *arena, size_t size)
{
	void *taken;

	if (size > SIZE_MAX - ALIGN)
		return checked(NULL);
	size = (size + ALIGN - 1) / ALIGN * ALIGN;
	if (size > CHUNK / 4)
		return checked(malloc(size));
	if (size > arena->left) {
		arena->next = checked(malloc(CHUNK));
		arena->left = CHUNK;
	}
	taken = arena->next;
	arena->next += size;
	arena->left -= size;
	return taken;
}

struct str
arena_copy(struct arena *arena, struct str s)
{
	char *copy = arena_take(arena, s.len);

	if (s.len > 0)
		memcpy(copy, s.data, s.len);
	return (struct str){ copy, s.len };
}
