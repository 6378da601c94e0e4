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
 * What each kind of line does to the sample that is being read is a table in
 * script.c.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "fold/collapse.h"
#include "choice.h"
#include "line.h"
#include "perf/census.h"
#include "perf/fieldcount.h"
#include "perf/filter.h"
#include "perf/frames.h"
#include "exited.h"
#include "perf/root.h"
#include "perf/selection.h"
#include "perf/waits.h"
#include "switching.h"

/* The options of the command line. */
struct script_options {
	bool pid, tid, cgroup;		/* in roots */
	bool kernel, jit;		/* mark these functions */
	bool addresses;			/* of unknown functions */
	bool inlined, context;		/* add inlined calls, and lines */
	bool source_lines;		/* perf script -F +srcline prints */
	bool in_order;			/* of time, thread by thread */
	struct str weight;		/* a field; empty: periods count */
	uint64_t gap;			/* nanoseconds; 0: no gaps are shown */
	const struct waits_options *waits;	/* NULL: samples count */
	struct filter filter;
	struct selection *selection;	/* NULL: all samples count */
	struct text odd;		/* the first line that makes no sense */
	size_t odd_line;		/* its number; 0: all lines do */
	const char *odd_file;
};

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
 * A frame's calls that wait for the source lines which perf script -F +srcline
 * prints, each on a line of its own after the frame:
 *
 *	        401136 main+0x6 (/usr/bin/work)
 *	  work.c:371
 */
struct srcline {
	struct calls calls;
	size_t next;		/* the call whose line is next */
	bool waiting;
	bool module_known;	/* else perf prints lines up to the first... */
	bool lines_end;		/* ...unknown function, where they end */
	struct text name, line;
	size_t merged;		/* lines that ended a sample */
};

struct script {
	struct fold *fold;		/* takes its stacks */
	struct script_options *options;
	enum script_state state;
	struct line line;		/* read last */
	struct calls calls;		/* of its frame */
	struct root root;		/* of the sample, */
	uint32_t cgroup;		/* a frame outside it, plus one, or 0 */
	uint32_t event;			/* the same outside that */
	unsigned long long period;	/* and how much it counts */
	uint64_t time;			/* when it was made, in nanoseconds, */
	struct timeline timeline;	/* if their order is kept */
	struct waits waits;		/* if they count... */
	struct wait_event told;		/* ...what the sample tells of them,
					   and... */
	bool wait_counts;		/* ...that it is selected */
	unsigned changes;		/* that all samples tell, a bit each */
	const char *waits_file;		/* of the last one; NULL: none */
	struct text begun;		/* the event of SCRIPT_BEGUN */
	struct calls lone;		/* the frame of SCRIPT_LONE */
	bool counts_periods;		/* of one event: times, fields and
					   events are not kept */
	struct frames frames;
	struct roots roots;
	struct exited exited;
	struct filter *filter;
	struct fieldcount fields;
	struct census census;		/* of samples not selected */
	enum script_state before;	/* the one that is left */
	enum line_place left_place;	/* of lines in it */
	struct choice_lacks lacks;	/* samples of which that is not told */
	struct srcline srcline;
	size_t frameless;		/* samples of tracepoints */
	size_t odd;			/* lines that make no sense */
	size_t without_cgroup;		/* samples, where it is asked for */
	size_t without_event;		/* the same of the event's name */
	bool unended;			/* a sample began inside another one */
};

void script_init(struct script *script, struct fold *fold,
    struct script_options *options);

/* Folds a line, without its line end. */
void script_line(struct script *script, struct str text);

/* True if a file that begins with this line may go on with the last sample. */
bool script_goes_on(struct script *script, struct str text);

/*
 * Ends the input, or what comes before a file that does not go on with it: a
 * sample without its empty line is left out, and said to be cut short, unless
 * event lines alone are printed.
 */
void script_end(struct script *script);

/* True if a sample is being read whose frames count as they come. */
static inline bool
script_takes_frames(const struct script *script)
{
	return (script->state == SCRIPT_OPEN ||
	    script->state == SCRIPT_STACK) && !script->options->source_lines;
}

/* Adds a frame's calls to the sample that takes frames. */
static inline void
script_push(struct script *script, struct calls calls)
{
	calls_push(&script->fold->stack, calls);
	script->state = SCRIPT_STACK;
}

/* Ends the sample that takes frames, and begins the next one. */
void script_next_sample(struct script *script, struct root root,
    unsigned long long period);

/*
 * The same of one that is selected, or, of this command and time, left out; the
 * sample before may have been, too.
 */
void script_select_sample(struct script *script, struct root root,
    unsigned long long period);
void script_leave_sample(struct script *script, struct str comm,
    uint64_t time);

#endif
