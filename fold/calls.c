#include "calls.h"

struct calls
calls_keep(struct calls calls, struct arena *arena)
{
	size_t size = calls.count * sizeof(*calls.frames);
	uint32_t *copy = arena_take(arena, size);

	if (size > 0)
		memcpy(copy, calls.frames, size);
	calls.frames = copy;
	return calls;
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
	calls = calls_keep(calls, &memo->arena);
	*LIST_AT(memo->calls, memo->keys.count - 1, memo->room) = calls;
	return calls;
}

struct calls
namer_calls(struct namer *namer, struct str text)
{
	size_t count = 0, len;
	struct str rest = text;

	for (;;) {
		len = str_find(rest, ';');
		*LIST_ADD(namer->list, count, namer->room) =
		    table_add(&namer->names, str_take(rest, len));
		if (len == rest.len)
			return (struct calls){ namer->list, count, false };
		rest = str_skip(rest, len + 1);
	}
}

void
line_cache_init(struct line_cache *cache, unsigned bits)
{
	const size_t slots = (size_t)1 << bits;

	*cache = (struct line_cache){
		.lens = mem_array(slots, sizeof(*cache->lens)),
		.numbers = mem_array(slots, sizeof(*cache->numbers)),
		.shift = 64 - bits,
	};
}

static uint64_t
mix(uint64_t state, const char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	state = (state ^ word) * UINT64_C(0x9E3779B97F4A7C15);
	return state ^ state >> 32;
}

/* Lines that were made to share a slot are parsed each time; that is all. */
size_t
line_cache_line_slot(const struct line_cache *cache, struct str line)
{
	const size_t word = sizeof(uint64_t);
	uint64_t state = line.len;
	size_t at;

	if (line.len < word)
		return 0;
	for (at = 0; at + word < line.len; at += word)
		state = mix(state, line.data + at);
	state = mix(state, line.data + line.len - word);
	return line_cache_slot(cache, state);
}

void
line_cache_note(struct line_cache *cache, size_t slot, struct str line,
    const struct calls *calls)
{
	struct cached_line *noted;

	if (line.len == 0 || line.len > LINE_CACHE_LINE)
		return;
	if (cache->lens[slot] == 0) {
		cache->lines = mem_grow(cache->lines, &cache->room,
		    cache->count + 1, sizeof(*cache->lines));
		cache->numbers[slot] = (uint16_t)cache->count++;
	}
	noted = &cache->lines[cache->numbers[slot]];
	noted->frames = calls->frames;
	noted->count = (uint32_t)calls->count;
	memcpy(noted->text, line.data, line.len);
	cache->lens[slot] = (unsigned char)line.len;
}
