/*
 * The program of the recording of waits beside this, built as spin.c tells.  In
 * /opt/naps, with perf 6.1:
 *
 *	perf record --switch-events -e sched:sched_switch --user-callchains \
 *	    -g -o naps.data ./naps > naps.measured
 *
 * naps.measured is how long each function slept by the program's own clock, in
 * ns.  naps.data.folded has the times from each switch of perf script --ns
 * --show-switch-events to the thread's next PERF_RECORD_SWITCH IN, added up by
 * function.
 */
#define NOIPA	__attribute__((noipa))

struct time {
	long seconds, ns;
};

static long
call(long number, long first, const void *second, long third)
{
	long result;

	__asm__ volatile ("syscall" : "=a" (result) : "a" (number),
	    "D" (first), "S" (second), "d" (third) : "rcx", "r11", "memory");
	return result;
}

static long
now(void)
{
	struct time time;

	call(228, 1, &time, 0);		/* clock_gettime, CLOCK_MONOTONIC */
	return time.seconds * 1000000000 + time.ns;
}

static long
nap(long ns)
{
	struct time time = { 0, ns };

	return call(35, (long)&time, (void *)0, 0) + 1;	/* nanosleep */
}

NOIPA static long
doze(void)
{
	return nap(3000000) + 1;
}

NOIPA static long
sleep(void)
{
	return nap(20000000) + 1;
}

static void
print(const char *name, long ns)
{
	char line[32], *end = line + sizeof(line), *at = end;
	long i, len = 0;

	while (name[len] != '\0')
		len++;
	*--at = '\n';
	for (; ns > 0; ns /= 10)
		*--at = (char)('0' + ns % 10);
	*--at = ' ';
	for (i = len; i > 0; i--)
		*--at = name[i - 1];
	call(1, 1, at, end - at);
}

NOIPA static long
work(void)
{
	long i, start, dozed = 0, slept = 0;

	for (i = 0; i < 6; i++) {
		start = now();
		doze();
		dozed += now() - start;
		start = now();
		if (i % 2 == 0)
			sleep();
		slept += i % 2 == 0 ? now() - start : 0;
	}
	print("doze", dozed);
	print("sleep", slept);
	return 1;
}

NOIPA void
_start(void)
{
	work();
	call(60, 0, "", 0);	/* exit */
}
