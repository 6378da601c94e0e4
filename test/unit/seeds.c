/*
 * seeds TARGET FILE ...: calls a fuzzer's target with each file, which ends the
 * program where the target's requirements do not hold.
 */
#include <err.h>
#include <stdlib.h>

#include "test/fuzz/fuzz.h"
#include "unit.h"

#define TARGETS(X)	X(dwarf) X(elf) X(jitdump) X(split) X(unwind)
#define DECLARE(name)	void fuzz_##name(struct str input);
#define ROW(name)	{ #name, fuzz_##name },

TARGETS(DECLARE)

static const struct {
	const char *name;
	void (*input)(struct str input);
} targets[] = { TARGETS(ROW) };

int
seeds_main(int argc, char **argv)
{
	struct str input;
	FILE *file;
	size_t i;

	for (i = 0; strcmp(targets[i].name, argv[1]) != 0; i++)
		if (i + 1 == sizeof(targets) / sizeof(*targets))
			errx(2, "%s: no target", argv[1]);
	for (argv += 2; argc > 2; argc--, argv++) {
		file = fopen(*argv, "rb");
		if (file == NULL)
			err(2, "%s", *argv);
		input = unit_all(file);
		fclose(file);
		puts(*argv);
		fflush(stdout);
		targets[i].input(input);
		free((char *)input.data);
	}
	return 0;
}
