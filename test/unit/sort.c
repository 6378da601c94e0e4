/* Reads lines, and prints them in byte order, each with its number. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/mem.h"
#include "lib/sort.h"
#include "unit.h"

int
main(void)
{
	struct sort_item *items = NULL;
	struct arena arena = { 0 };
	size_t count = 0, room = 0, i;
	struct str line;

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
