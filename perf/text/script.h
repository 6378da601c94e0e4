/*
 * script: folds what perf script prints, line by line.
 *
 * A sample is a line about the event, the stack's frames from the innermost
 * outwards, and an empty line:
 *
 *	java 24636/25607 [000] 4794564.109216:        235 cpu-clock:
 *	        7f722d142778 Ljava/io/PrintStream;::print (/tmp/perf-24636.map)
 *	        7f722d0bb0a1 main+0x1f (/usr/bin/java)
 *
 * It becomes, added to others with the same stack:
 *
 *	java;main;java/io/PrintStream:::print 235
 *
 * A table in script.c has what each kind of line does to the sample being read.
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
	SCRIPT_OPEN,		/* it counts, and has no frame so far */
	SCRIPT_STACK,		/* it counts, and has frames */
	SCRIPT_BEGUN,		/* it counts if frames follow... */
	SCRIPT_BARE,		/* ...or as a wait, even if none do */
	SCRIPT_LONE,		/* it is of one frame, unless more follow */
	SCRIPT_OTHER,		/* it is of another event, and left out */
	SCRIPT_RECORD,		/* details follow that are no sample's */
	SCRIPT_LEFT,		/* it was not selected: as if it were not there,
				   the state before is the next one */
	SCRIPT_STATES
};

/*
 * Awaits the source lines which perf script -F +srcline prints, each on a line
 * of its own after the frame:
 *
 *	        401136 main+0x6 (/usr/bin/work)
 *	  work.c:371
 */
struct srcline {
	bool waiting;
	bool has_module;	/* the frame does */
	size_t next;		/* the call whose line is next */
	struct text name, line;
	size_t merged;		/* lines that ended a sample */
};

/* Begins as { 0 }. */
struct script_threads {
	const char *file;		/* whose threads these are */
	struct intmap numbers;		/* in the list, from 1, by tid */
	struct script_thread *list;
	size_t count, room;
	struct intmap seen;		/* 1, by tid and root */
};

struct script {
	struct fold *fold;		/* takes its stacks */
	struct profile *profile;
	struct profile_options *options;
	enum script_state state;
	struct script_line line;	/* read last */
	struct calls calls;		/* of its frame */
	struct sample sample;		/* that frames are added to */
	struct text comm;		/* ":41", for a missing command */
	struct text begun;		/* the event of SCRIPT_BEGUN */
	bool caches;			/* events that came before need no
					   parser: nothing but the period of
					   one event counts */
	struct script_threads threads;	/* and their commands */
	enum script_state before;	/* SCRIPT_LEFT... */
	enum line_place left_place;	/* ...of lines in it... */
	struct sample left;		/* ...and the sample */
	struct srcline srcline;
	uint64_t time;			/* of the last change of a wait... */
	const char *waits_file;		/* ...and its file; NULL: none */
	size_t odd;			/* lines that make no sense... */
	struct text odd_text;		/* ...the first one, as shown... */
	size_t odd_line;		/* ...its number... */
	const char *odd_file;		/* ...and its file */
	bool has_begun;			/* by the line that was read last */
	bool unended;			/* a sample began inside another one */
};

void script_init(struct script *script, struct profile *profile);

/* Folds a line, without its line end. */
void script_take_line(struct script *script, struct str text);

/* True if a file that begins with this line may go on with the last sample. */
bool script_goes_on(struct script *script, struct str text);

/*
 * Ends the input, or what comes before a file that does not go on with it.  A
 * truncated sample is reported, unless event lines alone are printed.
 */
void script_end(struct script *script);

/* Reports lines that were odd. */
void script_report(const struct script *script);

/* True while frames are added to a sample as they are read. */
static inline bool
script_takes_frames(const struct script *script)
{
	return (script->state == SCRIPT_OPEN ||
	    script->state == SCRIPT_STACK) && !script->options->source_lines;
}

/*
 * Ends the sample that takes frames, or is left out, and begins the next one,
 * which is like an earlier one but for its time, CPU and count; it may be left
 * out, too.  False if the line has to be parsed.
 */
bool script_begin_cached(struct script *script, const struct sample *like,
    const struct head *head, uint64_t count);

/* Lines that came before, in front of the parser; see linecache.c. */
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

/*
 * Finds a field, of sys_exit its result "ret".  Stores its number, one of 2^63
 * or more as the same bits; false if there is no such field, or no number.
 */
bool args_field(const struct head *head, struct str field,
    int64_t *number);

/*
 * Reads the change of a thread from a head, without its time: that is the
 * period.  False if there is none, a WAIT_NO_CHANGE, or if it makes no sense.
 */
bool args_switch(const struct head *head, struct wait_event *change);

/*
 * Does the same for a record that perf script --show-switch-events
 * --show-lost-events adds:
 *
 *	cc    12 [001]   115.109216: PERF_RECORD_SWITCH IN
 *	cc    12 [001]   115.109216: PERF_RECORD_LOST lost 5
 */
bool args_record(const struct script_line *line,
    struct wait_event *change);

#endif
