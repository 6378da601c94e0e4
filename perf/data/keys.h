/*
 * keys: chains of samples, and by what they are known: digests of all that
 * their meaning depends on, which is the root, the maps and the words.
 *
 * Mostly the maps of a process are not digested, but codes of its addresses,
 * which are the same wherever a module is mapped; so a program's chains are
 * known again in all its processes:
 *
 *	process 10  USER  7f2a00401010  12ab      USER  5 << 47 | 1010  0
 *	process 11  USER  7efc80051010  3ffe      USER  5 << 47 | 1010  0
 */
#ifndef KEYS_H
#define KEYS_H

#include "perf/root.h"
#include "places.h"
#include "seen.h"

struct unwind_machine;

/* What the rest of a chain is unwound from. */
struct chain_rest {
	const struct unwind_machine *machine;
	const char *ip;		/* the only word if that cannot be done */
	struct sample_user user;
};

/* A sample, as far as it makes a stack; small, for there are many. */
struct chain {
	const struct maps *maps;	/* a snapshot of its process's */
	const struct root *root;
	const char *words;	/* only the ip of a lone one */
	uint32_t len;		/* bytes of them */
	uint16_t rest;		/* of the batch's, from 1; 0: all is in words */
	uint8_t mode;		/* a record_mode: whose ip is */
	bool is_lone;		/* recorded without a chain */
	uint64_t count;
	uint64_t time;		/* for the timeline */
};

static inline struct str
chain_words(const struct chain *chain)
{
	return (struct str){ chain->words, chain->len };
}

/* What keys of a run, and of a batch, have in common. */
struct keys {
	struct table_secrets secrets;
	bool encodes;		/* as no addresses are printed */
	struct digest batch;
};

/* Begins; addresses are printed, or not. */
void keys_init(struct keys *keys, bool addresses);

/* Begins the chains of a batch; a number tells what is known of the kernel. */
void keys_begin(struct keys *keys, unsigned long long kernel);

/* Makes the keys of chains of the batch. */
void keys_make(const struct keys *keys, struct places *places,
    const struct chain *list, size_t count, struct seen_key *made);

#endif
