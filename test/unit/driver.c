/*
 * driver NAME [ARGUMENT ...]: runs the driver of a module, NAME.c beside this
 * file, for a test.  All drivers are one program, so that they are linked once.
 * The Makefile defines DRIVERS(X), which is X(name) for each of them.
 */
#include <stdio.h>
#include <string.h>

#define DECLARE(name)	int name##_main(int argc, char **argv);
#define ROW(name)	{ #name, name##_main },

DRIVERS(DECLARE)

static const struct driver {
	const char *name;
	int (*main)(int argc, char **argv);
} drivers[] = { DRIVERS(ROW) };

int
main(int argc, char **argv)
{
	size_t i, count = sizeof(drivers) / sizeof(*drivers);

	for (i = 0; argc > 1 && i < count; i++)
		if (strcmp(argv[1], drivers[i].name) == 0)
			return drivers[i].main(argc - 1, argv + 1);
	fprintf(stderr, "usage: driver NAME [ARGUMENT ...]\n");
	return 2;
}
