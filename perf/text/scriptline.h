/* scriptline: classifies a line of perf script, and splits it into fields. */
#ifndef SCRIPTLINE_H
#define SCRIPTLINE_H

#include "perf/frames.h"

/* The column after the address in a call graph: perf prints a tab and 16. */
#define FRAME_ADDRESS_END	17

/* How a file prints heads, as its first ones show: any of these. */
enum {
	HEAD_SQUEEZED = 1,	/* one blank between words, in no columns */
	HEAD_NUMBERLESS = 2,	/* no numbers of threads */
	HEAD_WEIGHTED = 4,	/* a period in each, where no time is */
	HEAD_TIMED = 8		/* a time: other lines are perf's messages */
};

/* Slices of the line. */
struct head {
	struct str thread;	/* "COMM PID[/TID]" */
	struct str comm;
	struct str pid, tid;	/* a lone number is the tid */
	struct str cpu;		/* digits, or empty */
	struct str time;	/* "115.109216", or empty */
	struct str period;	/* digits, or empty */
	struct str event;	/* its name, empty if unknown */
	struct str fields;	/* all after "EVENT:" */
	bool counts;		/* the period does: no arguments follow */
	bool in_columns;	/* the number of the thread fills its own */
	bool is_aligned;	/* the time is where perf aligns it */
};

extern const struct head head_none;	/* of empty texts, not NULL */

#define HEAD_COMM_MOST	15	/* bytes of a command: perf pads shorter ones */
#define HEAD_ID_COLUMNS	5	/* perf right-aligns numbers in them */

/*
 * Parse a head of that form, and return false if the line is none: one with a
 * time; [COMM] [PID[/TID]] [CPU] [PERIOD] [EVENT:], by the columns in which
 * perf aligns numbers; or COMM PID[/TID] and anything, perhaps [PERIOD]
 * [EVENT:] at its end, as stackcollapse-perf.pl.  This command ends before the
 * first such numbers.
 */
bool head_parse(struct str line, unsigned form, struct head *head);
bool head_parse_columns(struct str line, unsigned form, struct head *head);
bool head_parse_words(struct str line, unsigned form, struct head *head);

/* True if s is a byte and an address in 16 columns, alone or before a blank. */
bool head_fills_columns(struct str s);

#define HEAD_NO_TIME	UINT64_MAX

/* Returns the time in nanoseconds, or HEAD_NO_TIME. */
uint64_t head_time(const struct head *head);

/* Some lines mean one thing or another, by the lines before them. */
enum line_place {
	LINE_OUTSIDE,		/* no sample has begun */
	LINE_BETWEEN,		/* one may have: frames or a new one follow */
	LINE_INSIDE		/* one has: indented lines belong to it */
};

enum line_kind {
	LINE_BLANK,
	LINE_HEAD,		/* begins a sample */
	LINE_PADDED_HEAD,	/* begins one if frames follow */
	LINE_LONE_FRAME,	/* a head and its frame */
	LINE_ARGUMENTS,		/* a tracepoint's head without a frame */
	LINE_RECORD,		/* of no sample */
	/* lines within a sample, if there is one: */
	LINE_COMMENT,
	LINE_FRAME,
	LINE_FIELDS,		/* after the frames, certainly... */
	LINE_LIKELY_FIELDS,	/* ...or where frames came before */
	LINE_DETAIL,		/* indented, and nothing of the above */
	LINE_ODD,
	LINE_KINDS
};

struct script_line {
	struct str text;
	enum line_kind kind;
	struct head head;	/* if the kind has one */
	struct frame frame;
	bool padded;		/* perf aligned the command on the right */
};

/* Returns the form, HEAD_..., of heads in a file that begins like this. */
unsigned script_line_form(struct str bytes);

/* Finds the times of the first and last sample in ns; 0 if none has one. */
void script_line_times(struct str bytes, unsigned form, uint64_t *first,
    uint64_t *last);

/* Classifies a line of that form; its slices live as long as text. */
void script_line_parse(struct str text, enum line_place place, unsigned form,
    struct script_line *line);

/* True if only perf script prints a line like this. */
bool script_line_is_certain(const struct script_line *line);

#endif
