/*
 * fetch: asks the servers of debuginfod for files, by their build ids.
 *
 * debuginfod-find(1) does that, and keeps what it gets in its cache, where
 * find.h looks for it.  No file is asked for twice.  Servers may take long to
 * answer, so a caller that needs many files first notes for each what it lacks:
 *
 *	do {
 *		(for each)
 *			more |= find_missing(sources, binary, debug);
 *		fetches_run(fetches);
 *	} while (more);
 */
#ifndef FETCH_H
#define FETCH_H

#include <time.h>

#include "elf.h"
#include "lib/child.h"
#include "lib/table.h"

#define FETCH_AT_A_TIME	4

/* A debuginfod-find at work. */
struct fetch {
	struct child child;
	uint32_t file;
	time_t since;
};

struct fetch_counts {
	size_t asked, found;	/* files */
	size_t late;		/* that did not come in time */
	int error;		/* why debuginfod-find does not start, or 0 */
};

struct fetches {
	struct fetch_counts counts;	/* so far */
	/*
	 * fetch_file only notes the first file it is asked for, and no other,
	 * since what else is needed depends on the answer.
	 */
	bool notes;
	bool noted;		/* fetch_file has noted one */
	long patience;		/* seconds */
	struct table files;	/* "debuginfo 3f9a..." */
	unsigned char *answers;	/* for each of these */
	size_t room;
	uint32_t next;		/* file to ask for */
	struct fetch running[FETCH_AT_A_TIME];
	size_t count;		/* of these */
};

/* Opens { 0 }. */
void fetches_open(struct fetches *fetches);

void fetches_close(struct fetches *fetches);

/*
 * True if the file of a kind, "debuginfo" or "executable", is in the cache now.
 * Fetches it first, unless files are only noted; that takes no longer than
 * $DEBUGINFOD_TIMEOUT, 90 seconds by default.
 */
bool fetch_file(struct fetches *fetches, const char *kind,
    const struct build_id *id);

/* Fetches the files that were noted, several at a time, and notes no more. */
void fetches_run(struct fetches *fetches);

#endif
