/*
 * seen: the chains of samples that were seen before, with the stacks that they
 * have become.
 *
 * Chains are known by digests of all that their meaning depends on, and counted
 * here, with one look into memory.  Their counts are fetched before there are
 * too many chains, when all are forgotten: those of programs that have ended
 * are of no use.
 */
#ifndef SEEN_H
#define SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/digest.h"

struct seen_key {
	struct digest digest;
	uint32_t words;		/* of the chain */
};

/* A chain, and what it has become. */
struct seen_chain {
	uint64_t first;		/* of the digest, but odd; 0: no chain */
	uint32_t second;	/* 32 bits more of it */
	uint32_t stack;		/* its number; SEEN_NEW at first, and then
				   SEEN_WAITING perhaps */
	uint32_t addresses;	/* how many it has, for the caller */
	uint32_t samples;	/* that had it; at most UINT32_MAX */
	uint64_t count;		/* the sum of theirs; at most UINT64_MAX */
};

#define SEEN_NEW	UINT32_MAX
#define SEEN_WAITING	(UINT32_MAX - 1)	/* it cannot be known yet */
#define SEEN_BATCH	32

struct seen {
	struct seen_chain *chains;
	void *memory;		/* in which they are */
	size_t count;		/* chains */
	size_t asked;		/* for so many since all were forgotten */
	size_t words_found;	/* of those that were there */
};

void seen_init(struct seen *seen);
void seen_free(struct seen *seen);

/* True if SEEN_BATCH chains have room. */
bool seen_has_room(const struct seen *seen);

/*
 * Finds up to SEEN_BATCH chains, for which there is room, or adds those that
 * are new; found[i] points to where it stays until all are forgotten.
 */
void seen_find(struct seen *seen, const struct seen_key *keys, size_t count,
    struct seen_chain **found);

/* Returns the chain behind another one, the first behind NULL; or NULL. */
struct seen_chain *seen_next(const struct seen *seen,
    struct seen_chain *chain);

/*
 * True if to look for chains, since all were forgotten, cost less than to look
 * up the addresses of those that were found.
 */
bool seen_helps(const struct seen *seen);

/* Forgets all chains. */
void seen_forget(struct seen *seen);

#endif
