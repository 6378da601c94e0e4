/*
 * Reads JSON, in pieces of as many bytes as the operand says, and prints it
 * without blanks, with numbers as printf(3) has them, and with no more escapes
 * than are needed; then what is wrong, if something is, and where.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/json.h"
#include "lib/mem.h"

struct pieces {
	size_t size;
	char *piece;
};

/* Gives a piece in memory of just its size. */
static bool
next_piece(void *context, struct str *piece)
{
	struct pieces *pieces = context;
	char *bytes = mem_array(pieces->size, 1);
	size_t len = fread(bytes, 1, pieces->size, stdin);

	free(pieces->piece);
	pieces->piece = mem_array(len, 1);
	memcpy(pieces->piece, bytes, len);
	free(bytes);
	*piece = (struct str){ pieces->piece, len };
	return len > 0;
}

static void
print_text(struct str text)
{
	size_t i;

	putchar('"');
	for (i = 0; i < text.len; i++)
		if ((unsigned char)text.data[i] < ' ')
			printf("\\u%04x", text.data[i]);
		else {
			if (strchr("\"\\", text.data[i]) != NULL)
				putchar('\\');
			putchar(text.data[i]);
		}
	putchar('"');
}

static void
print_value(struct json *json)
{
	static const char *const words[] = { "", "null", "false", "true" };
	enum json_type type = json_value(json);
	const char *before = "";
	struct str key;

	if (type == JSON_TEXT)
		print_text(json->text);
	else if (type == JSON_NUMBER)
		printf("%.17g", json->number);
	else if (type == JSON_ARRAY) {
		for (putchar('['); json_element(json); before = ",") {
			printf("%s", before);
			print_value(json);
		}
		putchar(']');
	} else if (type == JSON_OBJECT) {
		for (putchar('{'); json_member(json, &key); before = ",") {
			printf("%s", before);
			print_text(key);
			putchar(':');
			print_value(json);
		}
		putchar('}');
	} else
		printf("%s", words[type]);
}

int
json_main(int argc, char **argv)
{
	struct pieces pieces = { 0 };
	struct json json;

	pieces.size = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	json_begin(&json, next_piece, &pieces);
	if (argc > 2)
		json_skip(&json);
	else
		print_value(&json);
	json_end(&json);
	if (json.trouble != NULL)
		printf(" (%s, at %llu)", json.trouble, json_offset(&json));
	putchar('\n');
	free(pieces.piece);
	return 0;
}
