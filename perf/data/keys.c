#include "context.h"
#include "keys.h"

/* What a key is made of. */
enum key_of { KEY_OF_CODES, KEY_OF_WORDS };

void
keys_init(struct keys *keys, bool addresses)
{
	table_seed();
	*keys = (struct keys){ .secrets = table_secrets(),
	    .encodes = !addresses };
}

void
keys_begin(struct keys *keys, unsigned long long kernel)
{
	keys->batch = (struct digest){ { 0 } };
	digest_add(&keys->batch, &keys->secrets, kernel);
}

/* Adds a word to a key. */
static inline void
add(const struct keys *keys, struct seen_key *key, uint64_t word)
{
	digest_add(&key->digest, &keys->secrets, word);
}

/*
 * Adds the words of a chain, but codes instead of a process's addresses; false
 * if an address has none.
 */
static bool
add_codes(const struct keys *keys, struct places *places,
    const struct chain *chain, struct seen_key *key)
{
	const struct place_span nowhere = { .len = 0 }, *span = &nowhere;
	const char *at = chain->words, *end = at + chain->len;
	enum record_mode mode = chain->is_lone ? chain->mode : MODE_USER, next;
	uint64_t word;

	for (; at < end; at += ATTR_WORD) {
		word = attr_word(at);
		if (word >= CONTEXT_FIRST) {
			next = context_mode(word);
			mode = next != MODE_UNKNOWN ? next : mode;
		} else if (mode == MODE_USER) {
			if (word - span->start >= span->len)
				span = places_span(places, chain->maps, word);
			if (!span->has_codes)
				return false;
			word = span->module != NULL ? word + span->code : 0;
		}
		add(keys, key, word);
	}
	return true;
}

/* Begins the key of a chain with what its words do not tell. */
static struct seen_key
begin(const struct keys *keys, const struct chain *chain, enum key_of what)
{
	unsigned lone = chain->is_lone ? chain->mode + 1u : 0;
	struct seen_key key = { keys->batch, chain->len / ATTR_WORD };

	add(keys, &key, (uint64_t)chain->root->frame << 8 | lone << 1 | what);
	return key;
}

static struct seen_key
make_key(const struct keys *keys, struct places *places,
    const struct chain *chain)
{
	struct seen_key key = begin(keys, chain, KEY_OF_CODES);
	const char *at;

	if (keys->encodes && chain->rest == 0 &&
	    add_codes(keys, places, chain, &key))
		return key;
	key = begin(keys, chain, KEY_OF_WORDS);
	add(keys, &key, chain->maps->version);
	for (at = chain->words; at < chain->words + chain->len;
	    at += ATTR_WORD)
		add(keys, &key, attr_word(at));
	return key;
}

void
keys_make(const struct keys *keys, struct places *places,
    const struct chain *list, size_t count, struct seen_key *made)
{
	size_t i;

	for (i = 0; i < count; i++)
		made[i] = make_key(keys, places, &list[i]);
}
