/*
 * Reads sizes and, after a ':', packed bytes in hexadecimal; prints what these
 * become, '?' for bytes that are no letter, or "damaged".
 *
 *	9 : 78 da 4b 4c 4a 4e 84 23 00 11 26 03 73	=> abcabcabc
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/gzip.h"
#include "unit.h"

int
inflate_main(int argc, char **argv)
{
	unsigned long long size, i;
	unsigned char *out;
	struct str line;

	(void)argc;
	(void)argv;
	while (unit_line(&line)) {
		str_number(str_trim(str_take(line, str_find(line, ':'))),
		    &size);
		out = malloc(size);
		line = str_skip(line, str_find(line, ':') + 1);
		if (!zlib_unpack(unit_bytes(line), out, size)) {
			puts("damaged");
			continue;
		}
		for (i = 0; i < size; i++)
			putchar(out[i] >= 'a' && out[i] <= 'z' ? out[i] : '?');
		putchar('\n');
	}
	return 0;
}
