/*
 * chain: makes of samples' addresses the stacks that count.
 *
 * Mostly chains of addresses come again, so a chain is looked up in a cache,
 * and only a new one is made a stack of.  Where too few come again, as those of
 * programs that soon end, each is made one of.
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
 * when they were taken.  So any thread with chains of its own can fold a batch,
 * and unwinds stacks then.
 */
#ifndef CHAIN_H
#define CHAIN_H

#include "backtrace.h"
#include "chaincache.h"
#include "fold/timeline.h"
#include "symbolizer.h"
#include "unresolved.h"

struct chain_options {
	size_t max_stack;		/* frames */
	bool inlined;			/* show inlined functions in stacks */
	enum frame_lines lines;
	bool stitch;			/* stacks whose copies are short; then
					   samples come in their order */
};

#define BATCH_CHAINS	512

/* Begins as { 0 }. */
struct batch {
	struct maps_view kernel;
	struct module *kernel_module;	/* NULL: not known yet */
	struct chain_rest *rests;	/* of some chains; or NULL */
	size_t count, rests_count;
	struct chain chains[BATCH_CHAINS];
};

/* A thread has one of these. */
struct chains {
	struct stacks *stacks;
	struct chain_options options;

	struct maps_view kernel;	/* of the batch that is folded */
	struct chaincache cache;
	size_t uncached;	/* chains that are not looked for there */
	struct symbolizer symbolizer;
	struct backtrace backtrace;
	struct place_sought *sought;	/* addresses of new chains... */
	size_t sought_count, sought_room;
	struct stack stack;		/* ...and their stacks, end to end */
	uint32_t *kept;			/* numbers of stacks, for the caller */
	size_t kept_count, kept_room;

	struct unresolved unresolved;	/* of the chains in the cache */
};

void chains_init(struct chains *chains, struct frames *frames,
    struct stacks *stacks, const struct chain_options *options);
void chains_free(struct chains *chains);

/*
 * Returns where the number of a stack will be kept, in a chain that is folded
 * next; chains_kept() gives it until chains_keep_none().
 */
static inline uint32_t
chains_keep(struct chains *chains)
{
	chains->kept = mem_grow(chains->kept, &chains->kept_room,
	    chains->kept_count + 2, sizeof(*chains->kept));
	return (uint32_t)++chains->kept_count;
}

static inline uint32_t
chains_kept(const struct chains *chains, uint32_t kept)
{
	return chains->kept[kept];
}

static inline void
chains_keep_none(struct chains *chains)
{
	chains->kept_count = 0;
}

/* Counts the samples of a batch, and empties it. */
void chains_fold(struct chains *chains, struct batch *batch);

/*
 * Counts all samples that were not counted so far.  The chains that they had
 * are to be forgotten then, or no others follow.
 */
void chains_settle(struct chains *chains);

#endif
