/* cxxtree: the tree of a mangled C++ name, and how binutils prints it. */
#ifndef CXXTREE_H
#define CXXTREE_H

#include "lib/mem.h"
#include "lib/str.h"
#include "lib/text.h"

/*
 * The most nodes within nodes, also while a tree is made: more would take more
 * than 100 KB of stack.  None of 600,000 names, in compilers, node and others,
 * had more than 40.
 */
#define CXXTREE_DEEPEST	160

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
	OPERATOR,		/* number: of its row in cxxtree_operators */
	VENDOR_OPERATOR,	/* left: its name, number: of operands */
	LAMBDA,			/* left: parameters, number */
	UNNAMED,		/* number */
	STRUCTURED_BINDING,	/* left: LIST of names */
	FRIEND,			/* left: a name */
	CONSTRAINED,		/* left: what needs right to be true */
	MODULE,			/* left: its parent or NULL, right: a name */
	MODULE_PARTITION,	/* the same */
	MODULE_ENTITY,		/* left: a name, right: its module */
	SPECIAL,		/* left: NAME "vtable for ", right: for what */
	CONSTRUCTION_VTABLE,	/* left: the base, right: the derived class */
	REFERENCE_TEMPORARY,	/* left: NUMBER, right: the reference */

	/* Types. */
	BUILTIN,		/* text, number: an enum literal */
	BUILTIN_FLOAT,		/* left: bits, right: NAME "x" or "" */
	FUNCTION,		/* left: what it returns or NULL, right: LIST */
	ARRAY,			/* left: its length or NULL, right: of what */
	VECTOR,			/* left: its length, right: of what */
	PACK_EXPANSION,		/* left: a pattern */
	DECLTYPE,		/* left: an expression */
	POINTER,		/* left: to what, as of the following */
	REFERENCE,
	RVALUE_REFERENCE,
	COMPLEX,
	IMAGINARY,
	MEMBER_POINTER,		/* left: a class, right: the member's type */
	VENDOR_QUALIFIED,	/* right: the qualifier */
	CONST,
	VOLATILE,
	RESTRICT,

	/* After a function's parameters.  left: the function. */
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
	NULLARY,		/* left: an OPERATOR */
	POSTFIX,		/* left: the operand, right: an OPERATOR */
	OPERATION,		/* left: an OPERATOR or CAST, right: OPERANDS */
	OPERANDS,		/* left: the first, right: the others */
	LITERAL,		/* left: a type, right: a value's NAME */
	NEGATIVE_LITERAL,	/* the same */
	VENDOR_EXPRESSION,	/* left: a name, right: arguments */
	INITIALIZER,		/* left: a type or NAME "", right: LIST */
	FUNCTION_PARAMETER	/* number, 0 is this */
};

/* The ways to write a literal, by its builtin type. */
enum literal {
	AS_CAST, AS_INT, AS_UNSIGNED, AS_LONG, AS_UNSIGNED_LONG, AS_LONG_LONG,
	AS_UNSIGNED_LONG_LONG, AS_BOOL, AS_FLOAT, AS_VOID, AS_NULLPTR
};

struct node {
	unsigned char kind;
	unsigned char printing;	/* how often it is around what is printed */
	int number;
	struct node *left, *right;
	struct str text;
};

/*
 * An operator by its two letters, 5.1.3 <operator-name>, 5.1.6 <expression>.
 * Its operands have a letter each:
 *
 *	e	expression
 *	_	the same, after a "_" if it is after the operator
 *	t	type
 *	o	operator
 *	n	name
 *	m	member: a name, or an expression if it begins with gs or sr
 *	a	template arguments
 *	l	expressions up to E
 *	p	expressions up to _
 *	i	initializer, or E
 *	c	expression, or expressions after a "_"
 */
struct operator {
	char code[3];
	const char *operands;
	const char *name;	/* with a space at its end before an operand */
	const char *format;	/* for print(), of the operands; NULL: name
				   before one operand, or between two */
};

extern const struct operator cxxtree_operators[];

/* Returns the number of the operator of two letters, or -1. */
int cxxtree_operator(char a, char b);

static inline bool
is_cv(const struct node *node)
{
	return node->kind >= CONST && node->kind <= RESTRICT;
}

/* True for a qualifier after a function's parameters: "const", "&". */
static inline bool
is_function_qualifier(const struct node *node)
{
	return node->kind >= CONST_THIS && node->kind <= THROW;
}

/* Adds the name to out, or nothing and returns false. */
bool cxxtree_print(struct node *tree, struct arena *arena, struct text *out);

#endif
