#include <stdlib.h>

#include "../lib/mem.h"
#include "../lib/prefetch.h"
#include "../lib/table.h"
#include "seen.h"

/* Twice as much memory makes some 5 % fewer chains new again. */
#define MEMORY	((size_t)8 * 1024 * 1024)
#define SLOTS	((size_t)1 << 18)

/* The size of a chain with its words is a multiple of this. */
#define ALIGN	sizeof(uint64_t)
#define CHAINS_MOST	(SLOTS * 3 / 4)

/* To look for a chain, or for a stack, costs as much as so many addresses. */
#define COST		5
#define COST_STACK	4

#define LINE	64	/* bytes that memory is brought near by */

/* A hash differs for most chains, so few that differ are looked at. */
struct seen_slot {
	uint32_t hash;
	uint32_t place;		/* in memory, plus one; 0 in an empty slot */
};

void
seen_init(struct seen *seen)
{
	table_seed();
	*seen = (struct seen){
		.slots = mem_array(SLOTS, sizeof(*seen->slots)),
		.memory = mem_array(MEMORY, 1),
	};
}

void
seen_free(struct seen *seen)
{
	free(seen->slots);
	free(seen->memory);
}

static size_t
size_of(size_t len)
{
	return sizeof(struct seen_chain) + (len + ALIGN - 1) / ALIGN * ALIGN;
}

bool
seen_has_room(const struct seen *seen, size_t bytes)
{
	return MEMORY - seen->used > bytes + SEEN_BATCH * size_of(ALIGN) &&
	    seen->count + SEEN_BATCH < CHAINS_MOST;
}

static uint32_t
hash_of(const struct seen_key *key)
{
	uint64_t hash = table_hash(key->words) +
	    key->maps * UINT64_C(0x9E3779B97F4A7C15) +
	    key->kernel * UINT64_C(0xBF58476D1CE4E5B9) +
	    key->root * UINT64_C(0x94D049BB133111EB);

	return (uint32_t)(hash ^ hash >> 32);
}

static struct seen_chain *
chain_at(const struct seen *seen, uint32_t place)
{
	return (void *)(seen->memory + (place - 1));
}

static bool
is_same(const struct seen_chain *chain, const struct seen_key *key)
{
	return chain->maps == key->maps && chain->kernel == key->kernel &&
	    chain->root == key->root && chain->len == key->words.len &&
	    memcmp(chain + 1, key->words.data, key->words.len) == 0;
}

static struct seen_chain *
add(struct seen *seen, struct seen_slot *slot, uint32_t hash,
    const struct seen_key *key)
{
	struct seen_chain *chain = (void *)(seen->memory + seen->used);

	*chain = (struct seen_chain){ .maps = key->maps,
	    .kernel = key->kernel, .root = key->root,
	    .len = (uint32_t)key->words.len, .stack = SEEN_NEW };
	if (key->words.len > 0)
		memcpy(chain + 1, key->words.data, key->words.len);
	*slot = (struct seen_slot){ hash, (uint32_t)seen->used + 1 };
	seen->used += size_of(key->words.len);
	seen->count++;
	return chain;
}

static struct seen_chain *
find(struct seen *seen, uint32_t hash, const struct seen_key *key)
{
	size_t at = hash % SLOTS;
	struct seen_slot *slot;

	for (; (slot = &seen->slots[at])->place != 0; at = (at + 1) % SLOTS)
		if (slot->hash == hash &&
		    is_same(chain_at(seen, slot->place), key)) {
			seen->words_found += key->words.len / ALIGN;
			return chain_at(seen, slot->place);
		}
	return add(seen, slot, hash, key);
}

/*
 * Each of these loops waits for memory once, for all chains together, as in
 * paths_find.
 */
void
seen_find(struct seen *seen, const struct seen_key *keys, size_t count,
    struct seen_chain **found)
{
	uint32_t hashes[SEEN_BATCH];
	const struct seen_slot *slot;
	const char *chain;
	size_t i;

	seen->asked += count;
	for (i = 0; i < count; i++) {
		hashes[i] = hash_of(&keys[i]);
		prefetch(&seen->slots[hashes[i] % SLOTS]);
	}
	for (i = 0; i < count; i++) {
		slot = &seen->slots[hashes[i] % SLOTS];
		if (slot->place == 0)
			continue;
		chain = seen->memory + (slot->place - 1);
		prefetch(chain);
		prefetch(chain + LINE);
	}
	for (i = 0; i < count; i++)
		found[i] = find(seen, hashes[i], &keys[i]);
}

struct seen_chain *
seen_next(const struct seen *seen, struct seen_chain *chain)
{
	char *next = chain == NULL ? seen->memory :
	    (char *)chain + size_of(chain->len);

	return next == seen->memory + seen->used ? NULL : (void *)next;
}

bool
seen_helps(const struct seen *seen)
{
	size_t found = seen->asked - seen->count;

	return COST * seen->asked < COST_STACK * found + seen->words_found;
}

void
seen_forget(struct seen *seen)
{
	memset(seen->slots, 0, SLOTS * sizeof(*seen->slots));
	seen->used = seen->count = 0;
	seen->asked = seen->words_found = 0;
}
