/*
 * Reads bytes in hexadecimal, and prints their code points made fit for XML,
 * and how many bytes the first one of those that came has.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/utf8.h"
#include "unit.h"

int
utf8_main(int argc, char **argv)
{
	char bytes[64], *exact, *next;
	struct arena arena = { 0 };
	struct str line, text, clean;
	uint32_t code;
	size_t len;

	(void)argc;
	(void)argv;
	while (unit_line(&line)) {
		char digits[256] = "";
		memcpy(digits, line.data, line.len < 255 ? line.len : 255);
		for (next = digits, len = 0; *next != '\0'; len++)
			bytes[len] = (char)strtoul(next, &next, 16);
		exact = malloc(len);
		memcpy(exact, bytes, len);
		text = (struct str){ exact, len };
		clean = utf8_clean(text, &arena);
		printf("%zu:", utf8_decode(text, &code));
		while (clean.len > 0)
			printf(" %" PRIX32, utf8_next(&clean));
		putchar('\n');
		free(exact);
	}
	return 0;
}
