/*
 * recording: writes a recording (perf.data) to measure with, the same on each
 * run, and the names of its kernel's functions.
 *
 *	recording SAMPLES PROCESSES MAPS SYMBOLS STACKS > perf.data
 *	recording SYMBOLS > kallsyms
 *
 * SAMPLES samples of two processors in rounds, of PROCESSES processes one
 * after the other, each of which maps MAPS files between its samples.  STACKS
 * stacks differ; they have 8 frames of the kernel, whose functions are
 * SYMBOLS, and two of the program.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL	UINT64_C(0xffffffff81000000)
#define SIZE	64	/* bytes of a function */
#define ROUND	2000	/* samples */

enum { MMAP = 1, COMM = 3, SAMPLE = 9, FINISHED_ROUND = 68 };
enum { IP = 1, TID = 2, TIME = 4, CHAIN = 32, PERIOD = 256 };

static void
put(uint64_t number, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		putchar((int)(number >> 8 * i & 0xff));
}

static void
put_zeros(size_t len)
{
	while (len-- > 0)
		putchar(0);
}

/* Puts the header of a record whose fields have this many bytes. */
static void
put_record(unsigned type, unsigned mode, size_t len)
{
	put(type, 4);
	put(mode, 2);
	put(len + 8, 2);
}

/* Puts a name in 32 bytes, and the end of a record that is no sample. */
static void
put_name(const char *name, uint64_t pid, uint64_t time)
{
	char field[32] = "";

	memcpy(field, name, strlen(name));
	fwrite(field, 1, sizeof(field), stdout);
	put(pid << 32 | pid, 8);
	put(time, 8);
}

static void
put_map(uint64_t pid, uint64_t start, uint64_t len, const char *name,
    uint64_t time)
{
	put_record(MMAP, pid == UINT32_MAX ? 1 : 2, 32 + 48);
	put(pid << 32 | pid, 8);
	put(start, 8);
	put(len, 8);
	put(pid == UINT32_MAX ? start : 0, 8);
	put_name(name, pid, time);
}

static void
put_comm(uint64_t pid, uint64_t time)
{
	char name[32];

	snprintf(name, sizeof(name), "program%" PRIu64, pid % 100);
	put_record(COMM, 0, 8 + 48);
	put(pid << 32 | pid, 8);
	put_name(name, pid, time);
}

static void
put_sample(uint64_t pid, uint64_t time, uint64_t stack, uint64_t maps,
    uint64_t symbols)
{
	uint64_t map = 0x400000 + stack % maps * 0x10000;
	int i;

	put_record(SAMPLE, 2, 8 * 17);
	put(KERNEL, 8);
	put(pid << 32 | pid, 8);
	put(time, 8);
	put(1, 8);
	put(12, 8);
	put(UINT64_MAX - 127, 8);
	for (i = 0; i < 8; i++, stack /= symbols)
		put(KERNEL + (stack + (uint64_t)i) % symbols * SIZE + 5, 8);
	put(UINT64_MAX - 511, 8);
	put(map + 0x10, 8);
	put(map + 0x20, 8);
}

/* Puts a header, with one event, of which all that follows is. */
static void
put_header(void)
{
	fputs("PERFILE2", stdout);
	put(104, 8);
	put(144, 8);
	put(104, 8);		/* the events */
	put(144, 8);
	put(104 + 144, 8);	/* the records, as far as the file goes */
	put_zeros(8 + 16 + 32);
	put(1, 4);		/* cpu-clock */
	put(128, 4);
	put(0, 8);
	put(1, 8);
	put(IP | TID | TIME | CHAIN | PERIOD, 8);
	put(0, 8);
	put(1 << 18, 8);	/* times and threads in all records */
	put_zeros(128 - 48);
	put_zeros(16);
}

/* Puts a process's samples, from one to another, and its maps between them. */
static void
put_samples(const uint64_t *size, uint64_t from, uint64_t to, uint64_t pid)
{
	uint64_t samples = to - from, maps = size[2], mapped = 0, i, now, j;
	char name[32];

	put_comm(pid, from * 4);
	for (i = 0; i < samples; i++) {
		/* of each round, the even ones come first */
		j = i / ROUND * ROUND;
		now = samples - j < ROUND ? i :
		    j + (i - j) * 2 % ROUND + (i - j) * 2 / ROUND;
		for (; mapped < (i + 1) * maps / samples; mapped++) {
			snprintf(name, sizeof(name), "/x/%" PRIu64,
			    mapped % 100);
			put_map(pid, 0x400000 + mapped * 0x10000, 0x1000, name,
			    (from + now) * 4 + 1);
		}
		put_sample(pid, (from + now) * 4 + 2, (from + i) % size[4],
		    maps, size[3]);
		if ((from + i) % ROUND == ROUND - 1)
			put_record(FINISHED_ROUND, 0, 0);
	}
}

int
main(int argc, char **argv)
{
	uint64_t size[5] = { 0 }, i;
	int n;

	for (n = 1; n < argc && n <= 5; n++)
		size[n - 1] = strtoull(argv[n], NULL, 10);
	if (argc != 2 && argc != 6)
		errx(2, "usage: see the top of recording.c");
	for (i = 0; argc == 2 && i < size[0]; i++)
		printf("%" PRIx64 " T %s%" PRIu64 "\n", KERNEL + i * SIZE,
		    i == 0 ? "_text" : "function", i);
	if (argc == 6) {
		put_header();
		put_map(UINT32_MAX, KERNEL, size[3] * SIZE,
		    "[kernel.kallsyms]_text0", 0);
		for (i = 0; i < size[1]; i++)
			put_samples(size, size[0] * i / size[1],
			    size[0] * (i + 1) / size[1], 100 + i);
	}
	if (fclose(stdout) != 0)
		err(1, "output");
	return 0;
}
