/*
 * decode: handles the kernel's records as they leave the queue.  Samples are
 * counted; other records change the state of processes and waits.
 *
 * With perf record --call-graph fp,defer (Linux 6.19), a sample has the
 * kernel's addresses and a cookie, the same for all samples until the kernel
 * returns to the program.  Then the user chain is recorded once:
 *
 *	SAMPLE    ffffffff81a012  USER_DEFERRED  cookie
 *	SAMPLE    ffffffff81b300  USER_DEFERRED  cookie
 *	CALLCHAIN_DEFERRED  cookie  count  USER  7f2a0c14  401136
 *
 * Copies of samples are parked here when they leave the queue, until their
 * chain leaves it.  As in perf script, they are resolved against the maps of
 * that moment.
 */
#ifndef DECODE_H
#define DECODE_H

#include "jitcode.h"
#include "queue.h"
#include "samples.h"

/* A sample that waits for its user chain. */
struct parked {
	struct parked *next;	/* in its bucket, or in the list taken */
	struct parked *before, *after;	/* by time of parking */
	uint64_t cookie;
	uint64_t at;		/* where it is in its file */
	int32_t tid;
	struct record record;	/* in the same piece of memory */
};

/* Begins with all in front of `jit` set, and jitcode_init(). */
struct decode {
	struct attrs *attrs;
	struct process *process;
	struct samples *samples;
	struct callchain *chains;
	unsigned long long memory;	/* that the process may take */

	struct jitcode jit;
	struct parked *first, *last;
	struct parked **buckets;	/* by thread and cookie; or NULL */
	size_t parked_bytes;
	unsigned long long alone;	/* samples whose chain never came */
	char *joined;			/* chains of deferred samples that wait
					   in the batch; or NULL */
	size_t joined_len;
	uint64_t time;			/* newest of the records taken */
	long long bytes;		/* of memory, for processes */
	bool is_full;			/* memory is, by the record... */
	uint64_t full_at;		/* ...that is there in its file */
	unsigned long long lost;	/* records, by the kernel */
};

/* Takes all that is complete in a queue. */
void decode_queue(struct decode *decode, struct queue *queue);

/* Takes samples whose deferred chain never came. */
void decode_end(struct decode *decode);

void decode_free(struct decode *decode);

#endif
