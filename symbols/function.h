/*
 * symbol: what the names of functions are made of, as far as a collapser has
 * to know: C++, Rust, Go and Java names in demangled form.
 */
#ifndef FUNCTION_H
#define FUNCTION_H

#include "../lib/str.h"

/* A chain of inlined Java calls, "A::f->B::g", of which `rest` is left. */
struct symbol_chain {
	struct str rest;
	bool pairs;		/* <> and {} come in pairs: they are brackets */
};

struct symbol_chain symbol_chain(struct str symbol);

/*
 * The next call of a chain; false when none is left.  "->" joins calls only
 * outside brackets and not in "operator->".  Empty calls at the end of the
 * chain do not count.
 */
bool symbol_next_call(struct symbol_chain *chain, struct str *call);

/*
 * How much of a name stands before its argument list: the first "(" outside
 * <> and {} that is neither "(anonymous namespace)" nor the "()" of
 * "operator()".  The whole length where there is no such list, and for a Go
 * method, "net/http.(*Client).Do".
 */
size_t symbol_without_arguments(struct str name);

/* The name without the offset that perf appends: "main+0x1f". */
struct str symbol_without_offset(struct str name);

#endif
