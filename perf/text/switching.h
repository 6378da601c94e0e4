/*
 * switching: what lines of perf script tell of threads that wait.  Versions
 * differ in how they print a tracepoint:
 *
 *	sched:sched_switch: prev_comm=cc prev_pid=12 prev_prio=120 prev_state=S
 *	    ==> next_comm=make next_pid=10 next_prio=120
 *	sched:sched_switch: cc:12 [120] S ==> make:10 [120]
 *	sched:sched_waking: comm=cc pid=12 prio=120 target_cpu=001
 *	sched:sched_wakeup: cc:12 [120] success=1 CPU:001
 *
 * perf script --show-switch-events --show-lost-events adds lines of records:
 *
 *	cc    12 [001]   115.109216: PERF_RECORD_SWITCH IN
 *	cc    12 [001]   115.109216: PERF_RECORD_LOST lost 5
 */
#ifndef SWITCHING_H
#define SWITCHING_H

#include "line.h"
#include "perf/waits.h"

/*
 * Reads the change of a thread from an event line, without the time it waited
 * or ran: that is the period.  False if there is none, or if it makes no sense.
 */
bool switching_event(const struct event *event, struct wait_event *told);

/* The same of the line of a record: that a thread comes, or of a loss. */
bool switching_record(const struct line *line, struct wait_event *told);

#endif
