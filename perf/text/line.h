/*
 * line: classifies a line of perf script, and splits it into fields.
 */
#ifndef LINE_H
#define LINE_H

#include "event.h"
#include "perf/frameline.h"

/* Some lines mean one thing or another, by the lines before them. */
enum line_place {
	LINE_OUTSIDE,		/* no sample has begun */
	LINE_BETWEEN,		/* one may have: frames or a new one follow */
	LINE_INSIDE		/* one has: indented lines belong to it */
};

enum line_kind {
	LINE_BLANK,
	LINE_COMMENT,
	LINE_EVENT,		/* begins a sample */
	LINE_PADDED_EVENT,	/* begins one if frames follow */
	LINE_LONE_FRAME,	/* an event and its frame */
	LINE_ARGUMENTS,		/* a tracepoint's event line without a frame */
	LINE_FRAME,
	LINE_EXTRAS,		/* fields after the frames, certainly, */
	LINE_TAB_EXTRAS,	/* ...after a tab */
	LINE_LIKELY_EXTRAS,	/* ...or likely */
	LINE_RECORD,		/* of no sample */
	LINE_DETAIL,		/* indented, and nothing of the above */
	LINE_ODD,
	LINE_KINDS
};

struct line {
	struct str text;
	enum line_kind kind;
	struct event event;	/* if the kind has one */
	struct frame_line frame;
	bool padded;		/* perf aligned the command on the right */
	bool certain;		/* for line_is_certain */
};

/*
 * Returns the form of the event lines in a file that begins with these bytes,
 * of EVENT_...
 */
unsigned line_form(struct str bytes);

/* Classifies a line of that form; its slices live as long as text. */
void line_parse(struct str text, enum line_place place, unsigned form,
    struct line *line);

/* True if only perf script prints a line like this. */
bool line_is_certain(const struct line *line);

#endif
