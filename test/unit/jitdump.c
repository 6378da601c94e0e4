/*
 * Writes a dump, jit-PID.dump, of lines of words; numbers are as C's:
 *
 *	big				in the other byte order, the first line
 *	header VERSION SIZE FLAGS	the header, else "header 1 40 0"
 *	load TIME PID ADDRESS SIZE NUMBER NAME
 *	move TIME PID FROM TO SIZE NUMBER
 *	lines ADDRESS AT:LINE:FILE ...	"same" is the file before
 *	frames EH_FRAME HEADER		hexadecimal
 *	record KIND TIME HEX		any other
 *	bytes HEX			in between
 *
 * In names "%0a" is the byte of that number.  Code is as many NOPs as a
 * function has bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata.h"

#define MOST_WORDS	64
#define PREFIX		16
#define NOP		0x90

static struct buffer dump;
static int is_big, has_header;

static uint64_t
number(const char *word)
{
	return strtoull(word == NULL ? "0" : word, NULL, 0);
}

/* Puts a number in the byte order of the dump. */
static void
put_ordered(struct buffer *buffer, uint64_t n, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		put_number(buffer, n >> 8 * (is_big ? size - 1 - i : i), 1);
}

static void
put_header(uint64_t version, uint64_t size, uint64_t flags)
{
	has_header = 1;
	put_ordered(&dump, 0x4a695444, 4);
	put_ordered(&dump, version, 4);
	put_ordered(&dump, size, 4);
	put_ordered(&dump, 62, 4);
	put_ordered(&dump, 0, 4);
	put_ordered(&dump, 7, 4);
	put_ordered(&dump, 1, 8);
	put_ordered(&dump, flags, 8);
}

static void
add_record(uint64_t kind, uint64_t time, struct buffer *body)
{
	put_ordered(&dump, kind, 4);
	put_ordered(&dump, body->len + PREFIX, 4);
	put_ordered(&dump, time, 8);
	put(&dump, body->data, body->len);
	free(body->data);
}

static void
put_name(struct buffer *buffer, const char *name)
{
	char digits[3] = "";

	for (; name != NULL && *name != '\0'; name++)
		if (name[0] == '%' && name[1] != '\0' && name[2] != '\0') {
			memcpy(digits, name + 1, 2);
			put_number(buffer, strtoul(digits, NULL, 16), 1);
			name += 2;
		} else
			put(buffer, name, 1);
	put_number(buffer, 0, 1);
}

static void
add_load(char **words)
{
	struct buffer body = { NULL, 0 };
	uint64_t size = number(words[4]), i;

	put_ordered(&body, number(words[2]), 4);
	put_ordered(&body, number(words[2]), 4);
	put_ordered(&body, number(words[3]), 8);
	put_ordered(&body, number(words[3]), 8);
	put_ordered(&body, size, 8);
	put_ordered(&body, number(words[5]), 8);
	put_name(&body, words[6]);
	for (i = 0; i < size; i++)
		put_number(&body, NOP, 1);
	add_record(0, number(words[1]), &body);
}

static void
add_move(char **words)
{
	struct buffer body = { NULL, 0 };

	put_ordered(&body, number(words[2]), 4);
	put_ordered(&body, number(words[2]), 4);
	put_ordered(&body, number(words[4]), 8);
	put_ordered(&body, number(words[3]), 8);
	put_ordered(&body, number(words[4]), 8);
	put_ordered(&body, number(words[5]), 8);
	put_ordered(&body, number(words[6]), 8);
	add_record(1, number(words[1]), &body);
}

static void
add_lines(char **words)
{
	struct buffer body = { NULL, 0 };
	uint64_t count = 0;
	char *line;

	while (words[2 + count] != NULL)
		count++;
	put_ordered(&body, number(words[1]), 8);
	put_ordered(&body, count, 8);
	for (words += 2; *words != NULL; words++) {
		line = strchr(*words, ':') + 1;
		put_ordered(&body, number(*words), 8);
		put_ordered(&body, number(line), 4);
		put_ordered(&body, 0, 4);
		line = strchr(line, ':') + 1;
		put_name(&body, strcmp(line, "same") == 0 ? "\377" : line);
	}
	add_record(2, 0, &body);
}

static void
add_frames(char **words)
{
	struct buffer body = { NULL, 0 };
	size_t eh_frame = strlen(words[1]) / 2, header = strlen(words[2]) / 2;

	put_ordered(&body, eh_frame + header, 8);
	put_ordered(&body, header, 8);
	put_ordered(&body, 0, 8);
	put_hex(&body, words[1]);
	put_hex(&body, words[2]);
	add_record(4, 0, &body);
}

static void
add(char **words)
{
	struct buffer body = { NULL, 0 };
	const char *command = words[0];

	if (strcmp(command, "big") == 0) {
		is_big = 1;
		return;
	}
	if (strcmp(command, "header") == 0) {
		put_header(number(words[1]), number(words[2]),
		    number(words[3]));
		return;
	}
	if (!has_header)
		put_header(1, 40, 0);
	if (strcmp(command, "load") == 0)
		add_load(words);
	else if (strcmp(command, "move") == 0)
		add_move(words);
	else if (strcmp(command, "lines") == 0)
		add_lines(words);
	else if (strcmp(command, "frames") == 0)
		add_frames(words);
	else if (strcmp(command, "record") == 0) {
		put_hex(&body, words[3] == NULL ? "" : words[3]);
		add_record(number(words[1]), number(words[2]), &body);
	} else if (strcmp(command, "bytes") == 0)
		put_hex(&dump, words[1]);
	else
		fail("unknown", command);
}

int
jitdump_main(int argc, char **argv)
{
	static char line[1 << 16], *words[MOST_WORDS + 8];
	size_t count;
	char *word;

	(void)argc;
	(void)argv;
	while (fgets(line, sizeof(line), stdin) != NULL) {
		for (count = 0, word = strtok(line, " \t\n");
		    word != NULL && count < MOST_WORDS;
		    word = strtok(NULL, " \t\n"))
			words[count++] = word;
		memset(&words[count], 0, 8 * sizeof(*words));
		if (count > 0 && words[0][0] != '#')
			add(words);
	}
	if (fwrite(dump.data, 1, dump.len, stdout) != dump.len ||
	    fflush(stdout) != 0)
		fail("cannot write", "standard output");
	free(dump.data);
	return 0;
}
