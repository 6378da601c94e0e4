/*
 * Runs expressions, which it reads in hexadecimal, and prints their results:
 *
 *	35 32 1c	=> 3
 *
 * 100 is on the stack at first; the registers 0 to 16 have their number times
 * 1000; from address 64 on, memory has bytes that are as high as they are far
 * from it, 8f at address 207 as the last one.  What makes no sense is "none".
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbols/unwind/unwind.h"
#include "unit.h"

#define FIRST	64
#define END	208

static bool
read_memory(void *data, uint64_t address, uint64_t *value)
{
	int i;

	(void)data;
	if (address < FIRST || address > END - 8)
		return false;
	*value = 0;
	for (i = 7; i >= 0; i--)
		*value = *value << 8 | (address - FIRST + (uint64_t)i);
	return true;
}

int
expr_main(int argc, char **argv)
{
	static const struct unwind_process process = { &unwind_x86_64, NULL,
		read_memory, NULL };
	uint64_t registers[CFI_COLUMNS], result, i;
	struct unwind unwind;
	struct str line, program;

	(void)argc;
	(void)argv;
	for (i = 0; i < CFI_COLUMNS; i++)
		registers[i] = i * 1000;
	unwind_begin(&unwind, &process, registers, UINT64_MAX);
	while (unit_line(&line)) {
		program = unit_bytes(line);
		if (expr_run(bytes_from(program), &unwind, 100, &result))
			printf("%" PRId64 "\n", (int64_t)result);
		else
			puts("none");
		free((char *)program.data);
	}
	return 0;
}
