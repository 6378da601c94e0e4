/*
 * slices: the samples of a recording, in pieces of it that wait until all that
 * comes before them was read.
 *
 * A slice is some records in a row, with the threads that its samples are of.
 * Its samples are read by whoever folds it, and its other records are not read
 * again.  Where only some of its samples have been delivered, they are folded
 * before the others.
 */
#ifndef SLICES_H
#define SLICES_H

#include "order.h"
#include "reader.h"

/* When a slice is ended; who tests may want shorter ones. */
#ifndef SLICE_BYTES
#define SLICE_BYTES	((size_t)64 * 1024)
#endif
#define SLICE_THREADS	32			/* that it has at most */

struct slice_thread {
	int32_t pid, tid;
	uint64_t oldest;	/* of its samples' times, if they ascend */
};

struct slice {
	struct block *block;	/* which it holds */
	struct str records;
	uint64_t number;	/* of the first one, as they are read */
	uint64_t flush;		/* the first that may deliver its samples */
	uint64_t oldest, newest;	/* of their times... */
	bool ascends;		/* ...which do so */
	uint64_t from, to;	/* those that are still to be folded, or now */
	struct slice_thread threads[SLICE_THREADS];
	size_t count;		/* of threads */
};

#define SLICES_KNOWN	64

/* Slices in the order in which they were read; it begins as { 0 }. */
struct slices {
	struct slice *list;
	size_t count, room;
	bool is_open;		/* the last one is, for the next record */
	uint32_t known[SLICES_KNOWN];	/* which of its threads, plus one, was
					   met last with such a number */
};

/* Adds a copy of a slice, which holds the block, too. */
void slices_copy(struct slices *slices, const struct slice *slice);

/* Begins a slice with a record, and has it hold the block. */
void slices_open(struct slices *slices, const struct record *record,
    struct block *block, uint64_t number, uint64_t flush);

/* Ends the slice that is open, if one is. */
static inline void
slices_close(struct slices *slices)
{
	slices->is_open = false;
}

/*
 * Adds a record, if it follows those of the open slice at once; else that is
 * closed.
 */
static inline bool
slices_add(struct slices *slices, const struct record *record)
{
	struct slice *slice;

	if (!slices->is_open)
		return false;
	slice = &slices->list[slices->count - 1];
	slices->is_open = slice->records.data + slice->records.len ==
	    record->bytes.data && slice->records.len < SLICE_BYTES &&
	    slice->count < SLICE_THREADS;
	if (slices->is_open)
		slice->records.len += record->bytes.len;
	return slices->is_open;
}

/* Does the work of slices_note for a thread that was not met last. */
void slices_note_thread(struct slices *slices, uint64_t time, int32_t pid,
    int32_t tid);

/* Notes the time and the thread of a sample, in the open slice. */
static inline void
slices_note(struct slices *slices, uint64_t time, int32_t pid, int32_t tid)
{
	struct slice *slice = &slices->list[slices->count - 1];
	uint32_t known = slices->known[(uint32_t)tid % SLICES_KNOWN];

	if (time < slice->oldest)
		slice->oldest = time;
	if (time < slice->newest)
		slice->ascends = false;
	else
		slice->newest = time;
	if (known == 0 || slice->threads[known - 1].tid != tid ||
	    slice->threads[known - 1].pid != pid)
		slices_note_thread(slices, time, pid, tid);
}

/*
 * Moves slices to the end of others, as far as their samples were delivered;
 * what is left is delivered by the next flush, or a later one.
 */
void slices_move(struct slices *slices, const struct limits *limits,
    struct slices *others);

void slices_free(struct slices *slices);

#endif
