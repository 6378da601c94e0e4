#include "demangle.h"
#include "demangle_cxx.h"
#include "demangle_java.h"
#include "demangle_ocaml.h"
#include "demangle_rust.h"

bool
demangle(struct str mangled, struct text *out)
{
	return demangle_rust(mangled, out) || demangle_cxx(mangled, out) ||
	    demangle_ocaml(mangled, out) || demangle_java(mangled, out);
}
