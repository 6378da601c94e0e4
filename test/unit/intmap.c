/*
 * Reads pairs of numbers, one a line, and prints the number that each has, in
 * the order in which they came first.
 *
 *	7 1 => 0
 *	1 7 => 1
 *	7 1 => 0
 */
#include <stdio.h>

#include "lib/intmap.h"
#include "unit.h"

int
intmap_main(int argc, char **argv)
{
	struct intmap map;
	struct str line;
	unsigned long long first, second;
	uint32_t *number;
	uint64_t key;

	(void)argc;
	(void)argv;
	intmap_init(&map);
	while (unit_line(&line)) {
		str_number(line, &first);
		str_number(str_skip(line, str_find(line, ' ') + 1), &second);
		key = intmap_pair((uint32_t)first, (uint32_t)second);
		number = intmap_at(&map, key);
		if (*number == 0)
			*number = (uint32_t)map.count;
		printf("%lu\n", (unsigned long)intmap_find(&map, key) - 1);
	}
	intmap_free(&map);
	return 0;
}
