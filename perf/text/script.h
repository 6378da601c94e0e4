/*
 * script: folds what perf script prints, line by line; stackcollapse-perf.c
 * shows a sample.  A table in script.c has what each kind of line does to it.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "fold/calls.h"
#include "lib/intmap.h"
#include "perf/profile.h"
#include "scriptline.h"

/* The sample being read: */
enum script_state {
	SCRIPT_OUTSIDE,		/* no sample has begun */
	SCRIPT_NAMELESS,	/* an empty line may have begun one */
	SCRIPT_RECORD,		/* details follow that are no sample's */
	SCRIPT_BEGUN,		/* it counts if frames follow, or as a wait */
	SCRIPT_LONE,		/* it is of one frame, unless more follow */
	SCRIPT_OPEN,		/* it counts, and has no frame so far */
	SCRIPT_STACK,		/* it counts, and has frames */
	SCRIPT_OTHER,		/* it is of another event, and left out */
	SCRIPT_STATES
};

struct script {
	struct fold *fold;		/* takes its stacks */
	struct profile *profile;
	struct profile_options *options;
	enum script_state state;
	enum script_state left;		/* of a sample that is not selected: its
					   lines change nothing, not even state;
					   SCRIPT_OUTSIDE: none */
	struct script_line line;	/* read last */
	bool is_head;			/* it began script->sample */
	struct calls calls;		/* of its frame */
	struct sample sample;		/* that frames are added to */
	struct text text;		/* ":41", for a missing command, or a
					   source line */
	struct text begun;		/* the event of SCRIPT_BEGUN */
	struct line_cache frames[2];	/* by whether a command is Java's */
	struct thread_line *threads;	/* of this file, or NULL: linecache.c */
	struct intmap commands;		/* of this file's threads: find_root */
	/*
	 * With --srcline, lines of perf script -F +srcline follow a frame:
	 *
	 *	        401136 main+0x6 (/usr/bin/work)
	 *	  work.c:371
	 */
	size_t source_lines;		/* of the frame, that come next */
	size_t call;			/* of the frame, that the first is of */
	size_t merged;			/* such lines that ended a sample */
	uint64_t time;			/* of the last change of a wait */
	const char *waits_file;		/* its file; NULL: none */
	const char *odd;		/* the first line that makes no sense */
	const char *odd_file;
	size_t odd_line;		/* its number */
	bool unended;			/* a sample began inside another one */
};

void script_init(struct script *script, struct profile *profile);

/* Folds a line, without its line end. */
void script_take_line(struct script *script, struct str text);

/* True if a file that begins with this line may go on with the last sample. */
bool script_goes_on(struct script *script, struct str text);

/*
 * Ends the input, or what comes before a file that does not go on with it.
 * Reports a truncated sample, unless event lines alone are printed.
 */
void script_end(struct script *script);

/* Reports lines that were odd. */
void script_report(const struct script *script);

/*
 * Ends the sample, and begins the next one, with the time and the CPU of the
 * head in script->line.  False if its line has to be parsed.
 */
bool script_begin_cached(struct script *script, struct sample *sample);

/*
 * Notes the head or frame that was read last, and folds the next lines of the
 * script's input as long as they were noted.
 */
void linecache_fold(struct script *script);

/*
 * Finds a field, of sys_exit its result "ret".  Stores its number, one of 2^63
 * or more as the same bits; false if there is no such field, or no number.
 */
bool args_field(const struct head *head, struct str field, int64_t *number);

/*
 * Reads the change of a thread from a head, or from a record of perf script
 * --show-switch-events or --show-lost-events:
 *
 *	cc    12 [001]   115.109216: PERF_RECORD_SWITCH IN
 *	cc    12 [001]   115.109216: PERF_RECORD_LOST lost 5
 *
 * False if there is none, a WAIT_NO_CHANGE, or if it makes no sense.
 */
bool args_change(const struct script_line *line, struct wait_event *change);

#endif
