/*
 * callchain: turns the addresses of samples into stacks.
 *
 * A chain has addresses, innermost first, and contexts that say whether kernel
 * or user addresses follow:
 *
 *	KERNEL  ffffffff81a012  ffffffff81a40c  USER  7f2a0c14  401136
 *
 * Mostly chains come again, so they are looked up in a cache, by digests of all
 * that their meaning depends on.  Two digests are the same once in 10^18
 * comparisons, and nobody can construct such chains, since each run has its own
 * secret.
 *
 * Chains wait in a batch, so that several are looked up while memory is
 * fetched.  They hold the maps of their processes; all else that they depend on
 * must not change before callchain_flush().
 */
#ifndef CALLCHAIN_H
#define CALLCHAIN_H

#include "backtrace.h"
#include "lib/table.h"
#include "perf/profile.h"
#include "process.h"

struct chain_options {
	bool not_inlined;		/* leave inlined functions out */
	enum frame_lines lines;
	bool stitch;			/* join stacks whose copies are short */
	bool fetches;			/* files from servers of debuginfod */
};

/* The part of a sample that makes its stack; small, for there are many. */
struct chain {
	struct maps *maps;	/* of its process */
	struct str words;	/* only the ip of a lone one */
	uint32_t root;		/* the number of the root's frame... */
	uint32_t cgroup;	/* ...of one outside it, plus one; or 0 */
	uint32_t event;		/* the same outside that */
	uint8_t mode;		/* a record_mode: whose ip is */
	bool is_lone;		/* recorded without a chain */
	bool is_nothing;	/* not a stack: nobody asks for its number */
	bool java;		/* the root is java's */
	uint64_t count;
	uint64_t time;		/* if their order matters, and... */
	struct wait_event change;	/* ...what happened, if waits count */
};

#define CHAINS_FETCHED	4096	/* that wait for files which are fetched */

/* Begins as { 0 }, with callchain_init(). */
struct callchain {
	struct profile *profile;
	struct stacks *stacks;		/* of the profile, or of its waits */
	struct chain_options options;
	const struct process *process;	/* with the kernel and symbols */
	struct span *spans;		/* found last, by maps and address */
	struct place *places;		/* known, by module and line */
	void *places_memory;
	struct debug_functions functions;	/* at the last one of these */
	struct backtrace backtrace;	/* machine and most are to be set */
	unsigned long long addresses;	/* of samples counted */
	unsigned long long unknown;	/* those without a function */

	struct chain batch[CHAINS_FETCHED];	/* chains that wait... */
	size_t count, most;		/* ...and how many at most */

	struct chain_cache {
		uint64_t secret;
		struct cached_chain *chains;
		void *memory;		/* in which they are */
		size_t count;		/* chains */
		struct cached_unknown *unknown;	/* their addresses */
		size_t unknown_count, unknown_room;
	} cache;
	struct call_art *art;		/* of frames of one stack */
	size_t art_room;
	struct stack stack;		/* of new chains, end to end */
};

void callchain_init(struct callchain *chains, struct profile *profile,
    const struct process *process, const struct chain_options *options);
void callchain_free(struct callchain *chains);

/* Makes stacks of all chains that wait. */
void callchain_flush(struct callchain *chains);

static inline void
callchain_add(struct callchain *chains, const struct chain *chain)
{
	maps_hold(chain->maps);
	chains->batch[chains->count] = *chain;
	if (++chains->count == chains->most)
		callchain_flush(chains);
}

/* Counts all samples that were not counted so far; no others follow. */
void callchain_end(struct callchain *chains);

/* Reports where many functions are unknown, and why many stacks end early. */
void callchain_report(struct callchain *chains, const char *name);

#endif
