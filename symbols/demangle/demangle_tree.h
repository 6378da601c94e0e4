/*
 * demangle_tree: the tree that a mangled C++ name is parsed into, and the
 * reader that its parsers share.
 *
 * The grammar is chapter 5.1 of the Itanium C++ ABI.  A parser reads one of its
 * productions and returns its node, which is never NULL: a name that breaks the
 * grammar sets `failed`, the reader then sees nothing but its end, and the tree
 * is thrown away.
 */
#ifndef DEMANGLE_TREE_H
#define DEMANGLE_TREE_H

#include "lib/mem.h"
#include "lib/str.h"

/* The kinds of nodes, with the fields that count in each. */
enum kind {
	/* Names. */
	NAME,			/* text */
	NUMBER,			/* number */
	TAGGED,			/* left: a name, right: its ABI tag */
	QUALIFIED,		/* left::right */
	LOCAL,			/* left: a function, right: what is in it */
	DEFAULT_ARGUMENT,	/* left: what is in argument `number` */
	TYPED,			/* left: a function's name, right: its type */
	TEMPLATE,		/* left: a name, right: TEMPLATE_ARGUMENTS */
	TEMPLATE_ARGUMENTS,	/* left: the first, right: the others */
	TEMPLATE_PARAMETER,	/* number, from 0 */
	CONSTRUCTOR,		/* left: the class's name */
	DESTRUCTOR,		/* the same */
	CONVERSION,		/* left: "operator int"'s type */
	OPERATOR,		/* number: OPERATOR_CODE, text: "+" */
	VENDOR_OPERATOR,	/* left: its name, number: of operands */
	LAMBDA,			/* left: parameters, number */
	UNNAMED,		/* number */
	STRUCTURED_BINDING,	/* left: the first name, right: the others */
	FRIEND,			/* left: a name */
	CONSTRAINED,		/* left: what needs right to be true */
	MODULE,			/* left: its parent or NULL, right: a name */
	MODULE_PARTITION,	/* the same */
	MODULE_ENTITY,		/* left: a name, right: its module */
	SPECIAL,		/* text: "vtable for ", left: for what */
	CONSTRUCTION_VTABLE,	/* left: the base, right: the derived class */
	REFERENCE_TEMPORARY,	/* left: the reference, right: NUMBER */

	/* Types. */
	BUILTIN,		/* text, number: an enum literal */
	BUILTIN_FLOAT,		/* number: bits, text: "x" or nothing */
	FUNCTION,		/* left: what it returns or NULL, right: LIST */
	ARRAY,			/* left: its length or NULL, right: of what */
	VECTOR,			/* left: its length, right: of what */
	MEMBER_POINTER,		/* left: a class, right: the member's type */
	PACK_EXPANSION,		/* left: a pattern */
	DECLTYPE,		/* left: an expression */
	POINTER,		/* left: to what, as of the following */
	REFERENCE,
	RVALUE_REFERENCE,
	COMPLEX,
	IMAGINARY,
	VENDOR_QUALIFIED,	/* right: the qualifier */
	CONST,
	VOLATILE,
	RESTRICT,

	/* Behind a function's parameters.  left: the function. */
	CONST_THIS,
	VOLATILE_THIS,
	RESTRICT_THIS,
	REFERENCE_THIS,
	RVALUE_REFERENCE_THIS,
	EXPLICIT_THIS,
	TRANSACTION_SAFE,
	NOEXCEPT,		/* right: a condition or NULL */
	THROW,			/* right: LIST */

	/* Template parameters of a lambda or of a template template. */
	TEMPLATE_HEAD,		/* left: the first, right: a lambda's LIST */
	TYPE_PARAMETER,		/* right: the next one, as of the following */
	VALUE_PARAMETER,	/* left: its type */
	HEAD_PARAMETER,		/* left: TEMPLATE_HEAD */
	PACK_PARAMETER,		/* left: the parameter it repeats */

	/* Expressions. */
	LIST,			/* left: the first or NULL, right: the others */
	CAST,			/* left: a type */
	NULLARY,		/* left: an OPERATOR, as of the following */
	UNARY,			/* right: the operand */
	POSTFIX,		/* right: the operand, before the operator */
	BINARY,			/* right: OPERANDS */
	TERNARY,		/* right: one, OPERANDS of the other two */
	OPERANDS,		/* left, right */
	LITERAL,		/* left: a type, right: a value's NAME */
	NEGATIVE_LITERAL,	/* the same */
	VENDOR_EXPRESSION,	/* left: a name, right: arguments */
	INITIALIZER,		/* left: a type or NULL, right: LIST */
	FUNCTION_PARAMETER	/* number, 0 is this */
};

/* The ways to write a literal, by its builtin type. */
enum literal {
	AS_CAST, AS_INT, AS_UNSIGNED, AS_LONG, AS_UNSIGNED_LONG, AS_LONG_LONG,
	AS_UNSIGNED_LONG_LONG, AS_BOOL, AS_FLOAT, AS_VOID, AS_NULLPTR
};

struct node {
	unsigned char kind;
	unsigned char printing;	/* so many times, one inside the other */
	int number;
	struct node *left, *right;
	struct str text;
};

#define OPERATOR_CODE(a, b)	((a) << 8 | (b))

/* binutils and perf leave longer names as they are. */
#define DEMANGLE_LONGEST	1024

/*
 * The most that a hostile name can take: productions within productions, nodes
 * taken, nodes printed, and bytes of the result.  None of 600,000 names, in
 * compilers, node and others, took more than 40, 220, 2,720 and 12,400.  The
 * first keeps the stack below 100 KB.
 */
#define DEMANGLE_DEEPEST	160
#define DEMANGLE_NODES		16384
#define DEMANGLE_PRINTED	65536
#define DEMANGLE_BYTES		((size_t)64 * 1024)

struct parser {
	const char *next, *end;
	struct arena *arena;
	bool failed;
	int depth;		/* of productions within productions */
	int work;		/* nodes taken, also those given up again */

	/* 5.1.10: S_, S0_, S1_, ... */
	struct node *known[DEMANGLE_LONGEST];
	size_t known_count;

	struct node *last_name;	/* a constructor has it */
	bool in_expression;	/* cv is a cast */
	bool in_conversion;	/* cv is a conversion operator's type */

	/*
	 * A::x is "sr1AE1x", and "sr1A1x" by old compilers.  was_ambiguous
	 * tells that a name may be one or the other; it is read as the latter
	 * if read_old is set.
	 */
	bool was_ambiguous, read_old;
};

/* Sets failed; returns a node for the caller to return. */
struct node *parser_fail(struct parser *p);

/* Return a new node of these parts. */
struct node *node_new(struct parser *p, enum kind kind, struct node *left,
    struct node *right);
struct node *node_text(struct parser *p, enum kind kind, struct str text);
struct node *node_number(struct parser *p, enum kind kind, int number,
    struct node *left);

/* Makes a node the next S..._. */
void parser_remember(struct parser *p, struct node *node);

/* Begin and end a production that may hold itself; false if it is too deep. */
bool parser_enter(struct parser *p);
void parser_leave(struct parser *p);

/*
 * Reads [n] <decimal number>; returns 0 where there is no digit, and -1 where
 * the number does not fit an int.
 */
int parse_number(struct parser *p);

/* Reads [<decimal number>] _, of which _ is 0 and 0_ is 1; fails with -1. */
int parse_index(struct parser *p);

/* Return the next byte and the one after it, 0 at the end. */
static inline char
peek(const struct parser *p)
{
	return p->next < p->end ? *p->next : '\0';
}

static inline char
peek_second(const struct parser *p)
{
	return p->end - p->next > 1 ? p->next[1] : '\0';
}

/* Passes c; false if the next byte is another one. */
static inline bool
eat(struct parser *p, char c)
{
	if (peek(p) != c || c == '\0')
		return false;
	p->next++;
	return true;
}

/* Does the same with two bytes. */
static inline bool
eat_two(struct parser *p, char a, char b)
{
	if (peek(p) != a || peek_second(p) != b)
		return false;
	p->next += 2;
	return true;
}

/* Passes c, or fails. */
static inline void
expect(struct parser *p, char c)
{
	if (!eat(p, c))
		parser_fail(p);
}

static inline bool
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

/* True for what comes behind a function's parameters: "const", "&". */
static inline bool
is_function_qualifier(const struct node *node)
{
	return node->kind >= CONST_THIS && node->kind <= THROW;
}

#endif
