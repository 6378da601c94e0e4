#include "demangle_parse.h"

void
skip_discriminator(struct parser *p)
{
	bool two;
	int number;

	if (!eat(p, '_'))
		return;
	two = eat(p, '_');
	number = parse_number(p);
	if (number < 0)
		parser_fail(p);
	if (number >= 10 && two)
		expect(p, '_');
}

/* Reads what is in a function, or in an argument's default: d_, d0_. */
static struct node *
parse_entity(struct parser *p)
{
	bool in_default = eat(p, 'd');
	int number = in_default ? parse_index(p) : 0;
	struct node *name = parse_name(p, false);

	if (name->kind != LAMBDA && name->kind != UNNAMED)
		skip_discriminator(p);
	if (in_default)
		name = node_number(p, DEFAULT_ARGUMENT, number, name);
	return name;
}

struct node *
parse_local_name(struct parser *p)
{
	struct node *function = parse_encoding(p, WITH_PARAMETERS), *name;

	expect(p, 'E');
	if (eat(p, 's')) {
		skip_discriminator(p);
		name = node_text(p, NAME, STR("string literal"));
	} else
		name = parse_entity(p);
	/* It would look like the type of what is in the function. */
	if (function->kind == TYPED && function->right->kind == FUNCTION)
		function->right->left = NULL;
	return node_new(p, LOCAL, function, name);
}

static struct node *parse_template_head(struct parser *p);

/*
 * Reads 5.1.8 <template-param-decl>: Ty: typename, Tn <type>, Tt <parameters>
 * E: template<...> class, Tp <parameter>: a pack of it.
 */
static struct node *
parse_declaration(struct parser *p)
{
	struct node *node;

	if (!parser_enter(p))
		node = parser_fail(p);
	else if (eat_two(p, 'T', 'y'))
		node = node_new(p, TYPE_PARAMETER, NULL, NULL);
	else if (eat_two(p, 'T', 'n'))
		node = node_new(p, VALUE_PARAMETER, parse_type(p), NULL);
	else if (eat_two(p, 'T', 'p'))
		node = node_new(p, PACK_PARAMETER, parse_declaration(p), NULL);
	else if (eat_two(p, 'T', 't')) {
		node = node_new(p, HEAD_PARAMETER, parse_template_head(p),
		    NULL);
		expect(p, 'E');
	} else
		node = parser_fail(p);
	parser_leave(p);
	return node;
}

static bool
is_declaration(const struct parser *p)
{
	char c = peek_second(p);

	return peek(p) == 'T' &&
	    (c == 'y' || c == 'n' || c == 't' || c == 'p');
}

static struct node *
parse_template_head(struct parser *p)
{
	struct node *first = NULL, **hole = &first;

	while (is_declaration(p)) {
		*hole = parse_declaration(p);
		hole = &(*hole)->right;
	}
	return node_new(p, TEMPLATE_HEAD, first, NULL);
}

/* Ul <template-param-decl>* <type>+ E [<number>] _ */
struct node *
parse_lambda(struct parser *p)
{
	struct node *head = NULL, *parameters;

	if (is_declaration(p))
		head = parse_template_head(p);
	parameters = parse_parameters(p);
	if (head != NULL) {
		head->right = parameters;
		parameters = head;
	}
	expect(p, 'E');
	return node_number(p, LAMBDA, parse_index(p), parameters);
}

/* Ut [<number>] _ */
struct node *
parse_unnamed_type(struct parser *p)
{
	struct node *node = node_number(p, UNNAMED, parse_index(p), NULL);

	parser_remember(p, node);
	return node;
}
