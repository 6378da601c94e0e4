/*
 * protobuf: reads and writes messages of Protocol Buffers, field by field.
 *
 *	struct bytes message = bytes_from(file);
 *	struct protobuf_field field;
 *
 *	while (protobuf_next(&message, &field))
 *		if (field.number == 1)
 *			id = field.value;
 *		else if (field.number == 4)
 *			read_line(protobuf_text(&field));
 *	if (message.failed)
 *		return "a message is damaged";
 *
 * Fields may come in any order, and any number of times: of one that may not be
 * repeated, the last one counts.  A field of a number that the caller does not
 * know is stepped over; it is read in any case, so that a damaged one is found.
 */
#ifndef PROTOBUF_H
#define PROTOBUF_H

#include "bytes.h"
#include "text.h"

/* How a field is written. */
enum protobuf_type {
	PROTOBUF_VARINT = 0,	/* a number in LEB128 */
	PROTOBUF_FIXED64 = 1,
	PROTOBUF_BYTES = 2,	/* a text, a message, or packed numbers */
	PROTOBUF_FIXED32 = 5
};

struct protobuf_field {
	uint64_t number;
	enum protobuf_type type;
	uint64_t value;		/* of a number */
	struct bytes bytes;	/* of PROTOBUF_BYTES */
};

/*
 * Reads the next field; false at the end and where the message is damaged.
 * Groups are out of use, and count as damage.
 */
bool protobuf_next(struct bytes *message, struct protobuf_field *field);

/* Returns the text or message in a field, "" if it has none. */
struct str protobuf_text(const struct protobuf_field *field);

/*
 * Stores the numbers of a message by their fields, field 2 in values[2], for
 * the fields below `most`; 0 where it has none.  False if it is damaged.
 */
bool protobuf_values(struct str message, uint64_t *values, size_t most);

/*
 * Stores up to `most` numbers of a repeated field, packed in one field or one a
 * field; returns how many, 0 when it has no more:
 *
 *	while ((count = protobuf_numbers(&field, numbers, MOST)) > 0)
 *
 * Numbers of fixed size are not unpacked.  field->bytes.failed: it ends early.
 */
size_t protobuf_numbers(struct protobuf_field *field, uint64_t *numbers,
    size_t most);

/* Adds one of the numbers that are packed in a field. */
void protobuf_add_packed(struct text *message, uint64_t number);

/* Adds a field with a number; 0 takes no field, since readers assume it. */
void protobuf_add_number(struct text *message, unsigned field,
    uint64_t number);

/* Adds a field with a text, a message, or packed numbers. */
void protobuf_add_bytes(struct text *message, unsigned field,
    struct str bytes);

#endif
