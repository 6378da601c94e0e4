/*
 * demangle: turns the names that compilers make for the linker back into the
 * names in the source.
 *
 *	_ZNSt6vectorIiSaIiEE9push_backERKi	C++: Itanium C++ ABI
 *	_RNvCs1234_3foo3bar			Rust, v0
 *	_ZN3foo3bar17h05af221e174051e9E		Rust, before that
 *	camlStdlib__List__map_123		OCaml
 *	Ljava/lang/Object;wait(J)V		Java, in code that a JVM dumped
 *
 * The names equal perf's, byte for byte.  perf gets them from binutils' library
 * without any option: no parameters, no types that functions return, no suffix
 * like .cold or .isra.0, no hash.  Names of D and Swift are not demangled.
 *
 * A hostile name costs little: the work, the stack and the result are bounded,
 * and a name that needs more is not demangled.
 */
#ifndef DEMANGLE_H
#define DEMANGLE_H

#include "lib/text.h"

/* Adds the name to `out`; false, and nothing added, if it is not mangled. */
bool demangle(struct str mangled, struct text *out);

/*
 * Does the same with a name that a version of perf printed, if it is Rust's,
 * and not as other versions print it:
 *
 *	_RNvCs1234_3foo3bar		5 (with .llvm.1 at its end) and 6.12
 *	foo::bar.cold			7
 */
bool demangle_printed(struct str name, struct text *out);

/* Parameters, and types that are returned. */
enum demangle_parameters { WITHOUT_PARAMETERS, WITH_PARAMETERS };

/* The same for C++ alone: _Z... and GCC's _GLOBAL__I_ and _GLOBAL__D_. */
bool cxx_demangle(struct str mangled, enum demangle_parameters parameters,
    struct text *out);

/* The same of Rust; names of the older kind, _ZN3foo17h..E, are also C++'s. */
bool rust_demangle(struct str mangled, struct text *out);

/*
 * Adds a path that was demangled as C++, so that its names have escapes and its
 * end a hash, "core::ptr::_$LT$impl$GT$::f::h05af221e174051e9".  False, and
 * nothing added, without a hash.
 */
bool rust_add_path(struct text *out, struct str path);

#endif
