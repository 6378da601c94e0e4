/*
 * backtrace: makes the chain of addresses of a sample that was recorded with
 * registers and a copy of the stack (perf record --call-graph dwarf).
 *
 * The kernel's part is recorded as a chain; that of the program is unwound, and
 * joined to it:
 *
 *	KERNEL  ffffffff81a012  UNWOUND  7f2a0c14  401136  401050
 *
 * Memory is the copy of the stack, and else the files as they are mapped.  It
 * is counted how stacks end; those whose copies are too short may be joined to
 * others (stitch.h).
 */
#ifndef BACKTRACE_H
#define BACKTRACE_H

#include "record.h"
#include "stats.h"
#include "stitch.h"
#include "symbols/unwind/unwind.h"

/* Begins as { 0 }, except what is to be set. */
struct backtrace {
	struct rows rows;
	struct text words;		/* of the last chain */
	const struct maps *maps;		/* of the process */
	uint64_t stack_start;		/* of the copy, which is in... */
	struct sample_user user;
	struct text stack;		/* ...or here, if more is needed */
	bool has_missed;		/* a word after its end was needed */
	struct stats *stats;		/* to be set */
	bool stitches;			/* the same, for these: */
	struct stitch stitch;
	struct stitch_stack frames;	/* of the last stack, from inside */
};

/*
 * Returns the chain of a thread's sample, recorded as `chain`, with at most
 * `max_stack` addresses in each part; valid until the next call.  False if
 * there are no registers or maps to start from; perf shows the ip alone then.
 */
bool backtrace_make(struct backtrace *backtrace,
    const struct unwind_machine *machine, const struct maps *maps,
    struct stitch_thread thread, struct str chain,
    const struct sample_user *user, size_t most, struct str *words);

/*
 * Adds the caller of a leaf function to a sample's chain on aarch64. A leaf may
 * have no frame, so the chain of frame pointers lacks its caller, but perf
 * record -g also records the link register.  The words may then be valid only
 * until the next call.
 */
void backtrace_add_leaf_caller(struct backtrace *backtrace,
    const struct maps *maps, const struct sample_user *user,
    struct str *words);

/*
 * Replaces the user's part of a chain (perf record --call-graph lbr) by the
 * calls that the processor recorded.  As in perf, it stays if it begins after
 * `most` words.  The words may then live until the next call.
 */
void backtrace_add_branches(struct backtrace *backtrace, struct str branches,
    size_t most, struct str *words);

void backtrace_free(struct backtrace *backtrace);

#endif
