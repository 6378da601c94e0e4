/*
 * backtrace: makes the chain of a sample that was recorded with registers and a
 * copy of the stack (perf record --call-graph dwarf).  The kernel's part is a
 * recorded chain.  The program's part is unwound:
 *
 *	KERNEL  ffffffff81a012  UNWOUND  7f2a0c14  401136  401050
 *
 * Memory is read from the copy of the stack, or else from the mapped files.
 *
 * With --stitch, the last complete stack of each thread is kept.  The outermost
 * frame of a later, truncated stack may be one of its frames:
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
 * kept stack, and the joined one is kept.  Otherwise frames are dropped that
 * this copy shows gone.
 */
#ifndef BACKTRACE_H
#define BACKTRACE_H

#include "maps.h"
#include "record.h"
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

/* Of two threads whose numbers are so far apart, the later one counts. */
#define STITCH_THREADS	4096

/* Why a stack ends too early. */
enum stack_end {
	END_COPY,		/* the stack goes on where its copy ends */
	END_TABLES,		/* its module has no unwinding tables */
	END_NO_MAP,		/* nothing is mapped at its address */
	END_LOST,		/* the tables lead nowhere */
	END_REASONS		/* or none: it is complete */
};

/* Begins as { 0 } with the first three set. */
struct backtrace {
	const struct unwind_machine *machine;	/* NULL: unknown */
	size_t most;			/* addresses in each part of a chain */
	bool stitches;

	struct rows rows;
	struct text words;		/* of the last chain */
	const struct maps *maps;		/* of the process */
	uint64_t stack_start;		/* of the copy, which is in... */
	struct sample_user user;
	size_t copied;			/* bytes in use, before any is read */
	struct text stack;		/* ...or here, if more is needed */
	bool has_missed;		/* a word after its end was needed */
	struct stitch_stack frames;	/* of the last stack, from inside */
	struct stitch_kept {
		int32_t tid;
		uint64_t since;		/* the thread's last change of name */
		struct stitch_stack stack;
	} kept[STITCH_THREADS];		/* by tid */
	size_t kept_room;		/* of all their frames */

	unsigned long long stacks;	/* that were unwound... */
	unsigned long long ends[END_REASONS + 1];	/* ...by their ends */
	unsigned long long joined;	/* truncated ones */
	unsigned long long doubled;	/* would fit into twice the copy */
	size_t short_most;		/* the longest copy that was short */
};

/*
 * Makes the chain of a sample, whose words are the recorded one, from its copy
 * of the stack, its branches (perf record --call-graph lbr), or its registers;
 * the new words are valid until the next call.  `since` separates threads that
 * have the same ID one after another.  False if perf shows the ip alone.
 */
bool backtrace_make(struct backtrace *backtrace,
    const struct record_sample *sample, const struct maps *maps,
    uint64_t since, struct str *words);

void backtrace_free(struct backtrace *backtrace);

#endif
