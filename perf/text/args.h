/*
 * args: reads the arguments of tracepoints, in the forms of different
 * versions of perf and the kernel:
 *
 *	kmem:kmalloc: call_site=do_open+0x3c bytes_req=120 bytes_alloc=128
 *	syscalls:sys_enter_write: fd: 0x00000003, count: 0x00000040
 *	syscalls:sys_exit_write: 0x40
 *	raw_syscalls:sys_exit: NR 1 = 64
 *	sched:sched_switch: prev_comm=cc prev_pid=12 prev_prio=120 prev_state=S
 *	    ==> next_comm=make next_pid=10 next_prio=120
 *	sched:sched_switch: cc:12 [120] S ==> make:10 [120]
 *	sched:sched_waking: comm=cc pid=12 prio=120 target_cpu=001
 *	sched:sched_wakeup: cc:12 [120] success=1 CPU:001
 */
#ifndef ARGS_H
#define ARGS_H

#include "perf/sample.h"
#include "scriptline.h"

/*
 * Finds a field, of sys_exit its result "ret".  Stores its number, one of 2^63
 * or more as the same bits; false if there is no such field, or no number.
 */
bool args_field(const struct head *head, struct str field,
    int64_t *number);

/*
 * Reads the change of a thread from a head, without the time it waited or ran:
 * that is the period.  False if there is none, or if it makes no sense.
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
