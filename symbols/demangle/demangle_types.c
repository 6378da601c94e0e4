#include "demangle_parse.h"

static bool
is_qualifier(char a, char b)
{
	return a == 'r' || a == 'V' || a == 'K' ||
	    (a == 'D' && (b == 'x' || b == 'o' || b == 'O' || b == 'w'));
}

/* Reads Do: noexcept, DO <expression> E: noexcept(x), Dw <type>+ E: throw. */
static struct node *
parse_exception_qualifier(struct parser *p)
{
	struct node *right = NULL;

	if (eat_two(p, 'D', 'x'))
		return node_new(p, TRANSACTION_SAFE, NULL, NULL);
	if (eat_two(p, 'D', 'o'))
		return node_new(p, NOEXCEPT, NULL, NULL);
	if (eat_two(p, 'D', 'O')) {
		right = parse_expression(p);
		expect(p, 'E');
		return node_new(p, NOEXCEPT, NULL, right);
	}
	p->next += 2;
	right = parse_parameters(p);
	expect(p, 'E');
	return node_new(p, THROW, NULL, right);
}

static struct node *
parse_qualifier(struct parser *p, bool of_this)
{
	enum kind kind;

	if (eat(p, 'r'))
		kind = of_this ? RESTRICT_THIS : RESTRICT;
	else if (eat(p, 'V'))
		kind = of_this ? VOLATILE_THIS : VOLATILE;
	else if (eat(p, 'K'))
		kind = of_this ? CONST_THIS : CONST;
	else
		return parse_exception_qualifier(p);
	return node_new(p, kind, NULL, NULL);
}

struct node **
parse_qualifiers(struct parser *p, struct node **hole, bool of_this)
{
	struct node *first = NULL, *node;

	while (is_qualifier(peek(p), peek_second(p))) {
		*hole = parse_qualifier(p, of_this);
		first = first != NULL ? first : *hole;
		hole = &(*hole)->left;
	}
	if (of_this || peek(p) != 'F')
		return hole;
	for (node = first; node != NULL; node = node->left)
		if (node->kind >= CONST && node->kind <= RESTRICT)
			node->kind += CONST_THIS - CONST;
	return hole;
}

struct node *
parse_reference_qualifier(struct parser *p, struct node *of)
{
	if (eat(p, 'R'))
		return node_new(p, REFERENCE_THIS, of, NULL);
	if (eat(p, 'O'))
		return node_new(p, RVALUE_REFERENCE_THIS, of, NULL);
	return of;
}

struct node *
parse_parameters(struct parser *p)
{
	struct node *list = NULL, **hole = &list, *type;
	char c, next;

	while ((c = peek(p)) != '\0' && c != 'E' && c != '.' && c != 'Q') {
		next = peek_second(p);
		if ((c == 'R' || c == 'O') && next == 'E')
			break;			/* a ref-qualifier */
		type = parse_type(p);
		*hole = node_new(p, LIST, type, NULL);
		hole = &(*hole)->right;
	}
	if (list == NULL)
		return parser_fail(p);
	if (list->right == NULL && list->left->kind == BUILTIN &&
	    list->left->number == AS_VOID)
		list->left = NULL;
	return list;
}

struct node *
parse_bare_function(struct parser *p, bool returns)
{
	struct node *type = NULL;

	if (eat(p, 'J') || returns)
		type = parse_type(p);
	return node_new(p, FUNCTION, type, parse_parameters(p));
}

/* Reads 5.1.5.3 <function-type>, F [Y] <type>+ [<ref-qualifier>] E. */
static struct node *
parse_function_type(struct parser *p)
{
	struct node *type;

	expect(p, 'F');
	eat(p, 'Y');			/* extern "C" */
	type = parse_bare_function(p, true);
	type = parse_reference_qualifier(p, type);
	expect(p, 'E');
	return type;
}

/* Reads 5.1.5.1 <qualified-type>; remembers the whole and the core. */
static struct node *
parse_qualified_type(struct parser *p)
{
	struct node *type = NULL, **hole, *core;

	hole = parse_qualifiers(p, &type, false);
	core = peek(p) == 'F' ? parse_function_type(p) : parse_type(p);
	*hole = core;
	if (core->kind == REFERENCE_THIS ||
	    core->kind == RVALUE_REFERENCE_THIS) {
		*hole = core->left;	/* "const &", not "& const" */
		core->left = type;
		type = core;
	}
	parser_remember(p, type);
	return type;
}

/* Reads 5.1.5.6 <array-type>, A10_i, A_i, A <expression> _ i, behind its A. */
static struct node *
parse_array(struct parser *p)
{
	const char *start = p->next;
	struct node *length = NULL;

	while (is_digit(peek(p)))
		p->next++;
	if (p->next > start)
		length = node_text(p, NAME,
		    (struct str){ start, (size_t)(p->next - start) });
	else if (peek(p) != '_')
		length = parse_expression(p);
	expect(p, '_');
	return node_new(p, ARRAY, length, parse_type(p));
}

/* Reads Dv4_f, Dv_ <expression> _ f, behind its Dv. */
static struct node *
parse_vector(struct parser *p)
{
	struct node *length;

	if (eat(p, '_'))
		length = parse_expression(p);
	else
		length = node_number(p, NUMBER, parse_number(p), NULL);
	expect(p, '_');
	return node_new(p, VECTOR, length, parse_type(p));
}

struct node *
parse_template_parameter(struct parser *p)
{
	expect(p, 'T');
	return node_number(p, TEMPLATE_PARAMETER, parse_index(p), NULL);
}

/*
 * Reads 5.1.5.8 <template-param>, or <template-template-param> <template-args>:
 * T_IiE.  In the type of a conversion operator, cvT_IiE, the arguments are the
 * operator's own unless others follow.
 */
static struct node *
parse_parameter_type(struct parser *p)
{
	struct node *type = parse_template_parameter(p), *arguments;
	const char *next = p->next, *end = p->end;
	size_t known_count = p->known_count;

	if (peek(p) != 'I')
		return type;
	if (!p->in_conversion) {
		parser_remember(p, type);
		return node_new(p, TEMPLATE, type, parse_template_arguments(p));
	}
	arguments = parse_template_arguments(p);
	if (peek(p) == 'I') {
		parser_remember(p, type);
		return node_new(p, TEMPLATE, type, arguments);
	}
	p->failed = p->work > DEMANGLE_NODES;
	p->next = next;
	p->end = p->failed ? next : end;
	p->known_count = known_count;
	return type;
}

/* Reads U <source-name> [<template-args>] <type>, of 5.1.5.1, behind its U. */
static struct node *
parse_vendor_qualified(struct parser *p)
{
	struct node *name = parse_source_name(p);

	if (peek(p) == 'I')
		name = node_new(p, TEMPLATE, name, parse_template_arguments(p));
	return node_new(p, VENDOR_QUALIFIED, parse_type(p), name);
}

/* Reads a type that begins with a D; remembers it unless it is builtin. */
static struct node *
parse_d_type(struct parser *p)
{
	struct node *node;

	if (eat_two(p, 'D', 't') || eat_two(p, 'D', 'T')) {
		node = node_new(p, DECLTYPE, parse_expression(p), NULL);
		expect(p, 'E');
	} else if (eat_two(p, 'D', 'p'))
		node = node_new(p, PACK_EXPANSION, parse_type(p), NULL);
	else if (eat_two(p, 'D', 'v'))
		node = parse_vector(p);
	else
		return parse_d_builtin(p);
	parser_remember(p, node);
	return node;
}

/* Reads a letter and the type that it makes another one of. */
static struct node *
parse_made(struct parser *p, enum kind kind)
{
	p->next++;
	return node_new(p, kind, parse_type(p), NULL);
}

/* Reads a type that has a letter of its own. */
static struct node *
parse_lettered_type(struct parser *p)
{
	struct node *node;

	switch (peek(p)) {
	case 'F':
		return parse_function_type(p);
	case 'T':
		return parse_parameter_type(p);
	case 'O':
		return parse_made(p, RVALUE_REFERENCE);
	case 'P':
		return parse_made(p, POINTER);
	case 'R':
		return parse_made(p, REFERENCE);
	case 'C':
		return parse_made(p, COMPLEX);
	case 'G':
		return parse_made(p, IMAGINARY);
	}
	switch (*p->next++) {
	case 'A':
		return parse_array(p);
	case 'M':
		node = parse_type(p);
		return node_new(p, MEMBER_POINTER, node, parse_type(p));
	case 'U':
		return parse_vendor_qualified(p);
	case 'u':
		return node_new(p, SPECIAL, parse_source_name(p), NULL);
	}
	return parser_fail(p);
}

static struct node *
parse_any_type(struct parser *p)
{
	char c = peek(p);
	struct node *node;

	if (c == '\0')
		return parser_fail(p);
	if (is_qualifier(c, peek_second(p)))
		return parse_qualified_type(p);
	if (is_lower(c) && c != 'u')
		return parse_letter_builtin(p);
	if (c == 'D')
		return parse_d_type(p);
	if (strchr("FTOPRCGAMUu", c) == NULL)
		return parse_name(p, true);	/* 5.1.5.5 <class-enum-type> */
	node = parse_lettered_type(p);
	parser_remember(p, node);
	return node;
}

struct node *
parse_type(struct parser *p)
{
	struct node *node;

	node = parser_enter(p) ? parse_any_type(p) : parser_fail(p);
	parser_leave(p);
	return node;
}

struct node *
parse_template_argument(struct parser *p)
{
	struct node *node;

	if (eat(p, 'X')) {
		node = parse_expression(p);
		expect(p, 'E');
		return node;
	}
	if (peek(p) == 'L')
		return parse_literal(p);
	if (peek(p) == 'I' || peek(p) == 'J')
		return parse_template_arguments(p);
	return parse_type(p);
}

/* Reads at least one argument, and E. */
static struct node *
parse_some_arguments(struct parser *p)
{
	struct node *list = NULL, **hole = &list, *argument;
	struct node *last_name = p->last_name;

	do {
		argument = parse_template_argument(p);
		*hole = node_new(p, TEMPLATE_ARGUMENTS, argument, NULL);
		hole = &(*hole)->right;
	} while (!p->failed && peek(p) != 'E' && peek(p) != 'Q');
	p->last_name = last_name;
	list = parse_constraint(p, list);
	expect(p, 'E');
	return list;
}

struct node *
parse_template_arguments_rest(struct parser *p)
{
	struct node *node;

	if (eat(p, 'E'))
		return node_new(p, TEMPLATE_ARGUMENTS, NULL, NULL);
	node = parser_enter(p) ? parse_some_arguments(p) : parser_fail(p);
	parser_leave(p);
	return node;
}

struct node *
parse_template_arguments(struct parser *p)
{
	if (!eat(p, 'J'))
		expect(p, 'I');
	return parse_template_arguments_rest(p);
}
