#include <stdlib.h>
#include <string.h>

#include "chaincache.h"
#include "context.h"
#include "lib/prefetch.h"

/* Who tests may want fewer. */
#ifndef CHAINS
#define CHAINS		((size_t)1 << 18)	/* 10 MB */
#endif
#define CHAINS_MOST	(CHAINS * 3 / 4)

/* The costs of looking for a chain, and for a stack, in addresses. */
#define COST		5
#define COST_STACK	4

/*
 * Adds a word after those of a digest, which begins as { 0 }.  The first word
 * is not 0, which would leave it so.
 */
static inline void
digest_add(struct digest *digest, const struct table_secrets *secrets,
    uint64_t word)
{
	digest->halves[0] = product_fold(digest->halves[0] ^ word,
	    secrets->odd[0]);
	digest->halves[1] = product_fold(digest->halves[1] ^ word,
	    secrets->odd[1]);
}

struct key {
	struct digest digest;
	uint32_t words;		/* of the chain */
};

void
chaincache_init(struct chaincache *cache, bool addresses)
{
	table_seed();
	*cache = (struct chaincache){ .secrets = table_secrets(),
	    .encodes = !addresses };
	cache->chains = mem_table(CHAINS, sizeof(*cache->chains),
	    &cache->memory);
}

void
chaincache_free(struct chaincache *cache)
{
	free(cache->memory);
}

bool
chaincache_has_room(const struct chaincache *cache)
{
	return cache->count + CHAINCACHE_BATCH < CHAINS_MOST;
}

void
chaincache_begin(struct chaincache *cache, uint64_t kernel)
{
	cache->batch = (struct digest){ { 0 } };
	digest_add(&cache->batch, &cache->secrets, kernel);
}

/* A key is made of codes, or of a chain's words and maps. */
enum key_of { KEY_OF_CODES, KEY_OF_WORDS };

/* Adds a word to a key. */
static inline void
add(const struct chaincache *cache, struct key *key, uint64_t word)
{
	digest_add(&key->digest, &cache->secrets, word);
}

/*
 * Adds the words of a chain, but codes instead of a process's addresses; false
 * if an address has none.
 */
static bool
add_codes(const struct chaincache *cache, struct symbolizer *symbolizer,
    const struct chain *chain, struct key *key)
{
	const struct place_span nowhere = { .len = 0 }, *span = &nowhere;
	const char *at = chain->words, *end = at + chain->len;
	enum record_mode mode = chain->is_lone ? chain->mode : MODE_USER, next;
	uint64_t version = maps_version(chain->maps), word;

	for (; at < end; at += ATTR_WORD) {
		word = attr_word(at);
		if (word >= CONTEXT_FIRST) {
			next = context_mode(word);
			mode = next != MODE_UNKNOWN ? next : mode;
		} else if (mode == MODE_USER) {
			if (word - span->start >= span->len)
				span = symbolizer_span(symbolizer,
				    chain->maps, version, word);
			if (!span->has_codes)
				return false;
			word = span->module != NULL ? word + span->code : 0;
		}
		add(cache, key, word);
	}
	return true;
}

/* Begins the key of a chain with what its words do not tell. */
static struct key
begin_key(const struct chaincache *cache, const struct chain *chain,
    enum key_of what)
{
	unsigned lone = chain->is_lone ? chain->mode + 1u : 0;
	struct key key = { cache->batch, chain->len / ATTR_WORD };

	add(cache, &key, (uint64_t)chain->root << 8 | lone << 1 | what);
	if (chain->cgroup > 0)		/* all have one, or none */
		add(cache, &key, chain->cgroup);
	if (chain->event > 0)
		add(cache, &key, chain->event);
	return key;
}

static struct key
make_key(const struct chaincache *cache, struct symbolizer *symbolizer,
    const struct chain *chain)
{
	struct key key = begin_key(cache, chain, KEY_OF_CODES);
	const char *at;

	if (cache->encodes && chain->rest == 0 &&
	    add_codes(cache, symbolizer, chain, &key))
		return key;
	key = begin_key(cache, chain, KEY_OF_WORDS);
	add(cache, &key, maps_version(chain->maps));
	for (at = chain->words; at < chain->words + chain->len;
	    at += ATTR_WORD)
		add(cache, &key, attr_word(at));
	return key;
}

/* Returns the place at which a chain is looked for first. */
static size_t
place_of(const struct key *key)
{
	return key->digest.halves[1] % CHAINS;
}

static struct cached_chain *
find(struct chaincache *cache, const struct key *key)
{
	uint64_t first = key->digest.halves[0] | 1;
	uint32_t second = (uint32_t)(key->digest.halves[1] >> 32);
	size_t at = place_of(key);
	struct cached_chain *chain;

	for (; (chain = &cache->chains[at])->first != 0; at = (at + 1) % CHAINS)
		if (chain->first == first && chain->second == second) {
			cache->words_found += key->words;
			return chain;
		}
	cache->count++;
	*chain = (struct cached_chain){ .first = first, .second = second,
	    .stack = CHAIN_NEW };
	return chain;
}

/* The second loop waits for memory once, for all chains together. */
void
chaincache_find(struct chaincache *cache, struct symbolizer *symbolizer,
    const struct chain *list, size_t count, struct cached_chain **found)
{
	struct key keys[CHAINCACHE_BATCH];
	size_t i;

	cache->asked += count;
	for (i = 0; i < count; i++)
		keys[i] = make_key(cache, symbolizer, &list[i]);
	for (i = 0; i < count; i++)
		prefetch(&cache->chains[place_of(&keys[i])]);
	for (i = 0; i < count; i++)
		found[i] = find(cache, &keys[i]);
}

struct cached_chain *
chaincache_next(const struct chaincache *cache, struct cached_chain *chain)
{
	struct cached_chain *end = cache->chains + CHAINS;

	chain = chain == NULL ? cache->chains : chain + 1;
	while (chain < end && chain->first == 0)
		chain++;
	return chain < end ? chain : NULL;
}

bool
chaincache_helps(const struct chaincache *cache)
{
	size_t found = cache->asked - cache->count;

	return COST * cache->asked < COST_STACK * found + cache->words_found;
}

void
chaincache_forget(struct chaincache *cache)
{
	memset(cache->chains, 0, CHAINS * sizeof(*cache->chains));
	cache->count = cache->asked = cache->words_found = 0;
}
