/*
 * function: reads the names of functions as far as a collapser has to: C++,
 * Rust, Go, Java and Mono names in demangled form.
 */
#ifndef FUNCTION_H
#define FUNCTION_H

#include "lib/str.h"

/* A chain of inlined Java calls, "A::f->B::g"; `rest` is not read yet. */
struct function_chain {
	struct str rest;
	bool pairs;		/* <>, {} and [] are brackets, as is () */
};

/* Returns the full chain; it lives as long as the symbol. */
struct function_chain function_chain(struct str symbol);

/*
 * Cuts the next call off a chain; false when none is left.  "->" joins calls
 * only outside brackets, without blanks around it, and not in "operator->" or a
 * name of Python's or V8's ("py::", "RegExp:").  Skips empty calls at its end.
 */
bool function_next_call(struct function_chain *chain, struct str *call);

/*
 * A name without its lists of arguments comes in parts, since a list that "::"
 * follows is left out of the middle:
 *
 *	A::f(int) const::{lambda()#1}::operator()() const
 *	"A::f" "::{lambda()#1}::operator()"
 *
 * Brackets stay if they are inside <>, {} and [], at the start of the name, in
 * "operator()", "(anonymous namespace)" or a type "decltype(auto)", or belong
 * to a function that returns another one, "void (*f(int))(char)".  A Go method,
 * "net/http.(*Client).Do", is one part.  So is a name that goes on with ".",
 * "#" or "/" after the brackets, "ArrayList(u8,null).append", and one that
 * begins with "py::" or "RegExp:".
 */
struct function_parts {
	struct str name;
	size_t at;		/* the next part begins here */
	bool pairs;		/* as in a chain */
	size_t wraps;		/* brackets around it, left out */
};

/* Returns the parts of a name; they live as long as the name. */
struct function_parts function_parts(struct str name);

/*
 * Leaves out what a function of a C++ template returns, which some demanglers
 * print and others do not, before the first part is given:
 *
 *	std::enable_if<(a)>b, int>::type A::f<int>(char)
 *	"A::f<int>"
 */
void function_skip_result(struct function_parts *parts);

/* Gives the next part, a slice of the name; false when none is left. */
bool function_next_part(struct function_parts *parts, struct str *part);

/*
 * Returns where the arguments that gdb prints begin, " (this=0x1)": at
 * a blank and a bracket outside of other brackets, or else at the first ones.
 */
size_t function_arguments(struct str text);

/*
 * True if the name is one pair of brackets and nothing more, "(bash)", as perf
 * prints a process's name where a function's would be.
 */
bool function_is_process(struct str name);

/* Returns the name without the offset that perf appends: "main+0x1f". */
struct str function_without_offset(struct str name);

#endif
