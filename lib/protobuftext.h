/*
 * protobuftext: writes messages as Protocol Buffers have them, field by field.
 *
 *	struct text line = { 0 }, location = { 0 };
 *
 *	protobuf_add_number(&line, 1, function);
 *	protobuf_add_bytes(&location, 4, text_str(&line));
 */
#ifndef PROTOBUFTEXT_H
#define PROTOBUFTEXT_H

#include <stdint.h>

#include "text.h"

/* Adds a number alone, one of those that are packed in a field. */
void protobuf_add_packed(struct text *message, uint64_t number);

/* Adds a field with a number; 0, which readers assume, takes no field. */
void protobuf_add_number(struct text *message, unsigned field,
    uint64_t number);

/* Adds a field with a text, a message, or packed numbers. */
void protobuf_add_bytes(struct text *message, unsigned field,
    struct str bytes);

#endif
