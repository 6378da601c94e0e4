/*
 * decode: handles the kernel's records as they leave the queue.  Samples are
 * counted, or parked until their deferred call chain comes; other records
 * change the state of processes and waits.
 */
#ifndef DECODE_H
#define DECODE_H

#include "deferred.h"
#include "jitcode.h"
#include "queue.h"
#include "samples.h"

/* Begins with decode_init(), and all in front of `jit` set. */
struct decode {
	struct attrs *attrs;
	struct process *process;
	struct samples *samples;
	struct callchain *chains;
	unsigned long long memory;	/* that the process may take */

	struct jitcode jit;
	struct deferred deferred;
	char *joined;			/* chains of deferred samples that wait
					   in the batch; or NULL */
	size_t joined_len;
	uint64_t time;			/* newest of the records taken */
	long long bytes;		/* of memory, for processes */
	bool is_full;			/* memory is, by the record... */
	uint64_t full_at;		/* ...that is there in its file */
	unsigned long long lost;	/* records, by the kernel */
};

/* Begins; the recording may still be written to, through a pipe. */
void decode_init(struct decode *decode, bool is_pipe);

/* Takes all that is complete in a queue. */
void decode_queue(struct decode *decode, struct queue *queue);

/* Takes samples whose deferred chain never came. */
void decode_end(struct decode *decode);

void decode_free(struct decode *decode);

#endif
