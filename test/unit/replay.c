/*
 * Runs the target of a fuzzer on each of the files that are its operands, where
 * it needs no more than test/fuzz/require.c.
 */
#include <err.h>
#include <stdio.h>

#include "test/fuzz/fuzz.h"

int
main(int argc, char **argv)
{
	struct text text = { 0 };
	FILE *file;
	int c, i;

	for (i = 1; i < argc; i++) {
		file = fopen(argv[i], "r");
		if (file == NULL)
			err(1, "%s", argv[i]);
		for (text.len = 0; (c = getc(file)) != EOF;)
			text_add_char(&text, (char)c);
		fclose(file);
		fuzz_input(text_str(&text));
	}
	return 0;
}
