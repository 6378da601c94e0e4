/*
 * untimed: parses event lines of samples with a call graph where perf was told
 * not to print the time:
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
 * Parses [COMM] [PID[/TID]] [CPU] [PERIOD] [EVENT:], of which the command may
 * be all.  False if it is longer than a command can be.
 */
bool untimed_parse_columns(struct str s, struct event *event);

/*
 * Parses COMM PID[/TID] and anything, as stackcollapse-perf.pl does: the
 * command ends before the first numbers of that form.
 */
bool untimed_parse(struct str line, struct event *event);

#endif
