/*
 * Reads bytes in hexadecimal and, after a ':', steps that a reader of them
 * takes; prints what each of these returns.
 *
 *	01 02 ff : u8 u16 left	=> 1 65282 0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/bytes.h"
#include "test/fuzz/fuzz.h"
#include "unit.h"

/* Cuts the next word off *rest; false if it has no more. */
static bool
next_word(struct str *rest, struct str *word)
{
	*rest = str_trim_start(*rest);
	*word = str_take(*rest, str_find(*rest, ' '));
	*rest = str_skip(*rest, word->len);
	return word->len > 0;
}

/* Reads a number; false if the step is another one. */
static bool
read_number(struct bytes *bytes, struct str step)
{
#define READ(name, number, format) \
	if (str_equal(step, STR(#name))) { \
		printf("%" format, number); \
		return true; \
	}
	READ(u8, bytes_u8(bytes), PRIu8)
	READ(u16, bytes_u16(bytes), PRIu16)
	READ(u32, bytes_u32(bytes), PRIu32)
	READ(u64, bytes_u64(bytes), PRIu64)
	READ(i8, (int8_t)bytes_u8(bytes), PRId8)
	READ(i16, (int16_t)bytes_u16(bytes), PRId16)
	READ(i32, bytes_i32(bytes), PRId32)
	READ(i64, (int64_t)bytes_u64(bytes), PRId64)
	READ(uleb, bytes_uleb(bytes), PRIu64)
	READ(sleb, bytes_sleb(bytes), PRId64)
	return false;
}

/* Does a step without a number after its name. */
static void
do_step(struct bytes *bytes, struct str step)
{
	struct str text;

	if (str_equal(step, STR("left")))
		printf("%zu", bytes_left(bytes));
	else if (str_equal(step, STR("offset")))
		printf("%zu", bytes_offset(bytes));
	else if (str_equal(step, STR("string"))) {
		text = bytes_string(bytes);
		printf("'%.*s'", (int)text.len, text.data);
	} else if (str_equal(step, STR("failed")))
		printf("%s", bytes->failed ? "failed" : "well");
	else if (!read_number(bytes, step))
		printf("(no step)");
}

/* Does a step with a number, NAME=NUMBER; take and from change the reader. */
static void
do_with(struct bytes *bytes, struct str name, uint64_t number)
{
	struct bytes other;
	struct str text;

	if (str_equal(name, STR("uint")))
		printf("%" PRIu64, bytes_uint(bytes, (size_t)number));
	else if (str_equal(name, STR("text"))) {
		text = bytes_text(bytes, number);
		printf("'%.*s'", (int)text.len, text.data);
	} else if (str_equal(name, STR("skip")))
		bytes_skip(bytes, number);
	else if (str_equal(name, STR("align")))
		bytes_align(bytes, (size_t)number);
	else if (str_equal(name, STR("seek")))
		bytes_seek(bytes, number);
	else if (str_equal(name, STR("take")))
		*bytes = bytes_take(bytes, number);
	else if (str_equal(name, STR("from")))
		*bytes = bytes_from_offset(bytes, number);
	else if (str_equal(name, STR("at"))) {	/* two bytes there */
		other = bytes_at(bytes, number, 2);
		printf("%s", other.failed ? "failed" : "");
		if (!other.failed)
			printf("%u", (unsigned)bytes_u16(&other));
	}
}

int
bytes_main(int argc, char **argv)
{
	struct str rest, data, step;
	struct bytes bytes;
	const char *joint;
	unsigned long long number;
	size_t equals;

	(void)argc;
	(void)argv;
	while (unit_line(&rest)) {
		data = unit_bytes(fuzz_cut(&rest, STR(":")));
		bytes = bytes_from(data);
		for (joint = ""; next_word(&rest, &step); joint = " ") {
			fputs(joint, stdout);
			equals = str_find(step, '=');
			if (equals == step.len)
				do_step(&bytes, step);
			else if (str_number(str_skip(step, equals + 1),
			    &number))
				do_with(&bytes, str_take(step, equals), number);
		}
		putchar('\n');
		free((char *)data.data);
	}
	return 0;
}
