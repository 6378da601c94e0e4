#include <limits.h>

#include "demangle_operators.h"
#include "demangle_parse.h"

static struct node *parse_operand(struct parser *p);

/* Reads expressions up to `end`, and passes that. */
static struct node *
parse_expressions(struct parser *p, char end)
{
	struct node *list = NULL, **hole = &list, *item;

	if (eat(p, end))
		return node_new(p, LIST, NULL, NULL);
	do {
		item = parse_operand(p);
		*hole = node_new(p, LIST, item, NULL);
		hole = &(*hole)->right;
	} while (!p->failed && !eat(p, end));
	return list;
}

/* Reads the template arguments behind a name, if there are any. */
static struct node *
with_arguments(struct parser *p, struct node *name)
{
	if (peek(p) != 'I')
		return name;
	return node_new(p, TEMPLATE, name, parse_template_arguments(p));
}

/*
 * Reads 5.1.6 <unresolved-name> behind its sr: a type or a prefix, E, a name.
 * See read_old for the ambiguity.
 */
static struct node *
parse_unresolved(struct parser *p)
{
	struct node *scope;
	char c = peek(p);

	if (!p->read_old && (is_digit(c) || is_lower(c) ||
	    c == 'C' || c == 'U' || c == 'L')) {
		p->was_ambiguous = true;
		scope = parse_prefix(p, false);
		eat(p, 'E');
	} else
		scope = parse_type(p);
	return with_arguments(p, parse_unqualified_name(p, scope, NULL));
}

/* Reads 5.1.5.9 <function-param>: fp_, fp0_; fpT is this. */
static struct node *
parse_function_parameter(struct parser *p)
{
	int number = 0;

	if (!eat(p, 'T'))
		number = parse_index(p);
	else
		return node_number(p, FUNCTION_PARAMETER, 0, NULL);
	return number == INT_MAX ? parser_fail(p) :
	    node_number(p, FUNCTION_PARAMETER, number + 1, NULL);
}

/* Reads il <expression>* E, tl <type> <expression>* E. */
static struct node *
parse_initializer(struct parser *p)
{
	struct node *type = NULL;

	if (!eat_two(p, 'i', 'l')) {
		p->next += 2;
		type = parse_type(p);
	}
	return node_new(p, INITIALIZER, type, parse_expressions(p, 'E'));
}

/* Reads the operand behind an operator, which may print in front of it. */
static struct node *
parse_unary(struct parser *p, struct node *operator)
{
	enum kind kind = UNARY;
	struct node *operand;
	int code = operator->number;

	if (operator->kind == OPERATOR && (code == OPERATOR_CODE('p', 'p') ||
	    code == OPERATOR_CODE('m', 'm')))
		kind = eat(p, '_') ? UNARY : POSTFIX;
	if (operator->kind == CAST && eat(p, '_'))
		operand = parse_expressions(p, 'E');
	else if (operator->kind != OPERATOR)
		operand = parse_operand(p);
	else if (code == OPERATOR_CODE('s', 't'))
		operand = parse_type(p);
	else if (code == OPERATOR_CODE('s', 'P'))
		operand = parse_template_arguments_rest(p);
	else
		operand = parse_operand(p);
	return node_new(p, kind, operator, operand);
}

/* True for const_cast, dynamic_cast, reinterpret_cast and static_cast. */
static bool
is_named_cast(int code)
{
	return code == OPERATOR_CODE('c', 'c') ||
	    code == OPERATOR_CODE('d', 'c') ||
	    code == OPERATOR_CODE('r', 'c') || code == OPERATOR_CODE('s', 'c');
}

/* Reads the name behind "." and "->", of an operator also without its "on". */
static struct node *
parse_member(struct parser *p)
{
	if ((peek(p) == 'g' && peek_second(p) == 's') ||
	    (peek(p) == 's' && peek_second(p) == 'r'))
		return parse_operand(p);
	return with_arguments(p, parse_unqualified_name(p, NULL, NULL));
}

static struct node *
parse_binary(struct parser *p, struct node *operator)
{
	struct node *left, *right;
	int code = operator->number;

	if (is_named_cast(code))
		left = parse_type(p);
	else if (code >> 8 == 'f')
		left = parse_operator_name(p);
	else if (code == OPERATOR_CODE('d', 'i'))
		left = parse_unqualified_name(p, NULL, NULL);
	else
		left = parse_operand(p);
	if (code == OPERATOR_CODE('c', 'l'))
		right = parse_expressions(p, 'E');
	else if (code == OPERATOR_CODE('d', 't') ||
	    code == OPERATOR_CODE('p', 't'))
		right = parse_member(p);
	else
		right = parse_operand(p);
	right = node_new(p, OPERANDS, left, right);
	return node_new(p, BINARY, operator, right);
}

/* Reads nw <expression>* _ <type>, and E, pi <expression>* E or il. */
static struct node *
parse_new(struct parser *p, struct node *operator)
{
	struct node *placement = parse_expressions(p, '_');
	struct node *type = parse_type(p), *value = NULL;

	if (eat_two(p, 'p', 'i'))
		value = parse_expressions(p, 'E');
	else if (peek(p) == 'i' && peek_second(p) == 'l')
		value = parse_operand(p);
	else
		expect(p, 'E');
	value = node_new(p, OPERANDS, type, value);
	value = node_new(p, OPERANDS, placement, value);
	return node_new(p, TERNARY, operator, value);
}

static struct node *
parse_ternary(struct parser *p, struct node *operator)
{
	struct node *first, *second, *rest;

	if (operator->number >> 8 == 'n')
		return parse_new(p, operator);
	first = operator->number >> 8 == 'f' ? parse_operator_name(p) :
	    parse_operand(p);
	second = parse_operand(p);
	rest = node_new(p, OPERANDS, second, parse_operand(p));
	rest = node_new(p, OPERANDS, first, rest);
	return node_new(p, TERNARY, operator, rest);
}

static struct node *
parse_operation(struct parser *p)
{
	struct node *operator = parse_operator_name(p);
	const struct operator *known;
	int operands = 1;

	if (operator->kind == VENDOR_OPERATOR)
		operands = operator->number;
	else if (operator->kind == OPERATOR) {
		known = operator_find((char)(operator->number >> 8),
		    (char)(operator->number & 0xff));
		operands = known != NULL ? known->operands : -1;
	} else if (operator->kind != CAST)
		return parser_fail(p);
	if (operands == 0)
		return node_new(p, NULLARY, operator, NULL);
	if (operands == 1)
		return parse_unary(p, operator);
	if (operands == 2 && operator->kind == OPERATOR)
		return parse_binary(p, operator);
	if (operands == 3 && operator->kind == OPERATOR)
		return parse_ternary(p, operator);
	return parser_fail(p);
}

static struct node *
parse_any_expression(struct parser *p)
{
	char c = peek(p), next = peek_second(p);
	struct node *name;

	if (c == 'L')
		return parse_literal(p);
	if (c == 'T')
		return parse_template_parameter(p);
	if (eat_two(p, 's', 'r'))
		return parse_unresolved(p);
	if (eat_two(p, 's', 'p'))
		return node_new(p, PACK_EXPANSION, parse_operand(p), NULL);
	if (eat_two(p, 'f', 'p'))
		return parse_function_parameter(p);
	if (is_digit(c) || eat_two(p, 'o', 'n'))
		return with_arguments(p, parse_unqualified_name(p, NULL, NULL));
	if ((c == 'i' || c == 't') && next == 'l')
		return parse_initializer(p);
	if (eat(p, 'u')) {
		name = parse_source_name(p);
		return node_new(p, VENDOR_EXPRESSION, name,
		    parse_template_arguments_rest(p));
	}
	return parse_operation(p);
}

/* Reads an expression within another one. */
static struct node *
parse_operand(struct parser *p)
{
	struct node *node;

	node = parser_enter(p) ? parse_any_expression(p) : parser_fail(p);
	parser_leave(p);
	return node;
}

struct node *
parse_expression(struct parser *p)
{
	bool was_expression = p->in_expression;
	struct node *node;

	p->in_expression = true;
	node = parse_operand(p);
	p->in_expression = was_expression;
	return node;
}

struct node *
parse_constraint(struct parser *p, struct node *node)
{
	if (eat(p, 'Q'))
		node = node_new(p, CONSTRAINED, node, parse_expression(p));
	return node;
}

/* Reads L_Z3fooE, LZ3fooE: a function or a variable. */
static struct node *
parse_external(struct parser *p)
{
	struct node *node;

	eat(p, '_');
	expect(p, 'Z');
	node = parse_encoding(p, WITH_PARAMETERS);
	expect(p, 'E');
	return node;
}

/* Li42E, Lin1E, LDnE; the value is any text. */
struct node *
parse_literal(struct parser *p)
{
	struct node *type;
	const char *start;
	enum kind kind;

	expect(p, 'L');
	if (peek(p) == '_' || peek(p) == 'Z')
		return parse_external(p);
	type = parse_type(p);
	if (type->kind == BUILTIN && type->number == AS_NULLPTR && eat(p, 'E'))
		return type;
	kind = eat(p, 'n') ? NEGATIVE_LITERAL : LITERAL;
	start = p->next;
	while (peek(p) != 'E' && peek(p) != '\0')
		p->next++;
	if (p->next == start)
		return parser_fail(p);
	type = node_new(p, kind, type, node_text(p, NAME,
	    (struct str){ start, (size_t)(p->next - start) }));
	expect(p, 'E');
	return type;
}
