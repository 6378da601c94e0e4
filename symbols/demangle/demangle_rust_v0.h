/*
 * demangle_rust_v0: Rust's v0 names, _RNvCs1234_3foo3bar, which are printed
 * while they are read.  Productions are those of RFC 2603, "Symbol name
 * mangling v0", by their names there; each may hold any other.
 */
#ifndef DEMANGLE_RUST_V0_H
#define DEMANGLE_RUST_V0_H

#include <stdint.h>

#include "lib/text.h"

/*
 * A back reference may print what holds others, so a short name could print
 * without end, or for ever without a byte.  These bound productions within
 * productions, productions, and bytes of the result; of 300,000 names none took
 * more than 91, 2,400 and 10,200.
 */
#define RUST_DEEPEST	256
#define RUST_MOST_WORK	65536
#define RUST_LONGEST	((size_t)64 * 1024)

struct rust_reader {
	struct str name;
	size_t at;		/* of the next character in name */
	struct text *out;
	size_t start;		/* of what is printed in out */
	bool silent;		/* nothing that is read is printed */
	bool failed;
	int depth;
	int work;
	uint64_t lifetimes;	/* bound by the binders around */
};

/* <identifier>: letters, and for others a code. */
struct rust_identifier {
	struct str ascii, punycode;
};

/*
 * demangle_rust_reader.c: the reader.
 */

/* Returns the next character, 0 at the end and after a failure. */
char rust_peek(const struct rust_reader *r);

/* Passes c; false if the next character is another one. */
bool rust_eat(struct rust_reader *r, char c);

/* Passes the next character, and returns it; fails at the end. */
char rust_next(struct rust_reader *r);

/* Begin and end a production that may hold itself; false if it is too deep. */
bool rust_enter(struct rust_reader *r);
void rust_leave(struct rust_reader *r);

void rust_print(struct rust_reader *r, struct str s);
void rust_print_char(struct rust_reader *r, char c);
void rust_print_number(struct rust_reader *r, uint64_t number);

/* Reads <base-62-number>: _ is 0, 0_ is 1, Z_ is 62. */
uint64_t rust_number(struct rust_reader *r);

/* Reads the same behind a letter, and adds 1; 0 if the letter is not there. */
uint64_t rust_optional_number(struct rust_reader *r, char letter);

/* Reads <disambiguator>; 0 if it is not there. */
uint64_t rust_disambiguator(struct rust_reader *r);

/* Reads <undisambiguated-identifier>: 3foo, 4_1foo, u8gdel_5qa. */
struct rust_identifier rust_identifier(struct rust_reader *r);
void rust_print_identifier(struct rust_reader *r, struct rust_identifier name);

/* Prints '_ or a lifetime of a binder, 'a, 'b, ... from the outermost. */
void rust_print_lifetime(struct rust_reader *r, uint64_t lifetime);

/*
 * Reads <backref> behind its B, sets the reader to what was read before, and
 * *back to where the caller goes on.  False if there is nothing to print.
 */
bool rust_go_back(struct rust_reader *r, size_t *back);

/*
 * demangle_rust_v0.c: paths.
 */

/* Reads <path>; in a value, its arguments are behind "::". */
void rust_path(struct rust_reader *r, bool in_value);

/* Reads <generic-arg> up to E. */
void rust_arguments(struct rust_reader *r);

/* Reads <type>, in demangle_rust_type.c. */
void rust_type(struct rust_reader *r);

/* Reads <const>, in demangle_rust_constant.c. */
void rust_constant(struct rust_reader *r);

/* Does as demangle with what is behind the _R. */
bool demangle_rust_v0(struct str name, struct text *out);

#endif
