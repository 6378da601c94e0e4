/*
 * rust: mangled Rust names, v0 and the older kind, without the hash of their
 * crate.
 */
#ifndef RUST_H
#define RUST_H

#include "lib/text.h"

/* Does as demangle; names of the older kind, _ZN3foo17h..E, are also C++'s. */
bool rust_demangle(struct str mangled, struct text *out);

/*
 * Adds a path that was demangled as C++, so that its names have escapes and its
 * end a hash, "core::ptr::_$LT$impl$GT$::f::h05af221e174051e9".  False, and
 * nothing added, without a hash.
 */
bool rust_add_path(struct text *out, struct str path);

#endif
