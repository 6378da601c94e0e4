/*
 * cxx: mangled C++ names (Itanium C++ ABI, chapter 5.1), which begin with _Z,
 * and GCC's _GLOBAL__I_ and _GLOBAL__D_.
 */
#ifndef CXX_H
#define CXX_H

#include "lib/text.h"

/* Does as demangle. */
bool cxx_demangle(struct str mangled, struct text *out);

/* Does the same, and keeps parameters and types that are returned. */
bool cxx_demangle_whole(struct str mangled, struct text *out);

#endif
