/*
 * Runs the target of a fuzzer on every beginning of its operands, and on each
 * of them with one byte changed, in three ways.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "test/fuzz/fuzz.h"

/* A copy that ends where its memory ends, for what checks addresses. */
static void
run(struct str input)
{
	char *copy = mem_array(input.len, 1);

	memcpy(copy, input.data, input.len);
	fuzz_input((struct str){ copy, input.len });
	free(copy);
}

int
main(int argc, char **argv)
{
	static const char changes[] = { 1, '\x80', '\xff' };
	struct text text = { 0 };
	size_t len, change;
	FILE *file;
	int c, i;

	for (i = 1; i < argc; i++) {
		file = fopen(argv[i], "r");
		if (file == NULL)
			err(1, "%s", argv[i]);
		for (text.len = 0; (c = getc(file)) != EOF;)
			text_add_char(&text, (char)c);
		fclose(file);
		for (len = 0; len <= text.len; len++)
			run(str_take(text_str(&text), len));
		for (len = 0; len < text.len; len++) {
			for (change = 0; change < sizeof(changes); change++) {
				text.data[len] ^= changes[change];
				run(text_str(&text));
				text.data[len] ^= changes[change];
			}
		}
	}
	return 0;
}
