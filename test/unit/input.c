/*
 * input JOBS [FILE ...]: prints the lines of the files, each with its name, but
 * refuses a file that begins as a program does, and counts the bytes of one
 * that begins with "RECORDING" by itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/input.h"
#include "lib/threads.h"

struct part {
	struct input input;
	struct text lines;
};

/* Every line may be the last one of a block. */
static size_t
find_line_end(struct str text, size_t from)
{
	size_t end = 1 + str_find_last(text, '\n');

	return end <= text.len && end > from ? end : 0;
}

/* Reads what is left of a file, of which an odd number of bytes is wrong. */
static const char *
count_bytes(struct part *part, const struct beginning *file)
{
	size_t count = file->bytes.len;
	char data[1000];
	ssize_t got;

	while ((got = read(file->fd, data, sizeof(data))) > 0)
		count += (size_t)got;
	text_add_format(&part->lines, "%s: %lu bytes\n", part->input.name,
	    (unsigned long)count);
	return count % 2 == 0 ? NULL : "it ends inside a record";
}

static bool
examine(void *context, struct beginning *file)
{
	if (str_starts(file->bytes, STR("\177ELF")))
		file->trouble = "a program";
	else if (str_starts(file->bytes, STR("RECORDING")))
		file->trouble = count_bytes(context, file);
	else
		return true;
	return false;
}

static void *
work(void *argument)
{
	struct part *part = argument;
	struct str line;

	input_examine(&part->input, examine, part);
	while (input_line(&part->input, &line))
		text_add_format(&part->lines, "%s: %.*s\n", part->input.name,
		    (int)line.len, line.data);
	return NULL;
}

int
input_main(int argc, char **argv)
{
	static struct part parts[THREADS_MOST];
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, i;
	bool well = input_run((const char *const *)(argv + 2), find_line_end,
	    work, parts, sizeof(*parts), count);

	for (i = 0; i < count; i++)
		fwrite(parts[i].lines.data, 1, parts[i].lines.len, stdout);
	return well ? 0 : 1;
}
