/*
 * Reads messages in hexadecimal; prints their fields, texts that are letters as
 * they are and others as the numbers that are packed in them, or "damaged".
 *
 *	08 96 01 12 02 6f 6b 1a 02 03 01	=> 1=150 2=ok 3=3,1
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/mem.h"
#include "lib/protobuf.h"
#include "unit.h"

static void
print_numbers(struct protobuf_field field)
{
	uint64_t numbers[2];
	const char *before = "";
	size_t count, i;

	while ((count = protobuf_numbers(&field, numbers, 2)) > 0)
		for (i = 0; i < count; i++) {
			printf("%s%llu", before,
			    (unsigned long long)numbers[i]);
			before = ",";
		}
	if (field.bytes.failed)
		printf("%sdamaged", before);
}

static bool
is_word_of(struct str text)
{
	size_t i;

	for (i = 0; i < text.len; i++)
		if (text.data[i] < 'a' || text.data[i] > 'z')
			return false;
	return true;
}

static void
print_fields(struct str bytes)
{
	struct bytes message = bytes_from(bytes);
	struct protobuf_field field;
	const char *before = "";

	while (protobuf_next(&message, &field)) {
		printf("%s%llu=", before, (unsigned long long)field.number);
		if (field.type == PROTOBUF_BYTES &&
		    is_word_of(protobuf_text(&field)))
			unit_print(protobuf_text(&field), "");
		else
			print_numbers(field);
		before = " ";
	}
	printf("%s\n", message.failed ? *before == ' ' ? " damaged" :
	    "damaged" : "");
}

int
protobuf_main(int argc, char **argv)
{
	struct str line;

	(void)argc;
	(void)argv;
	while (unit_line(&line)) {
		struct str bytes = unit_bytes(line);

		print_fields(bytes);
		free((char *)bytes.data);
	}
	return 0;
}
