/*
 * slices: the events of a thread that take time, and which of them are within
 * which.
 *
 *	name	0    1    2    3    4    5
 *	Task	[-------------------)
 *	Parse	     [---------)
 *	Style	               [--------)	ends after Task
 *
 * Parse is within Task.  Style begins in Task, and so is within it, but only
 * until Task ends: Task;Parse 2, Task;Style 1 and Task 1.
 */
#ifndef SLICES_H
#define SLICES_H

#include "collapse/weights.h"

struct slice {
	uint64_t key;		/* first, for sort_by_number */
	uint64_t start, end;	/* nanoseconds */
	uint32_t name;
};

/* The beginning or the end of a slice. */
struct slice_mark {
	uint64_t time;		/* first, for sort_by_number */
	uint32_t name;		/* SLICE_NO_NAME: an end without one */
	bool begins;
};

#define SLICE_NO_NAME	UINT32_MAX

/* It begins as { 0 }. */
struct slices {
	struct slice *list;
	size_t count, room;
	struct slice_mark *marks;
	size_t mark_count, mark_room;
	bool has_time;		/* one was added, and these are right: */
	uint64_t first, last;	/* when the first begins, and the last ends */
};

/* Numbers of events that are odd, of all threads. */
struct slice_oddities {
	unsigned long long unended;	/* they last until `last` */
	unsigned long long unbegun;	/* ends, left out */
	unsigned long long cut;		/* by their parent's end */
};

/* Adds a slice that is known from its start to its end. */
void slices_add(struct slices *slices, uint64_t start, uint64_t end,
    uint32_t name);

/* Adds where a slice begins, or where one ends. */
void slices_mark(struct slices *slices, uint64_t time, uint32_t name,
    bool begins);

/* Told of a time in which a call was the innermost one. */
typedef void slice_visitor(void *context, uint32_t call, uint64_t start,
    uint64_t end);

/*
 * Makes calls of all slices, by the caller `root`, and reports their self times
 * in order.
 */
void slices_visit(struct slices *slices, struct weights *weights,
    uint32_t root, struct slice_oddities *odd, slice_visitor *visit,
    void *context);

void slices_free(struct slices *slices);

#endif
