/*
 * punycode: names with letters that are not ASCII, as Rust mangles
 * them: RFC 3492 with '_' in place of its '-'.
 */
#ifndef PUNYCODE_H
#define PUNYCODE_H

#include "lib/text.h"

/* The most letters of a name; longer ones are refused. */
#define PUNYCODE_LONGEST	256

/*
 * Adds a name as UTF-8, from its ASCII letters and the code that puts the
 * others among them; false, and nothing added, if the code breaks the rules.
 */
bool punycode_add(struct text *out, struct str ascii, struct str code);

#endif
