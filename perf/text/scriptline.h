/*
 * scriptline: classifies a line of perf script, and splits it into fields.
 */
#ifndef SCRIPTLINE_H
#define SCRIPTLINE_H

#include "head.h"
#include "perf/frameline.h"

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
	struct frame_line frame;
	bool padded;		/* perf aligned the command on the right */
};

/*
 * Returns the form of the heads in a file that begins with these bytes, of
 * HEAD_...
 */
unsigned script_line_form(struct str bytes);

/*
 * Finds the times of the first and the last sample in these bytes of a file, in
 * nanoseconds; both are 0 if no line has one.
 */
void script_line_times(struct str bytes, unsigned form, uint64_t *first,
    uint64_t *last);

/* Classifies a line of that form; its slices live as long as text. */
void script_line_parse(struct str text, enum line_place place, unsigned form,
    struct script_line *line);

/* True if only perf script prints a line like this. */
bool script_line_is_certain(const struct script_line *line);

#endif
