/*
 * known: folds lines of perf script that came before without parsing them
 * again: 92 % of the frames and nearly all events in a profile of a whole
 * machine.
 *
 * A frame is known by its whole line, a sample's thread by the start of its
 * line; both are found by a few of their bytes.
 */
#ifndef KNOWN_H
#define KNOWN_H

#include "fold/calls.h"
#include "script.h"

struct known {
	struct line_cache frames[2];	/* of commands called java..., or not */
	struct thread_line *threads;
	const char *file;	/* in which these came */
	struct text left_event;	/* of a sample that was not selected */
};

void known_init(struct known *known);

/* Notes the line that the script has read last, given with its line end. */
void known_note(struct known *known, const struct script *script,
    struct str whole);

/* Folds the lines ahead in the script's input, as far as they are known. */
void known_fold(const struct known *known, struct script *script);

#endif
