/*
 * Reads lines, and prints them in byte order, each with its number; with an
 * argument, in the order of the hexadecimal numbers that they are.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/mem.h"
#include "lib/sort.h"
#include "unit.h"

/* Three words, as a size that is no power of two is copied right, too. */
struct line {
	uint64_t number;
	size_t line, same;
};

static int
sort_numbers(void)
{
	struct line *lines = NULL;
	size_t count = 0, room = 0, i;
	struct str line;

	for (; unit_line(&line); count++) {
		lines = mem_grow(lines, &room, count + 1, sizeof(*lines));
		lines[count] = (struct line){ unit_hex(line), count + 1,
		    count + 1 };
	}
	sort_by_number(lines, count, sizeof(*lines));
	for (i = 0; i < count; i++)
		printf("%" PRIx64 "\t%zu%s\n", lines[i].number, lines[i].line,
		    lines[i].line == lines[i].same ? "" : " torn");
	return 0;
}

int
sort_main(int argc, char **argv)
{
	struct sort_item *items = NULL;
	struct arena arena = { 0 };
	size_t count = 0, room = 0, i;
	struct str line;

	(void)argv;
	if (argc > 1)
		return sort_numbers();
	for (; unit_line(&line); count++) {
		items = mem_grow(items, &room, count + 1, sizeof(*items));
		items[count].key = arena_copy(&arena, line);
		items[count].number = count;
	}
	sort_items(items, count);
	for (i = 0; i < count; i++) {
		unit_print(items[i].key, "");
		printf("\t%zu\n", items[i].number + 1);
	}
	return 0;
}
