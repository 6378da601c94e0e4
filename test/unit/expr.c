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

#include "symbols/unwind/cfi.h"
#include "unit.h"

#define FIRST	64
#define END	208

static bool
read_register(void *data, uint64_t number, uint64_t *value)
{
	(void)data;
	*value = number * 1000;
	return number <= 16;
}

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
	static const struct expr_context context = { read_register,
		read_memory, NULL, 8 };
	struct str line, program;
	uint64_t result;

	(void)argc;
	(void)argv;
	while (unit_line(&line)) {
		program = unit_bytes(line);
		if (expr_run(bytes_from(program), &context, 100, &result))
			printf("%" PRId64 "\n", (int64_t)result);
		else
			puts("none");
		free((char *)program.data);
	}
	return 0;
}
