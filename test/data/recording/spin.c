/*
 * The program of the recordings beside this, static, without a C library, and
 * with frame pointers.  In /opt/spin, with perf 6.1:
 *
 *	gcc -O1 -fno-omit-frame-pointer -fno-stack-protector \
 *	    -fcf-protection=none -nostdlib -static -no-pie \
 *	    -Wl,-z,noseparate-code -Wl,--build-id=sha1 -o spin spin.c
 *	perf record -F 2999 -g -e cpu-clock -o spin.data ./spin
 *	perf record -F 2999 -g -e cpu-clock -o - ./spin > spin.pipe
 *	perf record -F 2999 -g -z -e cpu-clock -o spin-zstd.data ./spin
 *	perf record -F 2999 -e '{cpu-clock,page-faults}:S' \
 *	    -o spin-group.data ./spin
 *	perf record -c 1 -g -e page-faults -o spin-faults.data ./spin
 *
 * spin.kallsyms has the lines of /proc/kallsyms with their kernel's functions,
 * and those that follow.  With root/opt/spin/spin,
 *
 *	perf script --no-inline --symfs root --kallsyms spin.kallsyms \
 *	    -i spin.data | stackcollapse-perf --kernel
 *
 * printed spin.data.folded, and so for the others.
 */
#define NOINLINE	__attribute__((noinline))

static volatile unsigned long sum;
static char pages[16 * 4096];

static long
call(long number, long argument)
{
	long result;

	__asm__ volatile ("syscall" : "=a" (result) :
	    "a" (number), "D" (argument) : "rcx", "r11", "memory");
	return result;
}

NOINLINE static void
add(unsigned long count)
{
	while (count-- > 0)
		sum += count;
}

NOINLINE static void
touch(void)
{
	unsigned i;

	for (i = 0; i < sizeof(pages); i += 4096)
		pages[i]++;
}

NOINLINE static void
ask(unsigned count)
{
	while (count-- > 0)
		call(39, 0);	/* getpid */
}

NOINLINE static void
work(int depth)
{
	if (depth > 0)
		work(depth - 1);
	add(1000000);
	ask(10000);
}

NOINLINE void
_start(void)
{
	touch();
	work(3);
	call(60, 0);	/* exit */
}
