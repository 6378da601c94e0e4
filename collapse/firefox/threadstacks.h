/*
 * threadstacks: the stacks of a thread of the Firefox profiler, by the names of
 * their frames.  A frame is a function that the profile names, of native code
 * or JavaScript, or a native address alone, which native.h names.
 */
#ifndef THREADSTACKS_H
#define THREADSTACKS_H

#include "collapse/native.h"
#include "fold/calls.h"
#include "geckothreads.h"
#include "lib/content.h"

#define THREAD_STACK	4096	/* frames of a stack; the outermost ones of a
				   deeper one are left out */

/* It begins with the first four set. */
struct thread_stacks {
	const struct threads *threads;
	struct namer *namer;
	struct native *native;
	struct budget names_budget;	/* for all names of frames */
	const struct thread *thread;
	const struct thread_tables *tables;	/* of it */
	const struct texts *strings;
	struct libs *libs;
	struct calls *known;	/* by frame, as a leaf and as a caller */
	size_t known_room;
	size_t *used;		/* the numbers of those that are known */
	size_t used_count, used_room;
	bool has_paths;		/* the next two are made */
	struct table ids;	/* of libraries whose path is known... */
	const struct lib **paths;	/* ...which are these, by number */
	size_t path_room;
	struct arena arena;
	struct text names;
	unsigned long long cut;	/* stacks that were deeper */
};

/*
 * Begins with a thread, which must live until the next one is begun; its
 * libraries may move.
 */
void thread_stacks_begin(struct thread_stacks *stacks, struct thread *thread);

/*
 * Adds the frames of the stack of that number, none for COLUMN_NONE; false if
 * the tables make no sense.
 */
bool thread_stacks_push(struct thread_stacks *stacks, int64_t number,
    struct stack *stack);

void thread_stacks_free(struct thread_stacks *stacks);

#endif
