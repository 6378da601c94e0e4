#include <stdlib.h>

#include "calls.h"

void
memo_init(struct memo *memo)
{
	*memo = (struct memo){ .room = 0 };
	table_init(&memo->keys);
}

const struct calls *
memo_find(struct memo *memo, struct str key)
{
	uint32_t before = memo->keys.count;
	uint32_t number = table_add(&memo->keys, key);

	return number < before ? &memo->calls[number] : NULL;
}

struct calls
memo_note(struct memo *memo, struct calls calls)
{
	size_t size = calls.count * sizeof(*calls.frames);
	uint32_t *copy = arena_take(&memo->arena, size);

	if (size > 0)
		memcpy(copy, calls.frames, size);
	calls.frames = copy;
	memo->calls = mem_grow(memo->calls, &memo->room, memo->keys.count,
	    sizeof(*memo->calls));
	memo->calls[memo->keys.count - 1] = calls;
	return calls;
}

void
memo_free(struct memo *memo)
{
	table_free(&memo->keys);
	free(memo->calls);
	arena_free(&memo->arena);
}

void
namer_init(struct namer *namer)
{
	*namer = (struct namer){ .room = 0 };
	table_init(&namer->names);
}

void
namer_free(struct namer *namer)
{
	table_free(&namer->names);
	free(namer->list);
}

struct calls
namer_calls(struct namer *namer, struct str text)
{
	size_t count = 0, len;
	struct str rest = text;

	for (;;) {
		len = str_find(rest, ';');
		namer->list = mem_grow(namer->list, &namer->room,
		    count + 1, sizeof(*namer->list));
		namer->list[count++] =
		    table_add(&namer->names, str_take(rest, len));
		if (len == rest.len)
			return (struct calls){ namer->list, count, false };
		rest = str_skip(rest, len + 1);
	}
}
