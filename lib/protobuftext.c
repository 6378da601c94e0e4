#include "protobuf.h"
#include "protobuftext.h"

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
