/* symbol: makes the name of a frame of what a profiler prints for a symbol. */
#ifndef SYMBOL_H
#define SYMBOL_H

#include "lib/text.h"

/*
 * Adds a symbol's name without its arguments: f for "f(int)", and <A as B>::f
 * for Rust's "_$LT$A$u20$as$u20$B$GT$::f::h0123456789abcdef (.llvm.7)", which
 * was demangled as C++.  "-[Object(Category) call:]" is whole.
 */
void symbol_add_name(struct text *text, struct str symbol);

#endif
