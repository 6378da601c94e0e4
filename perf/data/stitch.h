/*
 * stitch: joins stacks whose copies were too short to earlier ones of the same
 * thread.
 *
 * Samples come in the order of time.  The last stack of a thread that reached
 * its first function is kept.  If the copy of a later one ends before that, its
 * outermost frame that is known may be one of those:
 *
 *	kept                 copied          joined
 *	start   sp 9f80                      start
 *	main    sp 9f40                      main
 *	walk+8  sp 9f00      walk+20 9f00    walk+20
 *	walk+8  sp 9ec0      walk+8  9ec0    walk+8
 *	leaf    sp 9e90      walk+8  9e80    walk+8
 *
 * It is, if it has the same stack pointer, is in the same function, though
 * perhaps at another call, and its tables and registers tell the same stack
 * pointer of its caller.  Then the frames outside of it are taken from there,
 * and the whole is kept.  If it is not, what that stack proves to be gone is
 * forgotten: frames that were inside of its end, as far as it was copied.
 *
 * So each frame of a joined stack called the next one in some sample.
 */
#ifndef STITCH_H
#define STITCH_H

#include "maps.h"

struct stitch_frame {
	uint64_t address;	/* in the function, or of its call */
	uint64_t sp;		/* its stack pointer */
};

/* Begins as { 0 }; the outermost frame first, so that the top is the last. */
struct stitch_stack {
	struct stitch_frame *frames;
	size_t count, room;
};

/* A thread, as it is called from one record on. */
struct stitch_thread {
	int32_t tid;
	uint64_t since;
};

/* Begins as { 0 }. */
struct stitch {
	struct stitch_kept *kept;	/* of threads, by tid */
	size_t room;			/* of all their frames */
};

void stitch_free(struct stitch *stitch);

/*
 * Keeps a stack of a thread, which is whole; returns what is kept, which lives
 * until the next call.
 */
const struct stitch_stack *stitch_keep(struct stitch *stitch,
    struct stitch_thread thread, const struct stitch_stack *whole);

/*
 * Joins a stack, whose outermost frame has a caller with the stack pointer
 * caller_sp, to the one that is kept of the thread, and keeps both; returns
 * this, or NULL if they do not belong together.
 */
const struct stitch_stack *stitch_join(struct stitch *stitch,
    struct stitch_thread thread, const struct maps *maps,
    const struct stitch_stack *cut, uint64_t caller_sp);

/* Forgets the frames of a thread whose stack pointers are below an address. */
void stitch_forget(struct stitch *stitch, struct stitch_thread thread,
    uint64_t below);

#endif
