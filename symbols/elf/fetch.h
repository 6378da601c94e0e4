/*
 * fetch: asks the servers of debuginfod for files, by their build ids.
 *
 * debuginfod-find(1) does that, and keeps what it gets in its cache, where
 * find.h looks for it.  No file is asked for twice.
 *
 * Servers may take long to answer, so several files are fetched at a time: a
 * caller that needs many first notes for each what it lacks.
 *
 *	do {
 *		(for each that needs more)
 *			fetches_note(fetches);
 *			(look for it: fetch_file returns false)
 *			more |= fetches_noted(fetches);
 *		fetches_run(fetches);
 *	} while (more);
 */
#ifndef FETCH_H
#define FETCH_H

#include <stdbool.h>
#include <stddef.h>

#include "elf.h"

struct fetches;

struct fetch_counts {
	size_t asked, found;	/* files */
	size_t late;		/* that did not come in time */
	int error;		/* why debuginfod-find does not start, or 0 */
};

struct fetches *fetches_new(void);

/* Frees them; they may be NULL. */
void fetches_free(struct fetches *fetches);

/*
 * Returns true if the file of a kind, "debuginfo" or "executable", is in the
 * cache now.  Fetches it first, unless files are only noted; that takes no
 * longer than $DEBUGINFOD_TIMEOUT, 90 seconds by default.
 */
bool fetch_file(struct fetches *fetches, const char *kind,
    const struct build_id *id);

/*
 * From here on, fetch_file notes the first file it is asked for instead of
 * fetching it, and no other: what else is needed depends on the answer.
 */
void fetches_note(struct fetches *fetches);

/* Returns true if fetch_file noted a file for fetches_run to fetch. */
bool fetches_noted(const struct fetches *fetches);

/* Fetches the files that were noted, four at a time.  Ends fetches_note. */
void fetches_run(struct fetches *fetches);

/* Returns what was asked for so far. */
struct fetch_counts fetches_counts(const struct fetches *fetches);

#endif
