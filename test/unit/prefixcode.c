/*
 * Reads how long codes may be and, behind a ':', how often each symbol comes;
 * prints the codes, "-" for a symbol without one.
 *
 *	15: 1 0 2 1	=> 00 - 1 01
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/prefixcode.h"
#include "unit.h"

static void
print_code(const struct prefix_code *code, size_t symbol)
{
	unsigned i;

	if (code->lengths[symbol] == 0)
		putchar('-');
	for (i = 0; i < code->lengths[symbol]; i++)
		putchar('0' + (code->codes[symbol] >> i & 1));
}

int
prefixcode_main(int argc, char **argv)
{
	uint32_t counts[PREFIX_SYMBOLS];
	struct prefix_code code;
	struct str line;
	unsigned long long longest = 0, number;
	size_t symbols, i;

	(void)argc;
	(void)argv;
	while (unit_line(&line)) {
		str_number(line, &longest);
		line = str_skip(line, str_find(line, ':') + 1);
		for (symbols = 0; symbols < PREFIX_SYMBOLS; symbols++) {
			line = str_trim_start(line);
			if (!str_number(line, &number))
				break;
			counts[symbols] = (uint32_t)number;
			line = str_skip(line, str_digits(line));
		}
		prefix_code_make(&code, counts, symbols, (unsigned)longest);
		for (i = 0; i < symbols; i++) {
			if (i > 0)
				putchar(' ');
			print_code(&code, i);
		}
		putchar('\n');
	}
	return 0;
}
