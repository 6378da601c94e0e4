/*
 * seen: the chains of samples that were seen before, with the stacks that they
 * have become.
 *
 * Two chains are the same if their addresses are, and the maps that these are
 * looked up in, and the roots of their stacks.  They are counted here, with one
 * look into memory for a chain and its count, and the counts are fetched before
 * there are too many chains, when all are forgotten: those of programs that
 * have ended are of no use.
 *
 * They are in one piece of memory, end to end, each with its words behind it:
 *
 *	slots   [hash, place] [0] [0] [hash, place] [0] ...
 *	                   \________________      \
 *	memory  [seen_chain] [words] [seen_chain] [words] ...
 */
#ifndef SEEN_H
#define SEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/str.h"

/* All that the meaning of a chain depends on. */
struct seen_key {
	uint64_t maps;		/* versions of the process's maps... */
	uint64_t kernel;	/* ...and of the kernel's, or another context */
	uint32_t root;
	struct str words;
};

/* A chain, and what it has become. */
struct seen_chain {
	uint64_t maps, kernel;
	uint32_t root;
	uint32_t len;		/* bytes of its words, which follow */
	uint32_t stack;		/* its number; SEEN_NEW at first */
	uint32_t samples;	/* that had it; at most UINT32_MAX */
	uint64_t count;		/* the sum of theirs, at most UINT64_MAX */
	uint32_t addresses;
};

#define SEEN_NEW	UINT32_MAX
#define SEEN_BATCH	32

struct seen {
	struct seen_slot *slots;
	char *memory;
	size_t used;		/* bytes of it */
	size_t count;		/* chains */
	size_t asked;		/* for so many since all were forgotten */
	size_t words_found;	/* of those that were there */
};

void seen_init(struct seen *seen);
void seen_free(struct seen *seen);

/* True if SEEN_BATCH chains, or one, with so many bytes of words have room. */
bool seen_has_room(const struct seen *seen, size_t bytes);

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
