#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "lib/prefetch.h"
#include "seen.h"

/* Who tests may want fewer. */
#ifndef CHAINS
#define CHAINS		((size_t)1 << 18)	/* 10 MB */
#endif
#define CHAINS_MOST	(CHAINS * 3 / 4)

/* To look for a chain, or for a stack, costs as much as so many addresses. */
#define COST		5
#define COST_STACK	4

void
seen_init(struct seen *seen)
{
	*seen = (struct seen){ .count = 0 };
	seen->chains = mem_table(CHAINS, sizeof(*seen->chains),
	    &seen->memory);
}

void
seen_free(struct seen *seen)
{
	free(seen->memory);
}

bool
seen_has_room(const struct seen *seen)
{
	return seen->count + SEEN_BATCH < CHAINS_MOST;
}

/* Returns the place at which a chain is looked for first. */
static size_t
place_of(const struct seen_key *key)
{
	return key->digest.halves[1] % CHAINS;
}

static struct seen_chain *
find(struct seen *seen, const struct seen_key *key)
{
	uint64_t first = key->digest.halves[0] | 1;
	uint32_t second = (uint32_t)(key->digest.halves[1] >> 32);
	size_t at = place_of(key);
	struct seen_chain *chain;

	for (; (chain = &seen->chains[at])->first != 0; at = (at + 1) % CHAINS)
		if (chain->first == first && chain->second == second) {
			seen->words_found += key->words;
			return chain;
		}
	seen->count++;
	*chain = (struct seen_chain){ .first = first, .second = second,
	    .stack = SEEN_NEW };
	return chain;
}

/* The first loop waits for memory once, for all chains together. */
void
seen_find(struct seen *seen, const struct seen_key *keys, size_t count,
    struct seen_chain **found)
{
	size_t i;

	seen->asked += count;
	for (i = 0; i < count; i++)
		prefetch(&seen->chains[place_of(&keys[i])]);
	for (i = 0; i < count; i++)
		found[i] = find(seen, &keys[i]);
}

struct seen_chain *
seen_next(const struct seen *seen, struct seen_chain *chain)
{
	struct seen_chain *end = seen->chains + CHAINS;

	chain = chain == NULL ? seen->chains : chain + 1;
	while (chain < end && chain->first == 0)
		chain++;
	return chain < end ? chain : NULL;
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
	memset(seen->chains, 0, CHAINS * sizeof(*seen->chains));
	seen->count = seen->asked = seen->words_found = 0;
}
