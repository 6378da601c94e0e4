/*
 * fields: finds the fields of a tracepoint in what perf script prints after its
 * name, where the kernel chooses how:
 *
 *	kmem:kmalloc: call_site=do_open+0x3c bytes_req=120 bytes_alloc=128
 *	syscalls:sys_enter_write: fd: 0x00000003, buf: 0x7f00, count: 0x00000040
 *	syscalls:sys_exit_write: 0x40
 *	raw_syscalls:sys_exit: NR 1 = 64
 *
 * The last two are the field ret.
 */
#ifndef FIELDS_H
#define FIELDS_H

#include <stdint.h>

#include "event.h"

/*
 * Stores a field's number, one of 2^63 or more as the same bits; false if the
 * line has no such field, or it is no number.
 */
bool fields_number(const struct event *event, struct str field,
    int64_t *number);

#endif
