/*
 * untimed: event lines of samples with a call graph where perf was told not to
 * print the time:
 *
 *	Worker 12 x 27908   10101010 cpu-clock:
 *
 * The columns in which perf aligns numbers tell them from what a command's name
 * ends in.
 */
#ifndef UNTIMED_H
#define UNTIMED_H

#include "event.h"

/*
 * Parses [COMM] [PID[/TID]] [CPU] [PERIOD] [EVENT:], of which the command may be
 * the only one.  False if that is longer than one can be.
 */
bool untimed_parse_columns(struct str s, struct event *event);

/*
 * Parses COMM PID[/TID] and anything, as stackcollapse-perf.pl does: the
 * command ends before the first such numbers.
 */
bool untimed_parse(struct str line, struct event *event);

#endif
