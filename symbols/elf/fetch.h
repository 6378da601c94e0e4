/*
 * fetch: asks the servers of debuginfod for files, by their build ids.
 *
 * debuginfod-find(1) does that, and keeps what it gets in its cache, where
 * find.h looks for it.  Any thread may ask, and waits for the answer.  No file
 * is asked for twice.
 */
#ifndef FETCH_H
#define FETCH_H

#include <stdbool.h>
#include <stddef.h>

#include "buildid.h"

#define FETCH_MOST	4	/* files that come at a time */

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
 * Asks for the file of a kind, "debuginfo" or "executable"; true if it is in
 * the cache now.  It takes no longer than $DEBUGINFOD_TIMEOUT, 90 seconds by
 * default, once it is its turn.
 */
bool fetch_file(struct fetches *fetches, const char *kind,
    const struct build_id *id);

/* Returns what was asked for so far, when nobody asks. */
struct fetch_counts fetches_counts(const struct fetches *fetches);

#endif
