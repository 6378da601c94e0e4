/*
 * Reads sizes and, after a ':', packed bytes in hexadecimal; prints what these
 * become, '?' for bytes that are no letter, or "damaged".
 *
 *	9 : 78 da 4b 4c 4a 4e 84 23 00 11 26 03 73	=> abcabcabc
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/gzip.h"
#include "lib/mem.h"
#include "unit.h"

/* Returns memory of just the size of the bytes, for what checks addresses. */
static struct str
read_bytes(char *digits)
{
	unsigned char *bytes = malloc(strlen(digits)), *exact;
	size_t len = 0;
	char *end;

	for (;; digits = end) {
		bytes[len] = (unsigned char)strtoul(digits, &end, 16);
		if (end == digits)
			break;
		len++;
	}
	exact = mem_array(len, 1);
	memcpy(exact, bytes, len);
	free(bytes);
	return (struct str){ (char *)exact, len };
}

int
inflate_main(int argc, char **argv)
{
	struct str line;
	unsigned char *out;
	char *text, *colon;
	size_t size, i;

	(void)argc;
	(void)argv;
	while (unit_line(&line)) {
		text = mem_array(line.len + 1, 1);
		memcpy(text, line.data, line.len);
		size = strtoul(text, &colon, 10);
		out = malloc(size);
		if (!zlib_unpack(read_bytes(strchr(colon, ':') + 1), out, size)) {
			puts("damaged");
			continue;
		}
		for (i = 0; i < size; i++)
			putchar(out[i] >= 'a' && out[i] <= 'z' ? out[i] : '?');
		putchar('\n');
	}
	return 0;
}
