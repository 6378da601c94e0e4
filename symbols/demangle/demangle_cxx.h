/*
 * demangle_cxx: mangled C++ names (Itanium C++ ABI, chapter 5.1), which begin
 * with _Z, and GCC's _GLOBAL__I_ and _GLOBAL__D_.
 */
#ifndef DEMANGLE_CXX_H
#define DEMANGLE_CXX_H

#include "lib/text.h"

/* Does as demangle. */
bool demangle_cxx(struct str mangled, struct text *out);

/* Does the same, and keeps parameters and types that are returned. */
bool demangle_cxx_whole(struct str mangled, struct text *out);

#endif
