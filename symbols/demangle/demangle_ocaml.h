/*
 * demangle_ocaml: names of OCaml's native code, camlStdlib__List__map_123.
 */
#ifndef DEMANGLE_OCAML_H
#define DEMANGLE_OCAML_H

#include "lib/text.h"

/* Does as demangle. */
bool demangle_ocaml(struct str mangled, struct text *out);

#endif
