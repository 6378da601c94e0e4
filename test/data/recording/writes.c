/*
 * The program of the recordings of tracepoints beside this, built as spin.c
 * tells.  In /opt/writes, with perf 6.1:
 *
 *	perf record -e syscalls:sys_exit_write --user-callchains -g \
 *	    -o writes.data ./writes
 *	perf record -e syscalls:sys_exit_write,syscalls:sys_enter_write \
 *	    --user-callchains -g -o - ./writes > writes.pipe
 *
 * writes.txt is what perf script printed of writes.pipe.  All is written into
 * /dev/null: 4 times 3 bytes, 3 times 10, none once, and 2 times nowhere, which
 * returns -EBADF.
 */
#define NOIPA	__attribute__((noipa))

static long
call(long number, long first, const char *second, long third)
{
	long result;

	__asm__ volatile ("syscall" : "=a" (result) : "a" (number),
	    "D" (first), "S" (second), "d" (third) : "rcx", "r11", "memory");
	return result;
}

static inline long
put(long fd, long len)
{
	return call(1, fd, "0123456789", len) + 1;
}

NOIPA static long
few(long fd)
{
	return put(fd, 3) + 1;
}

NOIPA static long
many(long fd)
{
	return put(fd, 10) + 1;
}

NOIPA static long
work(void)
{
	long fd = call(2, (long)"/dev/null", (const char *)1, 0);
	int i;

	for (i = 0; i < 4; i++)
		few(fd);
	for (i = 0; i < 3; i++)
		many(fd);
	put(fd, 0);
	put(-1, 1);
	return put(-1, 1) + 1;
}

NOIPA void
_start(void)
{
	work();
	call(60, 0, "", 0);	/* exit */
}
