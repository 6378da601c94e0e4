/*
 * stitch: joins truncated stacks to earlier ones of the same thread.
 *
 * Samples come in time order.  The last complete stack of each thread is kept.
 * The outermost known frame of a later, truncated stack may be one of its
 * frames:
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
 * kept stack, and the joined one is kept.  Otherwise the frames that this copy
 * proves to be gone are dropped.
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

/* A thread since its last change of name. */
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
 * Keeps a complete stack of a thread; returns it, valid until the next call.
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
