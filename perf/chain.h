/*
 * chain: makes of a sample's addresses the stack that counts.
 *
 * Most chains of addresses come again.  So a chain is looked up as it was
 * recorded, together with the version of its process's maps, on which its
 * meaning depends, and its frames are looked for the first time only.  Samples
 * are looked up TABLE_BATCH at a time, see table_add_batch.
 *
 * A chain is addresses, the innermost first, and contexts, numbers beyond all
 * addresses, which say whose the addresses are that follow:
 *
 *	KERNEL  ffffffff81a012  ffffffff81a40c  USER  7f2a0c14  401136
 *
 * Behind the context UNWOUND, which is ours, are addresses alone; see backtrace.
 */
#ifndef CHAIN_H
#define CHAIN_H

#include "frames.h"
#include "modules.h"
#include "root.h"

/* A context of ours: the user's addresses follow, of any size, to the end. */
#define CONTEXT_UNWOUND	(UINT64_MAX - 4094)
#define CONTEXT_USER	(UINT64_MAX - 511)

/* The addresses at which inlined functions are looked for. */
enum chain_inlined { INLINED_UNWOUND, INLINED_ALL, INLINED_NONE };

/* A sample, as far as it makes a stack. */
struct chain {
	const struct maps *maps;	/* of its process */
	struct root root;
	enum record_mode mode;	/* whose ip is */
	uint64_t ip;
	bool is_lone;		/* recorded without a chain */
	struct str words;
	uint64_t count;
};

struct chains {
	struct frames *frames;
	struct stacks *stacks;
	const struct maps *kernel;
	struct module *const *kernel_module;	/* to NULL while not known */
	size_t max_stack;		/* frames */
	enum chain_inlined inlined;

	struct table known;
	struct known_chain *list;	/* by its number */
	size_t listed, room;
	size_t bytes;			/* of its keys */

	struct chain batch[TABLE_BATCH];
	struct text keys;		/* theirs, end to end */
	size_t key_ends[TABLE_BATCH];
	size_t batched;

	struct known_frame *recent;	/* by a hash of address and maps */
	struct known_frame *places;	/* by one of place and module */
	struct stack stack;
	struct text address, symbol, module;
	struct debug_functions functions;	/* at the last one of these */
	unsigned long long resolved;	/* addresses that were looked for... */
	unsigned long long unknown;	/* ...in modules without a function */
};

void chains_init(struct chains *chains, struct frames *frames,
    struct stacks *stacks, const struct maps *kernel,
    struct module *const *kernel_module);
void chains_free(struct chains *chains);

/* Counts a sample, whose words are copied, but perhaps not at once. */
void chains_add(struct chains *chains, const struct chain *chain);

/* Counts all that were added; to be called before maps or tasks change. */
void chains_settle(struct chains *chains);

#endif
