/*
 * choice: tells if a selection has the sample that a line of perf script
 * begins, which may not tell what is asked for.
 */
#ifndef CHOICE_H
#define CHOICE_H

#include "line.h"
#include "perf/selection.h"

/* How many samples do not tell their time, processor and so on. */
struct choice_lacks {
	size_t counts[SELECTION_KINDS];	/* by the bits of selection_by */
	bool found;			/* some do */
};

/* True if it has the sample; one that does not tell is counted as lacking. */
bool choice_has(const struct selection *selection, const struct line *line,
    uint64_t time, struct choice_lacks *lacks);

/* True if it has the thread; NULL has all.  A lone number is the thread's. */
bool choice_has_thread(const struct selection *selection,
    const struct thread_id *thread);

/* Says how many lack what. */
void choice_report(const struct choice_lacks *lacks);

#endif
