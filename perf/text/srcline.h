/*
 * srcline: adds to the names of functions the source lines that perf script -F
 * +srcline prints, each on a line of its own after its frame:
 *
 *	        401136 main+0x6 (/usr/bin/work)
 *	  work.c:371
 */
#ifndef SRCLINE_H
#define SRCLINE_H

#include "fold/calls.h"

/* A frame's calls that wait for their lines; begins as { 0 }. */
struct srcline {
	struct calls calls;
	size_t next;		/* the call whose line is next */
	bool waiting;
	bool module_known;	/* else perf prints lines up to the first... */
	bool lines_end;		/* ...unknown function, where they end */
	struct text name, line;
	size_t merged;		/* lines that ended a sample */
};

/*
 * Begins with the calls of a frame, which must live until the next call of
 * namer.
 */
void srcline_begin(struct srcline *srcline, struct namer *namer,
    struct calls calls, bool module_known);

/*
 * Adds the line that is waited for.  It is taken whatever it holds, as the
 * original does: an empty line, which ends a sample, is counted, as the next
 * sample's frames then become part of this one.
 */
void srcline_add(struct srcline *srcline, struct namer *namer, struct str line);

/* Returns the calls with their lines, once waiting is false or input ends. */
struct calls srcline_calls(struct srcline *srcline, struct namer *namer);

#endif
