/*
 * rustname: undoes the escapes in names of Rust's old kind of mangling, which
 * are parts of a path, as "_$LT$T$u20$as$u20$core..fmt..Debug$GT$".
 */
#ifndef RUSTNAME_H
#define RUSTNAME_H

#include "lib/text.h"

/* True for the hexadecimal digits of hashes and escapes, 0 to 9 and a to f. */
bool rustname_is_hex(char c);

/* Adds a name with its escapes undone: "..", "$LT$". */
void rustname_add(struct text *out, struct str name);

/*
 * Adds a path that was demangled as C++, so that its names have escapes and its
 * end a hash, "core::ptr::_$LT$impl$GT$::f::h05af221e174051e9".  False, and
 * nothing added, without such an end.
 */
bool rustname_add_path(struct text *out, struct str path);

#endif
