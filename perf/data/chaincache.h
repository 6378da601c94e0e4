/*
 * chaincache: the chains of samples that were seen before, with the stacks that
 * they have become.
 *
 * Chains are known by digests of all that their meaning depends on, the root,
 * the maps and the words, and are counted here, with one look into memory.
 * Mostly the maps of a process are not digested, but codes of its addresses,
 * which are the same wherever a module is mapped; so a program's chains are
 * known again in all its processes:
 *
 *	process 10  USER  7f2a00401010  12ab      USER  5 << 47 | 1010  0
 *	process 11  USER  7efc80051010  3ffe      USER  5 << 47 | 1010  0
 *
 * The counts are fetched before there are too many chains, when all are
 * forgotten: those of programs that have ended are of no use.
 */
#ifndef CHAINCACHE_H
#define CHAINCACHE_H

#include "lib/product.h"
#include "lib/table.h"
#include "stitch.h"
#include "symbolizer.h"

struct unwind_machine;

/*
 * 128 bits that stand for words in a row, of any number.  Two different rows
 * have the same digest once in 10^38 or so, and nobody can look for such rows
 * without the secrets, which each run draws anew.  So a table can hold digests
 * instead of rows.
 */
struct digest {
	uint64_t halves[2];
};

/* A sample's registers and stack, from which the chain's rest is unwound. */
struct chain_rest {
	const struct unwind_machine *machine;
	const char *ip;		/* the only word if that cannot be done */
	struct sample_user user;
	struct stitch_thread thread;
};

/* A sample, as far as it makes a stack; small, for there are many. */
struct chain {
	struct maps_view maps;	/* of its process */
	const char *words;	/* only the ip of a lone one */
	uint32_t len;		/* bytes of them */
	uint32_t root;		/* the number of the root's frame... */
	uint32_t cgroup;	/* ...of one outside it, plus one; or 0 */
	uint32_t event;		/* the same outside that */
	uint16_t rest;		/* of the batch's, from 1; 0: all is in words */
	uint8_t mode;		/* a record_mode: whose ip is */
	bool is_lone;		/* recorded without a chain */
	bool java;		/* the root is java's */
	uint32_t kept;		/* where the stack's number is kept, plus one;
				   0: nowhere */
	uint64_t count;
};

static inline struct str
chain_words(const struct chain *chain)
{
	return (struct str){ chain->words, chain->len };
}

/* A chain, and what it has become. */
struct cached_chain {
	uint64_t first;		/* of the digest, but odd; 0: no chain */
	uint32_t second;	/* 32 bits more of it */
	uint32_t stack;		/* its number; CHAIN_NEW at first */
	uint32_t addresses;	/* how many it has, for the caller */
	uint32_t samples;	/* that had it; at most UINT32_MAX */
	uint64_t count;		/* the sum of theirs; at most UINT64_MAX */
};

#define CHAIN_NEW	UINT32_MAX
#define CHAINCACHE_BATCH	32

/* Begins with chaincache_init(). */
struct chaincache {
	struct table_secrets secrets;
	bool encodes;		/* addresses, as none are printed */
	struct digest batch;	/* what the keys of a batch have in common */
	struct cached_chain *chains;
	void *memory;		/* in which they are */
	size_t count;		/* chains */
	size_t asked;		/* chains since all were forgotten */
	size_t words_found;	/* of those that were there */
};

/* Begins; addresses are printed, or not. */
void chaincache_init(struct chaincache *cache, bool addresses);
void chaincache_free(struct chaincache *cache);

/* Begins the chains of a batch; a number tells what is known of the kernel. */
void chaincache_begin(struct chaincache *cache, uint64_t kernel);

/* True if CHAINCACHE_BATCH chains have room. */
bool chaincache_has_room(const struct chaincache *cache);

/*
 * Finds up to CHAINCACHE_BATCH chains of the batch, for which there is room, or
 * adds those that are new; found[i] points to where it stays until all are
 * forgotten.
 */
void chaincache_find(struct chaincache *cache, struct symbolizer *symbolizer,
    const struct chain *list, size_t count, struct cached_chain **found);

/* Returns the chain after another one, the first after NULL; or NULL. */
struct cached_chain *chaincache_next(const struct chaincache *cache,
    struct cached_chain *chain);

/*
 * True if to look for chains, since all were forgotten, cost less than to look
 * up the addresses of those that were found.
 */
bool chaincache_helps(const struct chaincache *cache);

/* Forgets all chains. */
void chaincache_forget(struct chaincache *cache);

#endif
