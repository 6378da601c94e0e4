#include "protobuf.h"

#define TYPE_BITS	3	/* of a tag; the field's number is above */

struct protobuf
protobuf_from(struct str message)
{
	return (struct protobuf){ bytes_from(message) };
}

/* Reads what is behind a field's tag. */
static void
read_value(struct bytes *bytes, struct protobuf_field *field)
{
	switch (field->type) {
	case PROTOBUF_VARINT:
		field->value = protobuf_varint(bytes);
		break;
	case PROTOBUF_FIXED64:
		field->value = bytes_u64(bytes);
		break;
	case PROTOBUF_BYTES:
		field->bytes = bytes_take(bytes, protobuf_varint(bytes));
		break;
	case PROTOBUF_FIXED32:
		field->value = bytes_u32(bytes);
		break;
	default:
		bytes_fail(bytes);
	}
}

bool
protobuf_next(struct protobuf *message, struct protobuf_field *field)
{
	struct bytes *bytes = &message->bytes;
	uint64_t tag;

	if (bytes_left(bytes) == 0)
		return false;
	tag = protobuf_varint(bytes);
	*field = (struct protobuf_field){
		.number = tag >> TYPE_BITS,
		.type = tag & ((1u << TYPE_BITS) - 1),
		.bytes = bytes_from(STR(""))
	};
	if (field->number == 0)
		bytes_fail(bytes);
	read_value(bytes, field);
	return !bytes->failed;
}

struct protobuf
protobuf_message(const struct protobuf_field *field)
{
	return (struct protobuf){ field->bytes };
}

struct str
protobuf_text(const struct protobuf_field *field)
{
	struct bytes bytes = field->bytes;

	return bytes_text(&bytes, bytes_left(&bytes));
}
