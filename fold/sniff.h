/*
 * sniff: tells what a file looks like, for a message that says what to do with
 * it, where a program cannot make sense of it.
 */
#ifndef SNIFF_H
#define SNIFF_H

#include "lib/text.h"

/* The files of a profiler. */
struct file_kind {
	const char *program;	/* the program that folds them */
	const char *files;	/* the words for them */
	const char *looks;	/* both in one sentence */
};

#define FILE_KIND(name, files)	\
	{ "stackcollapse-" name, files, \
	    files ", which stackcollapse-" name " folds" }

/* The kinds that are known by a line. */
extern const struct file_kind sniff_perf, sniff_dtrace, sniff_bpftrace,
    sniff_callgrind, sniff_gdb, sniff_ghcprof, sniff_heap, sniff_jstack,
    sniff_sample, sniff_stap, sniff_svg, sniff_vtune,
    sniff_xctrace;

/* Returns the kind of the first of these lines that tells one, or NULL. */
const struct file_kind *sniff_lines(struct str lines);

/* Returns what a file with these lines near its start looks like. */
const char *sniff_kind(struct str lines);

#define SNIFF_ENOUGH	1024	/* bytes of lines, for sniff_kind */

/* Adds a line to those for sniff_kind, unless they are enough. */
static inline void
sniff_note(struct text *lines, struct str line)
{
	if (lines->len >= SNIFF_ENOUGH)
		return;
	text_add(lines, str_take(line, line.len < SNIFF_ENOUGH ? line.len :
	    SNIFF_ENOUGH));
	text_add_char(lines, '\n');
}

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
 * read as lines: it is binary, compressed, perf script's raw dump, or what perf
 * sched timehist prints.  NULL if it may be text.
 */
const char *sniff_refusal(struct str bytes);

#define SNIFF_MOST	4096	/* bytes, in which folded text has to begin */

/*
 * True if a file that begins with these bytes may have folded text, whatever
 * else it has: its first line, comments aside, is a stack and a count, or one
 * with several frames is among the lines.
 */
bool sniff_has_folded(struct str bytes);

#endif
