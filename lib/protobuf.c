#include "protobuf.h"

#define TYPE_BITS	3	/* of a tag; the field's number is above */

bool
protobuf_next(struct bytes *message, struct protobuf_field *field)
{
	const unsigned char *at;
	uint64_t tag, len;

	if (bytes_left(message) == 0)
		return false;
	tag = bytes_uleb(message);
	field->number = tag >> TYPE_BITS;
	field->type = tag & ((1u << TYPE_BITS) - 1);
	field->value = 0;
	field->bytes.start = field->bytes.next = field->bytes.end =
	    message->next;
	field->bytes.failed = false;
	if (field->number == 0)
		bytes_fail(message);
	if (field->type == PROTOBUF_BYTES) {
		len = bytes_uleb(message);
		at = bytes_step(message, len);
		if (at != NULL)
			field->bytes = (struct bytes){
				at, at, at + len, false
			};
	} else if (field->type == PROTOBUF_VARINT)
		field->value = bytes_uleb(message);
	else if (field->type == PROTOBUF_FIXED64)
		field->value = bytes_u64(message);
	else if (field->type == PROTOBUF_FIXED32)
		field->value = bytes_u32(message);
	else
		bytes_fail(message);
	return !message->failed;
}

/* Most numbers have one byte or two. */
size_t
protobuf_numbers(struct protobuf_field *field, uint64_t *numbers, size_t most)
{
	const unsigned char *at = field->bytes.next, *end = field->bytes.end;
	size_t count = 0;

	if (field->type != PROTOBUF_BYTES) {
		field->type = PROTOBUF_BYTES;
		numbers[0] = field->value;
		return 1;
	}
	while (count < most && at < end) {
		if (*at < 0x80)
			numbers[count++] = *at++;
		else if (end - at > 1 && at[1] < 0x80) {
			numbers[count++] = (uint64_t)at[1] << 7 | (*at & 0x7f);
			at += 2;
		} else {
			field->bytes.next = at;
			numbers[count] = bytes_uleb(&field->bytes);
			count += !field->bytes.failed;
			at = field->bytes.next;
		}
	}
	field->bytes.next = at;
	return count;
}

struct str
protobuf_text(const struct protobuf_field *field)
{
	struct bytes bytes = field->bytes;

	return bytes_text(&bytes, bytes_left(&bytes));
}

bool
protobuf_values(struct str message, uint64_t *values, size_t most)
{
	struct bytes reader = bytes_from(message);
	struct protobuf_field field;

	memset(values, 0, most * sizeof(*values));
	while (protobuf_next(&reader, &field))
		if (field.number < most)
			values[field.number] = field.value;
	return !reader.failed;
}

void
protobuf_add_packed(struct text *message, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		text_add_char(message, (char)(number | 0x80));
	text_add_char(message, (char)number);
}

static void
add_head(struct text *message, unsigned field, enum protobuf_type type)
{
	protobuf_add_packed(message, field << 3 | type);
}

void
protobuf_add_number(struct text *message, unsigned field, uint64_t number)
{
	if (number == 0)
		return;
	add_head(message, field, PROTOBUF_VARINT);
	protobuf_add_packed(message, number);
}

void
protobuf_add_bytes(struct text *message, unsigned field, struct str bytes)
{
	add_head(message, field, PROTOBUF_BYTES);
	protobuf_add_packed(message, bytes.len);
	text_add(message, bytes);
}
