/* utf8: reads text as code points, and writes them. */
#ifndef UTF8_H
#define UTF8_H

#include <stdint.h>

#include "mem.h"
#include "str.h"
#include "text.h"

/* True if XML 1.0 may hold this: no U+FFFE, U+FFFF, nor most controls. */
bool utf8_is_xml(uint32_t code);

/*
 * True if a terminal may be sent this character: it is no control, and neither
 * ends lines nor turns the direction of what follows.
 */
bool utf8_is_shown(uint32_t code);

/*
 * Returns s as text that XML 1.0 may hold, where U+FFFD replaces each byte that
 * is not UTF-8 and each character that it may not hold.  That is s itself, or a
 * copy in the arena if something was replaced.
 */
struct str utf8_clean(struct str s, struct arena *arena);

/*
 * Returns how many bytes the well-formed sequence that s begins with has, and
 * stores its code point; 0 if s begins with none.
 */
size_t utf8_decode(struct str s, uint32_t *code);

/*
 * Returns the code that "amp", "#955" or "#x3bb" means between '&' and ';'; 0
 * for other text.  The code may be outside Unicode.
 */
uint32_t utf8_entity(struct str name);

/* Cuts the next code point off well-formed text, and returns it. */
uint32_t utf8_next(struct str *s);

/* Adds a code point below 0x200000. */
void utf8_add(struct text *text, uint32_t code);

/* Returns how many code points well-formed text has. */
size_t utf8_length(struct str s);

/* Returns the first `count` code points of well-formed text. */
struct str utf8_take(struct str s, size_t count);

#endif
