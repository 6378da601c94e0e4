/*
 * Reads pairs of numbers, one a line, and prints the number that each has.
 *
 *	7 1 => 0
 *	1 7 => 1
 *	7 1 => 0
 */
#include <stdio.h>

#include "lib/pairs.h"
#include "unit.h"

int
main(void)
{
	struct pairs pairs;
	struct str line;
	unsigned long long first, second;

	pairs_init(&pairs);
	while (unit_line(&line)) {
		str_number(line, &first);
		str_number(str_skip(line, str_find(line, ' ') + 1), &second);
		printf("%lu\n", (unsigned long)pairs_add(&pairs,
		    (uint32_t)first, (uint32_t)second));
	}
	pairs_free(&pairs);
	return 0;
}
