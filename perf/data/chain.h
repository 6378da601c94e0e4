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
 * when they were taken: the slices, the maps, the modules.  So any thread with
 * chains of its own can fold a batch, and unwinds stacks then.
 */
#ifndef CHAIN_H
#define CHAIN_H

#include "backtrace.h"
#include "fold/timeline.h"
#include "keys.h"
#include "perf/root.h"
#include "unknowns.h"
#include "waiting.h"

/* The addresses at which inlined functions are looked for. */
enum chain_inlined { INLINED_UNWOUND, INLINED_ALL, INLINED_NONE };

struct chain_options {
	size_t max_stack;		/* frames */
	bool reads_ahead;		/* the kernel's names, in a thread */
	enum chain_inlined inlined;
	struct timeline *timeline;	/* keeps their order; NULL: none does */
	enum frame_lines lines;
};

#define BATCH_CHAINS	512

/* Begins as { 0 }. */
struct batch {
	const struct maps *kernel;
	struct module *kernel_module;	/* NULL: not known yet */
	struct chain_rest *rests;	/* of some chains; NULL: there was none */
	size_t count, rests_count;
	struct chain chains[BATCH_CHAINS];
};

/* A thread has one of these. */
struct chains {
	struct table *names;		/* of frames */
	struct stacks *stacks;
	struct chain_options options;

	const struct maps *kernel;	/* of the batch that is folded */
	struct keys keys;
	struct seen seen;
	size_t unseen;		/* chains that are not looked for there */
	struct waiting waiting;
	bool has_names, lacks_names;	/* the kernel's are read, or not while
					   a batch is folded */
	struct places places;
	struct backtrace backtrace;
	struct place_sought *sought;	/* addresses of new chains... */
	size_t sought_count, sought_room;
	struct stack stack;		/* ...and their stacks, end to end */
	uint32_t *roots;		/* by their numbers in other threads */
	size_t roots_count, roots_room;

	struct unknowns unknowns;	/* of the chains in seen */
};

void chains_init(struct chains *chains, struct frames *frames,
    struct stacks *stacks, const struct chain_options *options);
void chains_free(struct chains *chains);

/*
 * Counts the samples of a batch, and empties it.  While another thread reads
 * the kernel's names, new chains that need them are counted, and wait: before
 * their maps are dropped, `waiting` is to keep them.
 */
void chains_fold(struct chains *chains, struct batch *batch);

/*
 * Counts all samples that were not counted so far.  The chains that they had
 * are to be forgotten then, or no others follow.
 */
void chains_settle(struct chains *chains);

#endif
