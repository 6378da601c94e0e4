/* cxxtree: the tree of a mangled C++ name, and how binutils prints it. */
#ifndef CXXTREE_H
#define CXXTREE_H

#include "lib/mem.h"
#include "lib/str.h"
#include "lib/text.h"

/*
 * The most nodes within nodes, also while a tree is made: more would take more
 * than 100 KB of stack.  None of 600,000 names, in compilers, node and others,
 * had more than 50.
 */
#define CXXTREE_DEEPEST	240

/*
 * The kinds of nodes, with the fields that count in each.  Most nodes that have
 * a format are printed by it.
 */
enum kind {
	/* Names. */
	NAME,			/* text */
	NUMBER,			/* number */
	FORMATTED,		/* anything that needs no kind of its own */
	TAGGED,			/* left: a name, right: its ABI tag */
	QUALIFIED,		/* left::right */
	LOCAL,			/* left: a function, right: what is in it */
	DEFAULT_ARGUMENT,	/* left: its number, right: what is in it */
	TYPED,			/* left: a function's name, right: its type */
	TEMPLATE,		/* left: a name, right: TEMPLATE_ARGUMENTS */
	TEMPLATE_ARGUMENTS,	/* left: the first, right: the others */
	TEMPLATE_PARAMETER,	/* number, from 0 */
	CONSTRUCTOR,		/* or destructor */
	CONVERSION,		/* left: "operator int"'s type */
	OPERATOR,		/* operator */
	LAMBDA,			/* left: LIST of template parameters that are
				   declared, right: of parameters, number */
	UNNAMED,		/* left: NUMBER */
	CONSTRAINED,		/* left: what needs right to be true */
	MODULE,			/* or a partition of one */

	/* Types. */
	BUILTIN,		/* text, format: of literals, or NULL */
	ARRAY,			/* left: of what, right: its length or NULL */
	PACK_EXPANSION,		/* left: a pattern */

	/* Modifiers of left; the format, unless it is a function, of right. */
	FUNCTION,		/* left: what it returns or NULL, right: LIST */
	POINTER,		/* "*", and others that look like it */
	REFERENCE,
	RVALUE_REFERENCE,
	MEMBER_POINTER,		/* right: a class */
	CV,			/* " const" */
	VECTOR,			/* right: its length */
	FUNCTION_QUALIFIER,	/* " const", after a function's parameters */
	FUNCTION_REFERENCE,	/* " &" */
	EXPLICIT_THIS,		/* "this " is among the parameters */

	/* Declared template parameters. */
	TYPE_PARAMETER,
	VALUE_PARAMETER,	/* left: its type */
	HEAD_PARAMETER,		/* left: LIST of a template's parameters */
	PACK_PARAMETER,		/* left: the parameter it repeats */

	/* Expressions. */
	LIST,			/* left: the first or NULL, right: the others */
	CAST,			/* left: a type */
	OPERATION,		/* left: OPERATOR, right: LIST of operands */
	PLAIN			/* FORMATTED, and needs no brackets */
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
 *	v	value, printed after "="
 */
struct operator {
	char code[3];
	const char *operands;
	const char *name;	/* with a space at its end before an operand */
	const char *format;	/* for print(), of the operands; NULL: name
				   before one operand, or between two */
};

struct node {
	unsigned char kind;
	unsigned char printing;	/* how often it is around what is printed */
	int number;
	struct node *left, *right;
	struct str text;
	const char *format;	/* for print(), of left and right */
	const struct operator *operator;
	const struct scope *scope;	/* of a template parameter, in which a
					   reference first saw it */
};

/* True for a qualifier after a function's parameters: "const", "&". */
static inline bool
is_function_qualifier(const struct node *node)
{
	return node->kind >= FUNCTION_QUALIFIER && node->kind <= EXPLICIT_THIS;
}

/* Adds the name to out, or nothing and returns false. */
bool cxxtree_print(struct node *tree, struct arena *arena, struct text *out);

#endif
