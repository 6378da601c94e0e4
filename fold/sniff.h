/*
 * sniff: tells what a file looks like that a program cannot make sense of, for
 * a message that says what to do with it.
 */
#ifndef SNIFF_H
#define SNIFF_H

#include "../lib/str.h"

/* Returns what a file with this line near its start looks like. */
const char *sniff_kind(struct str line);

/*
 * True if a file that begins with these bytes, some KB or all, is folded text:
 * its first line, comments aside, is a stack and a count; of the lines that
 * begin in the first 4 KB one at least has frames parted by ';', and none is an
 * event that perf script prints.
 */
bool sniff_is_folded(struct str bytes);

/* True for a line in which perf script tells of an event, with its time. */
bool sniff_is_event(struct str line);

/*
 * Returns why a file that begins with these bytes, some KB or all, is not to be
 * read as lines: it is binary, compressed, or perf script's raw dump.  NULL if
 * it may be text.
 */
const char *sniff_refusal(struct str bytes);

#endif
