/*
 * loneframe: the one frame of a sample without a call graph, which perf script
 * prints on the event line, after the arguments if it is a tracepoint; it pads
 * the command on the left:
 *
 *	   swapper     0 [000] 115.1:     250000 cycles:  ffffffff81000130 ...
 */
#ifndef LONEFRAME_H
#define LONEFRAME_H

#include "event.h"
#include "perf/frameline.h"

/*
 * Finds the frame in an event's rest; false if there is none.  Where the line
 * is not `padded`, only a command of 15 characters, which needs no padding, or
 * a command that is not printed can have its frame there.
 */
bool lone_frame_parse(const struct event *event, bool padded,
    struct frame_line *frame);

#endif
