/*
 * child HOW PROGRAM [ARGUMENT ...]: runs a program and prints what it prints,
 * and how it ended.
 *
 *	file		it reads our standard input itself
 *	nothing		it reads nothing
 *	exchange	it gets our standard input through a pipe
 *	cut		the same, of a file, mapped and cut off after a page
 *	gone		it gets a line through a pipe when it has ended
 *	ask		it gets a line through a pipe, and has a second to end
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/child.h"
#include "lib/mapping.h"
#include "unit.h"

#define SECONDS	60

static void
print_all(struct child *child, int seconds)
{
	struct text output = { 0 };
	struct str input = STR("");
	ssize_t got;

	while ((got = child_exchange(child, &input, &output, seconds)) > 0)
		;
	fwrite(output.data, 1, output.len, stdout);
	if (got < 0)
		puts(errno == ETIMEDOUT ? "said nothing" : "failed");
}

static struct str
map_input(void)
{
	struct str mapped = mapping_add(STDIN_FILENO, "input", 0,
	    (unsigned long long)lseek(STDIN_FILENO, 0, SEEK_END));

	if (mapped.len == 0 || ftruncate(STDIN_FILENO,
	    (off_t)sysconf(_SC_PAGESIZE)) != 0)
		err(2, "cannot map or cut off the input");
	return mapped;
}

static void
exchange(struct child *child, struct str rest)
{
	struct text output = { 0 };
	ssize_t got = 1;

	while (rest.len > 0 && got > 0)
		got = child_exchange(child, &rest, &output, SECONDS);
	child_end_input(child);
	fwrite(output.data, 1, output.len, stdout);
	print_all(child, SECONDS);
}

static void
tell(struct child *child)
{
	struct str line = STR("line\n");
	struct text output = { 0 };

	if (child_exchange(child, &line, &output, SECONDS) < 0)
		puts("failed");
	fwrite(output.data, 1, output.len, stdout);
}

int
child_main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "";
	struct child child;
	int input = strcmp(how, "file") == 0 ? STDIN_FILENO :
	    strcmp(how, "nothing") == 0 ? CHILD_NOTHING : CHILD_PIPE;

	if (argc < 3 || !child_start(&child, argv + 2, input)) {
		puts(strerror(errno));
		return 1;
	}
	if (strcmp(how, "exchange") == 0)
		exchange(&child, unit_all(stdin));
	else if (strcmp(how, "cut") == 0)
		exchange(&child, map_input());
	else if (strcmp(how, "gone") == 0) {
		print_all(&child, SECONDS);
		tell(&child);
	} else if (strcmp(how, "ask") == 0) {
		tell(&child);
		print_all(&child, 1);
		child_stop(&child);
	} else
		print_all(&child, SECONDS);
	puts(child_finish(&child) ? "(well)" : "(not well)");
	return 0;
}
