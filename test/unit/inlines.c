/*
 * inlines FILE: reads addresses in hexadecimal; prints for each the functions
 * there, the innermost first, with their source lines:
 *
 *	401136: inner work.c:3 < middle work.c:7 < main work.c:9
 */
#include <stdio.h>
#include <stdlib.h>

#include "symbols/dwarf/debug.h"
#include "symbols/elf/limits.h"
#include "unit.h"

static void
print_function(const struct debug_function *function)
{
	putchar(' ');
	unit_print(function->name, function->file.len > 0 ? " " : "");
	unit_print(function->file, "");
	if (function->file.len > 0)
		printf(":%lu", (unsigned long)function->line);
	if (function->inlined)
		fputs(" <", stdout);
}

int
inlines_main(int argc, char **argv)
{
	struct limits limits;
	struct account account = { .limits = &limits };
	struct symbol_sources sources = { .symfs = "", .account = &account };
	struct binary binary = { .path = argc > 1 ? argv[1] : "" };
	struct debug_functions functions = { 0 };
	const char *path, *trouble;
	struct debug *debug;
	struct str line;
	size_t i;

	limits_init(&limits);
	debug = debug_open(&sources, &binary, false);
	while (unit_line(&line)) {
		unit_print(line, ":");
		if (debug != NULL)
			debug_find(debug, unit_hex(line),
			    DEBUG_LINES, &functions);
		for (i = 0; i < functions.count; i++)
			print_function(&functions.list[i]);
		putchar('\n');
	}
	trouble = debug_trouble(debug, &path);
	if (trouble != NULL)
		puts(trouble);
	free(functions.list);
	debug_close(debug);
	return 0;
}
