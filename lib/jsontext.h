/* jsontext: writes the parts of JSON (RFC 8259) that need care. */
#ifndef JSONTEXT_H
#define JSONTEXT_H

#include "text.h"

/*
 * Adds s as a string, with its quotes.  U+FFFD replaces each byte that is not
 * UTF-8.  Characters that move a terminal's cursor, end lines or turn their
 * direction are escaped, as "\u001b" is.
 */
void json_add_string(struct text *json, struct str s);

/*
 * Adds a number, as whole if it is, with as many digits as it takes to read the
 * same one again; null if it is not finite.
 */
void json_add_number(struct text *json, double number);

#endif
