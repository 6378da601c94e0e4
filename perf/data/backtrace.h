/*
 * backtrace: makes the chain of addresses of a sample that was recorded with
 * registers and a copy of the stack (perf record --call-graph dwarf).
 *
 * The kernel's part is a recorded chain.  The program's part is unwound:
 *
 *	KERNEL  ffffffff81a012  UNWOUND  7f2a0c14  401136  401050
 *
 * Memory is read from the copy of the stack, or else from the mapped files.
 * Stacks are counted by how they end.  With --stitch, stacks whose copies are
 * too short are joined to earlier ones of the same thread.
 *
 * Samples come in time order.  The last complete stack of each thread is kept.
 * The outermost frame of a later, truncated stack may be one of its frames:
 *
 *	kept                 copied          joined
 *	start   sp 9f80                      start
 *	main    sp 9f40                      main
 *	walk+8  sp 9f00      walk+20 9f00    walk+20
 *	walk+8  sp 9ec0      walk+8  9ec0    walk+8
 *	leaf    sp 9e90      walk+8  9e80    walk+8
 *
 * They match if they have the same stack pointer, function (perhaps at another
 * call) and caller's stack pointer.  Then the outer frames are taken from the
 * kept stack, and the joined one is kept, in which each frame called the next
 * one in some sample.  Otherwise frames are dropped that this copy shows gone.
 */
#ifndef BACKTRACE_H
#define BACKTRACE_H

#include "maps.h"
#include "record.h"
#include "stats.h"
#include "symbols/unwind/unwind.h"

struct stitch_frame {
	uint64_t address;	/* in the function, or of its call */
	uint64_t sp;		/* its stack pointer */
};

/* Begins as { 0 }; the outermost frame first, so that the top is the last. */
struct stitch_stack {
	struct stitch_frame *frames;
	size_t count, room;
};

/* A thread since its last change of name. */
struct stitch_thread {
	int32_t tid;
	uint64_t since;
};

/* Of two threads whose numbers are so far apart, the later one counts. */
#define STITCH_THREADS	4096

/* Begins as { 0 }. */
struct stitch {
	struct stitch_kept {
		struct stitch_thread thread;
		struct stitch_stack stack;
	} kept[STITCH_THREADS];		/* by tid */
	size_t room;			/* of all their frames */
};

/* Begins as { 0 }, except what is to be set. */
struct backtrace {
	struct rows rows;
	struct text words;		/* of the last chain */
	const struct maps *maps;		/* of the process */
	uint64_t stack_start;		/* of the copy, which is in... */
	struct sample_user user;
	size_t copied;			/* bytes in use, before any is read */
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
 * record -g has the link register.  The words are valid until the next call.
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
