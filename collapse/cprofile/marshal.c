#include <stdlib.h>

#include "marshal.h"

#define MOST_DEPTH	200
#define NUMBERED	0x80	/* the bit in a type's letter */

void
marshal_free(struct marshal *marshal)
{
	free(marshal->numbered);
	free(marshal->strings);
	free(marshal->items);
	arena_free(&marshal->values);
}

void
marshal_forget(struct marshal *marshal)
{
	arena_free(&marshal->values);
	marshal->count = marshal->string_count = 0;
}

/* Stores a reason to stop, unless there is one already. */
static struct value *
fail(struct marshal *marshal, const char *trouble, size_t at)
{
	if (marshal->trouble == NULL) {
		marshal->trouble = trouble;
		marshal->at = at;
	}
	return NULL;
}

static struct value *
add_value(struct marshal *marshal, struct value value)
{
	struct value *added = arena_take(&marshal->values, sizeof(*added));

	*added = value;
	return added;
}

/* Reads a number of old versions: a length, and "3.5". */
static double
read_decimal(struct bytes *bytes)
{
	struct str digits = bytes_text(bytes, bytes_u8(bytes));
	char copy[256];

	if (digits.len > 0)
		memcpy(copy, digits.data, digits.len);
	copy[digits.len] = '\0';
	return strtod(copy, NULL);
}

/* Reads a long integer: a count, below 0 for a minus, and 15 bits a digit. */
static int64_t
read_long(struct bytes *bytes)
{
	int32_t count = bytes_i32(bytes);
	bool minus = count < 0;
	uint32_t left = minus ? 0 - (uint32_t)count : (uint32_t)count;
	uint64_t number = 0, digit;
	unsigned shift = 0;

	if ((uint64_t)left * 2 > bytes_left(bytes))
		bytes_fail(bytes);
	for (; left > 0 && !bytes->failed; left--) {
		digit = bytes_u16(bytes);
		if (shift <= 45)
			number |= digit << shift;
		else if (digit > 7 || (digit > 0 && shift > 60))
			number = INT64_MAX;
		else if (digit > 0 && number < INT64_MAX)
			number |= digit << 60;
		if (shift <= 60)
			shift += 15;
	}
	return minus ? -(int64_t)number : (int64_t)number;
}

/* Returns the value of a number that is read. */
static struct value *
find_numbered(struct marshal *marshal, struct value **values, size_t count,
    size_t at)
{
	uint32_t number = bytes_u32(&marshal->bytes);

	if (number >= count)
		return fail(marshal, "refers to a value that does not exist",
		    at);
	if (values[number] == NULL)
		return fail(marshal, "refers to the value that contains it",
		    at);
	return values[number];
}

/* Makes a value of `count` items, or of keys and values up to a '0'. */
static struct value *
read_items(struct marshal *marshal, enum value_type type, uint32_t count)
{
	struct bytes *bytes = &marshal->bytes;
	bool has_keys = type == VALUE_DICTIONARY;
	size_t before = marshal->open, size, i;
	struct value *item, **list;

	for (i = 0; has_keys ? i % 2 > 0 || bytes_left(bytes) == 0 ||
	    *bytes->next != '0' : i < count; i++) {
		item = marshal_read(marshal);
		*LIST_ADD(marshal->items, marshal->open,
		    marshal->item_room) = item;
		if (item == NULL)
			return NULL;
	}
	if (has_keys)
		bytes_skip(bytes, 1);
	size = i * sizeof(*list);
	list = arena_take(&marshal->values, size);
	if (size > 0)
		memcpy(list, marshal->items + before, size);
	marshal->open = before;
	return add_value(marshal, (struct value){ .type = type,
	    .as = { .items = { list, i } } });
}

/* Reads a value after the letter of its type, found at a byte. */
static struct value *
read_type(struct marshal *marshal, int type, size_t at)
{
	struct value value = { .type = VALUE_INTEGER }, *added;
	struct bytes *bytes = &marshal->bytes;
	uint64_t bits;

	switch (type) {
	case 'N': case 'T': case 'F': case 'S': case '.':
		return &marshal->other;
	case 'i':
		value.as.integer = bytes_i32(bytes);
		break;
	case 'I':
		value.as.integer = (int64_t)bytes_u64(bytes);
		break;
	case 'l':
		value.as.integer = read_long(bytes);
		break;
	case 'f':
		value.type = VALUE_FLOAT;
		value.as.number = read_decimal(bytes);
		break;
	case 'g':
		value.type = VALUE_FLOAT;
		bits = bytes_u64(bytes);
		memcpy(&value.as.number, &bits, sizeof(bits));
		break;
	case 'x':
		read_decimal(bytes);
		read_decimal(bytes);
		return &marshal->other;
	case 'y':
		bytes_skip(bytes, 16);
		return &marshal->other;
	case 's': case 'u': case 'a': case 'A': case 't':
		value.type = VALUE_TEXT;
		value.as.text = bytes_text(bytes, bytes_u32(bytes));
		break;
	case 'z': case 'Z':
		value.type = VALUE_TEXT;
		value.as.text = bytes_text(bytes, bytes_u8(bytes));
		break;
	case 'R':
		return find_numbered(marshal, marshal->strings,
		    marshal->string_count, at);
	case '(':
		return read_items(marshal, VALUE_TUPLE, bytes_u32(bytes));
	case ')':
		return read_items(marshal, VALUE_TUPLE, bytes_u8(bytes));
	case '[':
		return read_items(marshal, VALUE_LIST, bytes_u32(bytes));
	case '<': case '>':
		return read_items(marshal, VALUE_SET, bytes_u32(bytes));
	case '{':
		return read_items(marshal, VALUE_DICTIONARY, 0);
	case ':':	/* a slice */
		return read_items(marshal, VALUE_OTHER, 3);
	case 'c':
		return fail(marshal, "is code, which profile saves of a "
		    "script, and cProfile does not", at);
	default:
		return fail(marshal, "is not a type that a profile has", at);
	}
	added = add_value(marshal, value);
	if (type == 't')	/* Python 2 refers to it by its number */
		*LIST_ADD(marshal->strings, marshal->string_count,
		    marshal->string_room) = added;
	return added;
}

struct value *
marshal_read(struct marshal *marshal)
{
	size_t at = bytes_offset(&marshal->bytes);
	int letter = bytes_u8(&marshal->bytes);
	bool is_numbered = (letter & NUMBERED) != 0;
	struct value *value;
	size_t number = marshal->count;

	if (letter == 'r')
		value = find_numbered(marshal, marshal->numbered,
		    marshal->count, at);
	else if (marshal->depth == MOST_DEPTH)
		value = fail(marshal, "is in too many values", at);
	else {
		if (is_numbered)
			*LIST_ADD(marshal->numbered, marshal->count,
			    marshal->room) = NULL;
		marshal->depth++;
		value = read_type(marshal, letter & ~NUMBERED, at);
		marshal->depth--;
		if (is_numbered)
			marshal->numbered[number] = value;
	}
	if (marshal->bytes.failed) {
		marshal->trouble = NULL;
		return fail(marshal, "is where the file ends inside a value",
		    at);
	}
	return value;
}
