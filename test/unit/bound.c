/*
 * Reads lines of numbers in order, each after a key, and prints the place of
 * the first that is not less than the key.
 *
 *	5 1 5 5 9 => 1
 *	9 => 0
 */
#include <stdio.h>

#include "lib/bound.h"
#include "unit.h"

#define MOST	64

static bool
is_less(const void *item, const void *key)
{
	return *(const unsigned long long *)item <
	    *(const unsigned long long *)key;
}

int
bound_main(int argc, char **argv)
{
	unsigned long long numbers[MOST];
	struct str line, word;
	size_t count;

	(void)argc;
	(void)argv;
	while (unit_line(&line)) {
		for (count = 0; line.len > 0 && count < MOST; count++) {
			word = str_take(line, str_find(line, ' '));
			str_number(word, &numbers[count]);
			line = str_trim_start(str_skip(line, word.len));
		}
		printf("%lu\n", (unsigned long)lower_bound(&numbers[0],
		    numbers + 1, count - 1, sizeof(*numbers), is_less));
	}
	return 0;
}
