/*
 * demangle_rust: mangled Rust names of both kinds, without the hash of their
 * crate.
 */
#ifndef DEMANGLE_RUST_H
#define DEMANGLE_RUST_H

#include "lib/text.h"

/* Does as demangle; names of the old kind, _ZN3foo17h..E, are also C++'s. */
bool demangle_rust(struct str mangled, struct text *out);

#endif
