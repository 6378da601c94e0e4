/*
 * kind: classifies a file by its beginning, finds the program that folds it,
 * and describes a file that a program cannot read.
 */
#ifndef KIND_H
#define KIND_H

#include "lib/text.h"

/* Files that a program folds. */
enum kind_number {
	KIND_BPFTRACE, KIND_CALLGRIND, KIND_CPROFILE, KIND_CPUPROFILE,
	KIND_DTRACE, KIND_FIREFOX, KIND_FOLDED, KIND_GDB, KIND_GHCPROF,
	KIND_HEAP, KIND_JSTACK, KIND_OTLP, KIND_PERF, KIND_PPROF, KIND_SAMPLE,
	KIND_SPEEDSCOPE, KIND_STAP, KIND_SVG, KIND_TRACE, KIND_VTUNE,
	KIND_XCTRACE
};

struct kind {
	const char *program;	/* that folds them */
	const char *source;	/* the program that prints them */
	const char *sample;	/* the word for a sample */
	const char *files;	/* "backtraces of gdb" */
	const char *looks;	/* "backtraces of gdb, which ... folds" */
};

extern const struct kind kinds[];

#define KIND_ENOUGH	65536	/* bytes; more would tell no more */
#define KIND_FOLDED_START	4096	/* bytes, where folded text begins */

/*
 * Returns the kind of a file that begins with these bytes, or NULL.  `is_all`
 * is set if the file has no more bytes, or more would not help.
 */
const struct kind *kind_find(struct str bytes, bool is_all);

/* Returns the kind of the first of these lines that has one, or NULL. */
const struct kind *kind_of_lines(struct str lines);

/* Returns what a file with these lines near its start looks like. */
const char *kind_looks(struct str lines);

/*
 * Returns why a file that begins with these bytes, some KB or all, is not to be
 * read as lines: it is binary, compressed, perf script's raw dump, or what perf
 * sched timehist prints.  NULL if it may be text.
 */
const char *kind_refusal(struct str bytes);

/*
 * True if a file that begins with these bytes, some KB or all, is folded text:
 * its first line, comments aside, is a stack and a count; of the lines that
 * begin in the first 4 KB one at least has frames parted by ';', and none is an
 * event that perf script prints.
 */
bool kind_is_folded(struct str bytes);

/*
 * True if a file that begins with these bytes may have folded text, whatever
 * else it has: its first line, comments aside, is a stack and a count, or one
 * with several frames is among the lines.
 */
bool kind_has_folded(struct str bytes);

/* True if some bytes are not text. */
bool kind_is_binary(struct str bytes);

/* True for a line in which perf script prints an event, with its time. */
bool kind_is_event(struct str line);

/*
 * Returns what to do with a file of a profiler that was given to a program
 * which reads folded text: "backtraces of gdb; type: stackcollapse 'a b' |
 * flamegraph > out.svg".  The name is one of the operands, or NULL for standard
 * input.  NULL if the file is folded text, or of no kind that is known.
 */
const char *kind_advise(struct str bytes, const char *name,
    const char *const *operands);

/*
 * Adds the name of another program with the folder and prefix of `self`, the
 * first word of the command line: "./fg-stackcollapse" for "./fg-flamegraph".
 */
void kind_add_program(struct text *text, const char *self,
    const char *program);

#endif
