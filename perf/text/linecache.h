/*
 * linecache: a cache in front of the parser of perf script's lines.  In a
 * profile of a whole machine, 92 % of the frames and nearly all events repeat.
 *
 * A frame is found by its whole line, an event's thread by the start of its
 * line.
 */
#ifndef LINECACHE_H
#define LINECACHE_H

#include "fold/calls.h"
#include "script.h"

struct linecache {
	struct line_cache frames[2];	/* of commands called java..., or not */
	struct thread_line *threads;
	const char *file;	/* in which the threads were */
};

void linecache_init(struct linecache *cache);

/* Notes the line that the script has read last, given with its line end. */
void linecache_note(struct linecache *cache, const struct script *script,
    struct str whole);

/* Folds the next lines of the script's input as long as they are cached. */
void linecache_fold(const struct linecache *cache, struct script *script);

#endif
