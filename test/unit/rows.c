/*
 * Reads addresses and the numbers of maps, one pair a line, and prints which
 * line before, from 1, has remembered a row for it, or `new`.
 *
 *	4096 1 => new
 *	4096 1 => 1
 */
#include <stdio.h>
#include <stdlib.h>

#include "symbols/unwind/unwind.h"
#include "unit.h"

int
rows_main(int argc, char **argv)
{
	unsigned long long address, maps;
	struct rows rows = { NULL };
	struct row *row;
	struct str line;
	int32_t number;
	bool known;

	(void)argc;
	(void)argv;
	for (number = 1; unit_line(&line); number++) {
		str_number(line, &address);
		str_number(str_skip(line, str_find(line, ' ') + 1), &maps);
		known = false;
		row = rows_at(&rows, address, maps, &known);
		if (known)
			printf("%ld\n", (long)row->cfa_offset);
		else {
			puts("new");
			row->cfa_offset = number;
		}
	}
	free(rows.list);
	return 0;
}
