/*
 * Reads bytes in hexadecimal, and prints the values that marshal reads of them,
 * as Python would, or "-" for those of other types:
 *
 *	a9 02 e9 05 00 00 00 4e => (5, -)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "collapse/cprofile/marshal.h"
#include "unit.h"

static void
print_text(struct str text)
{
	size_t i;

	putchar('\'');
	for (i = 0; i < text.len; i++)
		if (is_control(text.data[i]))
			printf("\\x%02x", (unsigned)text.data[i]);
		else
			putchar(text.data[i]);
	putchar('\'');
}

static void print(const struct value *value);

static void
print_items(const struct value *value)
{
	static const char *const marks[] = {
		[VALUE_TUPLE] = "()", [VALUE_LIST] = "[]", [VALUE_SET] = "<>",
		[VALUE_DICTIONARY] = "{}",
	};
	bool has_keys = value->type == VALUE_DICTIONARY;
	size_t i;

	putchar(marks[value->type][0]);
	for (i = 0; i < value->as.items.count; i++) {
		if (i > 0)
			fputs(has_keys && i % 2 == 1 ? ": " : ", ", stdout);
		print(value->as.items.list[i]);
	}
	putchar(marks[value->type][1]);
}

static void
print(const struct value *value)
{
	switch (value->type) {
	case VALUE_OTHER:
		putchar('-');
		break;
	case VALUE_INTEGER:
		printf("%" PRId64, value->as.integer);
		break;
	case VALUE_FLOAT:
		printf("%.9g", value->as.number);
		break;
	case VALUE_TEXT:
		print_text(value->as.text);
		break;
	default:
		print_items(value);
	}
}

static void
print_values(struct str bytes)
{
	const char *joint = "";
	struct marshal marshal = { .bytes = bytes_from(bytes) };
	struct value *value;

	for (; bytes_left(&marshal.bytes) > 0; joint = " ") {
		value = marshal_read(&marshal);
		fputs(joint, stdout);
		if (value == NULL) {
			printf("byte %zu %s", marshal.at, marshal.trouble);
			break;
		}
		print(value);
	}
	marshal_free(&marshal);
}

int
marshal_main(int argc, char **argv)
{
	struct text bytes = { 0 };
	struct str line;
	unsigned byte;
	int len;

	(void)argc;
	(void)argv;
	for (; unit_line(&line); putchar('\n')) {
		bytes.len = 0;
		text_add(&bytes, line);
		text_add_char(&bytes, '\0');
		line.data = bytes.data;
		bytes.len = 0;
		while (sscanf(line.data, "%2x%n", &byte, &len) == 1) {
			line.data += len;
			text_add_char(&bytes, (char)byte);
		}
		print_values(text_str(&bytes));
	}
	free(bytes.data);
	return 0;
}
