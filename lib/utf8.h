/*
 * utf8: text as code points.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stdint.h>

#include "mem.h"
#include "str.h"

/*
 * Whether XML 1.0 may hold this character: not most control characters, nor
 * U+FFFE and U+FFFF.
 */
bool utf8_is_xml(uint32_t code);

/*
 * s as text that XML 1.0 may hold: each byte that is not UTF-8 and each
 * character that it may not hold is replaced by U+FFFD.  s itself when nothing
 * is to be replaced, else a copy in the arena.
 */
struct str utf8_clean(struct str s, struct arena *arena);

/*
 * How many bytes the well-formed sequence that s begins with has, and its code
 * point; 0 when there is none.
 */
size_t utf8_decode(struct str s, uint32_t *code);

/* The next code point of well-formed text, which is cut off it. */
uint32_t utf8_next(struct str *s);

/* How many code points well-formed text has, and its first `count`. */
size_t utf8_length(struct str s);
struct str utf8_take(struct str s, size_t count);

#endif
