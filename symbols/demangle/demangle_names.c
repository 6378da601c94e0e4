#include "demangle_operators.h"
#include "demangle_parse.h"

/* True for _GLOBAL__N_1, an anonymous namespace, also with '.' or '$'. */
static bool
is_anonymous(struct str name)
{
	return name.len >= 10 && str_starts(name, STR("_GLOBAL_")) &&
	    strchr("._$", name.data[8]) != NULL && name.data[9] == 'N';
}

struct node *
parse_source_name(struct parser *p)
{
	int len = parse_number(p);
	struct str name = { p->next, (size_t)len };

	if (len <= 0 || p->end - p->next < len)
		return parser_fail(p);
	p->next += len;
	if (is_anonymous(name))
		name = STR("(anonymous namespace)");
	return p->last_name = node_text(p, NAME, name);
}

struct node *
parse_module(struct parser *p, struct node *parent)
{
	enum kind kind;

	while (eat(p, 'W')) {
		kind = eat(p, 'P') ? MODULE_PARTITION : MODULE;
		parent = node_new(p, kind, parent, parse_source_name(p));
		parser_remember(p, parent);
	}
	return parent;
}

struct node *
parse_abi_tags(struct parser *p, struct node *name)
{
	struct node *last_name = p->last_name;

	while (eat(p, 'B'))
		name = node_new(p, TAGGED, name, parse_source_name(p));
	p->last_name = last_name;
	return name;
}

struct node *
parse_operator_name(struct parser *p)
{
	bool was_conversion = p->in_conversion;
	const struct operator *operator;
	struct node *node;
	char a = peek(p), b = peek_second(p);

	if (b == '\0')
		return parser_fail(p);
	p->next += 2;
	if (a == 'v' && is_digit(b))
		return node_number(p, VENDOR_OPERATOR, b - '0',
		    parse_source_name(p));
	if (a == 'c' && b == 'v') {
		p->in_conversion = !p->in_expression;
		node = node_new(p, p->in_conversion ? CONVERSION : CAST,
		    parse_type(p), NULL);
		p->in_conversion = was_conversion;
		return node;
	}
	operator = operator_find(a, b);
	if (operator == NULL)
		return parser_fail(p);
	node = node_text(p, OPERATOR, str_from(operator->name));
	node->number = OPERATOR_CODE(a, b);
	return node;
}

/* Reads "pl" and, in expressions, "onpl"; "li2_x" is operator"" _x. */
static struct node *
parse_operator(struct parser *p)
{
	bool was_expression = p->in_expression;
	struct node *node;

	if (eat_two(p, 'o', 'n'))
		p->in_expression = false;
	node = parse_operator_name(p);
	p->in_expression = was_expression;
	if (node->kind == OPERATOR && node->number == OPERATOR_CODE('l', 'i'))
		node = node_new(p, UNARY, node, parse_source_name(p));
	return node;
}

/* Reads 5.1.4.3 <ctor-dtor-name>: C1, D2; CI1 <type> is inherited. */
static struct node *
parse_constructor(struct parser *p)
{
	enum kind kind = eat(p, 'C') ? CONSTRUCTOR : DESTRUCTOR;
	bool inherited = kind == CONSTRUCTOR && eat(p, 'I');

	if (kind == DESTRUCTOR)
		expect(p, 'D');
	if (peek(p) == '\0' ||
	    strchr(kind == CONSTRUCTOR ? "12345" : "01245", peek(p)) == NULL)
		return parser_fail(p);
	p->next++;
	if (inherited)
		parse_type(p);		/* the base, whose name it has */
	if (p->last_name == NULL)
		return parser_fail(p);
	return node_new(p, kind, p->last_name, NULL);
}

/* Reads 1a1bE, behind DC, of auto [a, b]. */
static struct node *
parse_structured_binding(struct parser *p)
{
	struct node *first = NULL, **hole = &first;

	do {
		*hole = node_new(p, STRUCTURED_BINDING, parse_source_name(p),
		    NULL);
		hole = &(*hole)->right;
	} while (!p->failed && peek(p) != 'E');
	expect(p, 'E');
	return first;
}

static struct node *
parse_local_source_name(struct parser *p)
{
	struct node *name = parse_source_name(p);

	skip_discriminator(p);
	return name;
}

static struct node *
parse_plain_name(struct parser *p)
{
	char c = peek(p);

	if (is_digit(c))
		return parse_source_name(p);
	if (is_lower(c))
		return parse_operator(p);
	if (eat_two(p, 'D', 'C'))
		return parse_structured_binding(p);
	if (c == 'C' || c == 'D')
		return parse_constructor(p);
	if (eat(p, 'L'))
		return parse_local_source_name(p);
	if (eat_two(p, 'U', 'l'))
		return parse_lambda(p);
	if (eat_two(p, 'U', 't'))
		return parse_unnamed_type(p);
	return parser_fail(p);
}

struct node *
parse_unqualified_name(struct parser *p, struct node *scope,
    struct node *module)
{
	struct node *name;
	bool is_friend;

	module = parse_module(p, module);
	is_friend = eat(p, 'F');
	name = parse_plain_name(p);
	if (module != NULL)
		name = node_new(p, MODULE_ENTITY, name, module);
	name = parse_abi_tags(p, name);
	if (is_friend)
		name = node_new(p, FRIEND, name, NULL);
	if (scope != NULL)
		name = node_new(p, QUALIFIED, scope, name);
	return name;
}

static bool
is_module(const struct node *node)
{
	return node->kind == MODULE || node->kind == MODULE_PARTITION;
}

/* Reads St3foo, S_, or S1_3foo of a module S1_; sets *known for S_. */
static struct node *
parse_unscoped_name(struct parser *p, bool *known)
{
	struct node *scope = NULL, *module = NULL;

	*known = false;
	if (eat_two(p, 'S', 't'))
		scope = node_text(p, NAME, STR("std"));
	if (peek(p) == 'S') {
		module = parse_substitution(p, false);
		if (!is_module(module)) {
			*known = true;
			return scope != NULL ? parser_fail(p) : module;
		}
	}
	return parse_unqualified_name(p, scope, module);
}

/*
 * Reads what only begins a prefix: a type, which is remembered, or a
 * substitution.  Returns NULL where there is neither.
 */
static struct node *
parse_prefix_start(struct parser *p, bool remembered)
{
	struct node *node;
	char c = peek(p), next = peek_second(p);

	if (c == 'S') {
		node = parse_substitution(p, true);
		if (!is_module(node))
			return peek(p) == 'E' ? parser_fail(p) : node;
		node = parse_unqualified_name(p, NULL, node);
	} else if (c == 'T')
		node = parse_template_parameter(p);
	else if (c == 'D' && (next == 'T' || next == 't'))
		node = parse_type(p);
	else
		return NULL;
	if (remembered && peek(p) != 'E')
		parser_remember(p, node);
	return node;
}

/*
 * N 3std 6vector I..E 3foo E, without its N and E.  Every part that it begins
 * with is something that a substitution may mean, but not the whole.
 */
struct node *
parse_prefix(struct parser *p, bool remembered)
{
	struct node *node = parse_prefix_start(p, remembered), *module;

	while (!p->failed && (node == NULL || peek(p) != 'E')) {
		eat(p, 'M');		/* a lambda in a member's initializer */
		if (node != NULL && peek(p) == 'I')
			node = node_new(p, TEMPLATE, node,
			    parse_template_arguments(p));
		else {
			module = peek(p) != 'S' ? NULL :
			    parse_substitution(p, false);
			if (module != NULL && !is_module(module))
				return parser_fail(p);
			node = parse_unqualified_name(p, node, module);
		}
		if (remembered && peek(p) != 'E')
			parser_remember(p, node);
	}
	return node;
}

/* Reads 5.1.2 <nested-name>, N [<qualifiers>] <prefix> E, behind its N. */
static struct node *
parse_nested_name(struct parser *p)
{
	struct node *name, **hole = &name, *reference = NULL;

	if (eat(p, 'H')) {
		*hole = node_new(p, EXPLICIT_THIS, NULL, NULL);
		hole = &(*hole)->left;
	} else
		hole = parse_qualifiers(p, hole, true);
	if (peek(p) == 'R' || peek(p) == 'O')
		reference = parse_reference_qualifier(p, NULL);
	*hole = parse_prefix(p, true);
	expect(p, 'E');
	if (reference != NULL) {
		reference->left = name;
		name = reference;
	}
	return name;
}

struct node *
parse_name(struct parser *p, bool remembered)
{
	struct node *name;
	bool known = false;

	if (eat(p, 'N'))
		name = parse_nested_name(p);
	else if (eat(p, 'Z'))
		name = parse_local_name(p);
	else if (peek(p) == 'U')
		name = parse_unqualified_name(p, NULL, NULL);
	else {
		name = parse_unscoped_name(p, &known);
		if (peek(p) == 'I') {
			if (!known)
				parser_remember(p, name);
			known = false;
			name = node_new(p, TEMPLATE, name,
			    parse_template_arguments(p));
		}
	}
	if (remembered && !known)
		parser_remember(p, name);
	return name;
}

/* True for constructors, destructors and conversion operators. */
static bool
returns_nothing(const struct node *name)
{
	while (name != NULL && (name->kind == QUALIFIED || name->kind == LOCAL))
		name = name->right;
	return name != NULL && (name->kind == CONSTRUCTOR ||
	    name->kind == DESTRUCTOR || name->kind == CONVERSION);
}

/* True for a template, whose type begins with what it returns (5.1.5.3). */
static bool
has_return_type(const struct node *name)
{
	while (name != NULL &&
	    (name->kind == LOCAL || is_function_qualifier(name)))
		name = name->kind == LOCAL ? name->right : name->left;
	return name != NULL && name->kind == TEMPLATE &&
	    !returns_nothing(name->left);
}

/* Returns the name without the "const" of a member function. */
static struct node *
without_qualifiers(struct node *name)
{
	while (is_function_qualifier(name))
		name = name->left;
	if (name->kind == LOCAL)
		while (is_function_qualifier(name->right))
			name->right = name->right->left;
	return name;
}

static struct node *
parse_function(struct parser *p, enum encoding how)
{
	struct node *name = parse_name(p, false), *type;

	if (p->failed)
		return name;
	if (how == WITHOUT_PARAMETERS)
		return without_qualifiers(name);
	if (peek(p) == '\0' || peek(p) == 'E')
		return name;		/* a variable */
	type = parse_bare_function(p, has_return_type(name));
	if (name->kind == LOCAL)
		type->left = NULL;
	return node_new(p, TYPED, name, parse_constraint(p, type));
}

struct node *
parse_encoding(struct parser *p, enum encoding how)
{
	struct node *node;

	if (!parser_enter(p))
		return parser_fail(p);
	if (peek(p) == 'G' || peek(p) == 'T')
		node = parse_special_name(p);
	else
		node = parse_function(p, how);
	parser_leave(p);
	return node;
}
