/*
 * chain: makes of samples' addresses the stacks that count.
 *
 * Mostly chains of addresses come again, so a chain is looked up in `seen`, and
 * only those that are new there are made a stack of.  Where too few come again,
 * as those of programs that soon end, each is made one of.
 *
 * A chain is addresses, the innermost first, and contexts, numbers beyond all
 * addresses, which say whose the addresses are that follow:
 *
 *	KERNEL  ffffffff81a012  ffffffff81a40c  USER  7f2a0c14  401136
 *
 * Behind the context UNWOUND, which is ours, are addresses alone: see
 * backtrace.h.
 *
 * Samples come in batches, in which all that they depend on stays as it was
 * when they were taken: the slices, the snapshots of maps, the modules.  So any
 * thread with chains of its own can fold a batch, and unwinds stacks then.
 */
#ifndef CHAIN_H
#define CHAIN_H

#include "../fold/timeline.h"
#include "backtrace.h"
#include "keys.h"
#include "root.h"

/* The addresses at which inlined functions are looked for. */
enum chain_inlined { INLINED_UNWOUND, INLINED_ALL, INLINED_NONE };

struct chain_options {
	size_t max_stack;		/* frames */
	bool reads_ahead;		/* chains_fold_early may do so */
	enum chain_inlined inlined;
	struct timeline *timeline;	/* keeps their order; NULL: none does */
	enum frame_lines lines;
};

#define BATCH_CHAINS	512

struct batch {
	const struct maps *kernel;	/* a snapshot of its maps */
	struct module *kernel_module;	/* NULL: not known yet */
	size_t count, bytes;		/* chains, and their words */
	size_t folded;			/* so many of the first, early */
	struct chain_rest *rests;	/* of some chains; NULL: there was none */
	size_t rests_count;
	struct batch *next;		/* for the caller, who... */
	bool is_begun;			/* ...may have folded a part early */
	struct chain chains[BATCH_CHAINS];

	/* What its chains are in, which its number has marked as held: */
	unsigned long long number;	/* of all batches; from 1 */
	struct block *blocks[BATCH_CHAINS];
	const struct maps *maps[BATCH_CHAINS];
	size_t blocks_count, maps_count;
};

/* Addresses of a chain that have no function in a module. */
struct unknown {
	const struct seen_chain *chain;
	const struct module *module;
	unsigned long long count;
};

/* A thread has one of these. */
struct chains {
	struct table *names;		/* of frames */
	struct stacks *stacks;
	struct chain_options options;

	const struct batch *batch;	/* that is folded */
	struct keys keys;
	struct seen seen;
	size_t unseen;		/* chains that are not looked for there */
	struct places places;
	struct backtrace backtrace;
	struct place_sought *sought;	/* addresses of new chains... */
	size_t sought_count, sought_room;
	struct stack stack;		/* ...and their stacks, end to end */
	uint32_t *roots;		/* by their numbers in other threads */
	size_t roots_count, roots_room;

	struct unknown *unknowns;	/* of the chains in seen */
	size_t unknowns_count, unknowns_room;
	unsigned long long addresses;	/* of samples counted... */
	unsigned long long unknown;	/* ...with no function, though in... */
	unsigned long long *unknown_in;	/* ...modules, by their numbers */
	size_t modules, modules_room;
};

void chains_init(struct chains *chains, struct frames *frames,
    struct stacks *stacks, const struct chain_options *options);
void chains_free(struct chains *chains);

/* Counts the samples of a batch but those folded early, perhaps not at once. */
void chains_fold(struct chains *chains, const struct batch *batch);

/*
 * Before the kernel's names are read, folds the chains that need none, which
 * come first in the batch then, while another thread reads them.  True if
 * chains are left, which chains_fold folds.
 */
bool chains_fold_early(struct chains *chains, struct batch *batch);

/* Counts all samples that were not counted so far. */
void chains_settle(struct chains *chains);

/* Adds how many addresses others have met, and how many are unknown. */
void chains_add_unknown(struct chains *chains, const struct chains *others);

#endif
