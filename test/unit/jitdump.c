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
#include <stdlib.h>
#include <string.h>

#include "perfdata.h"

#define PREFIX		16
#define NOP		0x90

static struct buffer dump;
static int has_header;

static void
put_header(char **words)
{
	has_header = 1;
	put_number(&dump, 0x4a695444, 4);
	put_layout(&dump, "14 24 =62 =0 =7", words);
	put_number(&dump, 1, 8);
	put_layout(&dump, "38", words);
}

static void
add_record(uint64_t kind, uint64_t time, struct buffer *body)
{
	put_number(&dump, kind, 4);
	put_number(&dump, body->len + PREFIX, 4);
	put_number(&dump, time, 8);
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
	uint64_t i;

	put_layout(&body, "24 24 38 38 48 58", words);
	put_name(&body, words[6]);
	for (i = number(words[4]); i > 0; i--)
		put_number(&body, NOP, 1);
	add_record(0, number(words[1]), &body);
}

static void
add_lines(char **words)
{
	struct buffer body = { NULL, 0 };
	uint64_t count = 0;
	char *line;

	while (words[2 + count] != NULL)
		count++;
	put_number(&body, number(words[1]), 8);
	put_number(&body, count, 8);
	for (words += 2; *words != NULL; words++) {
		line = strchr(*words, ':') + 1;
		put_number(&body, number(*words), 8);
		put_number(&body, number(line), 4);
		put_number(&body, 0, 4);
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

	put_number(&body, eh_frame + header, 8);
	put_number(&body, header, 8);
	put_number(&body, 0, 8);
	put_hex(&body, words[1]);
	put_hex(&body, words[2]);
	add_record(4, 0, &body);
}

static void
add(char **words)
{
	static char *usual[] = { "header", "1", "40", "0" };
	struct buffer body = { NULL, 0 };
	const char *command = words[0];

	if (strcmp(command, "big") == 0) {
		is_big = 1;
		return;
	}
	if (!has_header)
		put_header(strcmp(command, "header") == 0 ? words : usual);
	if (strcmp(command, "load") == 0)
		add_load(words);
	else if (strcmp(command, "move") == 0) {
		put_layout(&body, "24 24 48 38 48 58 68", words);
		add_record(1, number(words[1]), &body);
	} else if (strcmp(command, "lines") == 0)
		add_lines(words);
	else if (strcmp(command, "frames") == 0)
		add_frames(words);
	else if (strcmp(command, "record") == 0) {
		put_hex(&body, words[3] == NULL ? "" : words[3]);
		add_record(number(words[1]), number(words[2]), &body);
	} else if (strcmp(command, "bytes") == 0)
		put_hex(&dump, words[1]);
	else if (strcmp(command, "header") != 0)
		fail("unknown", command);
}

int
jitdump_main(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	each_line(add);
	print_all(&dump);
	return 0;
}
