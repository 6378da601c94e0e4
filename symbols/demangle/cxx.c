/*
 * The grammar is chapter 5.1 of the Itanium C++ ABI.  A function reads one of
 * its productions, by the number in its comment, and returns a node of the tree
 * that cxxtree.c prints:
 *
 *	_ZN3fooIiE3barEv
 *
 *	QUALIFIED
 *	    TEMPLATE
 *	        NAME foo
 *	        TEMPLATE_ARGUMENTS
 *	            BUILTIN int
 *	    NAME bar
 *
 * A node is never NULL.  A name that breaks the grammar sets `failed`, the
 * parser then sees the end of the name, and the tree is thrown away.
 */
#include <limits.h>
#include <stddef.h>

#include "cxxtree.h"
#include "demangle.h"

/* binutils and perf do not demangle longer names. */
#define LONGEST		1024

/* The most nodes for one name; none of 600,000 took more than 220. */
#define MOST_NODES	16384

struct parser {
	const char *next, *end;
	struct arena *arena;
	bool failed;
	int depth;		/* of productions within productions */
	int work;		/* nodes taken, also those given up again */

	struct node *last_name;	/* the name of a constructor */
	bool in_expression;	/* cv is a cast */
	bool in_conversion;	/* cv is a conversion operator's type */

	/*
	 * A::x is "sr1AE1x", and "sr1A1x" by old compilers.  was_ambiguous is
	 * set by a name that may be one or the other; with read_old it is read
	 * as the latter.
	 */
	bool was_ambiguous, read_old;

	/* 5.1.10: S_, S0_, S1_, ... */
	size_t known_count;
	struct node *known[LONGEST];	/* the last field: it isn't cleared */
};

/* Productions that occur within those above them. */

/* Reads 5.1.2 <encoding>: a function, a variable or a special name. */
static struct node *parse_encoding(struct parser *p);

/* Reads 5.1.2 <name>, and makes it the next S..._ if `remembered`. */
static struct node *parse_name(struct parser *p, bool remembered);

/* Reads 5.1.5 <type>. */
static struct node *parse_type(struct parser *p);

/* Reads 5.1.5.10 <template-args>: I or J, arguments, E. */
static struct node *parse_template_arguments(struct parser *p);

/* Reads types up to the end of parameters; returns an empty LIST for void. */
static struct node *parse_parameters(struct parser *p);

/* Reads 5.1.6 <expression>. */
static struct node *parse_expression(struct parser *p);

/* Reads 5.1.6.1 <expr-primary>: L and more. */
static struct node *parse_literal(struct parser *p);

/* Reads Q <expression>; returns the node with what it requires, if any. */
static struct node *parse_constraint(struct parser *p, struct node *node);

/* Nodes of the tree. */

/* Sets failed.  Returns a node that nobody will print. */
static struct node *
fail(struct parser *p)
{
	struct node *nothing = arena_take(p->arena, sizeof(*nothing));

	*nothing = (struct node){ .kind = NAME };
	p->failed = true;
	p->end = p->next;
	return nothing;
}

static struct node *
node_new(struct parser *p, enum kind kind, struct node *left,
    struct node *right)
{
	struct node *node = arena_take(p->arena, sizeof(*node));

	if (p->work++ == MOST_NODES)
		fail(p);
	*node = (struct node){ .kind = (unsigned char)kind, .left = left,
	    .right = right };
	return node;
}

static struct node *
node_text(struct parser *p, enum kind kind, struct str text)
{
	struct node *node = node_new(p, kind, NULL, NULL);

	node->text = text;
	return node;
}

static struct node *
node_number(struct parser *p, enum kind kind, int number, struct node *left)
{
	struct node *node = node_new(p, kind, left, NULL);

	node->number = number;
	return node;
}

/* Returns a node that is printed as the text, and then another node. */
static struct node *
node_special(struct parser *p, const char *text, struct node *node)
{
	return node_new(p, SPECIAL, node_text(p, NAME, str_from(text)), node);
}

/* Appends an item to a list; returns where the next one goes. */
static struct node **
append(struct parser *p, struct node **hole, enum kind kind, struct node *item)
{
	*hole = node_new(p, kind, item, NULL);
	return &(*hole)->right;
}

/* Makes a node the next S..._. */
static void
remember(struct parser *p, struct node *node)
{
	if (p->known_count < LONGEST)
		p->known[p->known_count++] = node;
	else
		fail(p);
}

/* Characters and numbers. */

/* Reads a production that may hold itself, or fails if it is too deep. */
static struct node *
parse_within(struct parser *p, struct node *(*parse)(struct parser *))
{
	struct node *node;

	p->depth++;
	node = p->depth > CXXTREE_DEEPEST || p->failed ? fail(p) : parse(p);
	p->depth--;
	return node;
}

/* Returns the next character, 0 at the end. */
static char
peek(const struct parser *p)
{
	return p->next < p->end ? *p->next : '\0';
}

/* Returns the character after it, 0 at the end. */
static char
peek_second(const struct parser *p)
{
	return p->end - p->next > 1 ? p->next[1] : '\0';
}

/* Passes c; false if the next character is another one. */
static bool
eat(struct parser *p, char c)
{
	if (peek(p) != c || c == '\0')
		return false;
	p->next++;
	return true;
}

/* Does the same with two characters. */
static bool
eat_two(struct parser *p, char a, char b)
{
	if (peek(p) != a || peek_second(p) != b)
		return false;
	p->next += 2;
	return true;
}

/* Passes c, or fails. */
static void
expect(struct parser *p, char c)
{
	if (!eat(p, c))
		fail(p);
}

/*
 * Reads [n] <decimal number>; returns 0 where there is no digit, and -1 where
 * the number does not fit an int.
 */
static int
parse_number(struct parser *p)
{
	bool negative = eat(p, 'n');
	int number = 0;

	for (; is_digit(peek(p)); p->next++) {
		if (number > (INT_MAX - (*p->next - '0')) / 10)
			return -1;
		number = number * 10 + (*p->next - '0');
	}
	return negative ? -number : number;
}

/* Reads [<decimal number>] _: _ is 0, 0_ is 1; fails with -1. */
static int
parse_index(struct parser *p)
{
	int number;

	if (eat(p, '_'))
		return 0;
	number = peek(p) == 'n' ? -1 : parse_number(p);
	if (number < 0 || number == INT_MAX || !eat(p, '_')) {
		fail(p);
		return -1;
	}
	return number + 1;
}

/* Names in the source, and their abbreviations. */

/* Reads 5.1.2 <source-name>: 3foo. */
static struct node *
parse_source_name(struct parser *p)
{
	int len = parse_number(p);
	struct str name = { p->next, (size_t)len };

	if (len <= 0 || p->end - p->next < len)
		return fail(p);
	p->next += len;
	/* _GLOBAL__N_1, also with '.' or '$' */
	if (name.len >= 10 && str_starts(name, STR("_GLOBAL_")) &&
	    strchr("._$", name.data[8]) != NULL && name.data[9] == 'N')
		name = STR("(anonymous namespace)");
	return p->last_name = node_text(p, NAME, name);
}

/* Reads W3foo, a module of GCC; returns the parent if there is no W. */
static struct node *
parse_module(struct parser *p, struct node *parent)
{
	enum kind kind;

	while (eat(p, 'W')) {
		kind = eat(p, 'P') ? MODULE_PARTITION : MODULE;
		parent = node_new(p, kind, parent, parse_source_name(p));
		remember(p, parent);
	}
	return parent;
}

/* Reads 5.1.2 <abi-tags>, B5cxx11; returns the name with them, if any. */
static struct node *
parse_abi_tags(struct parser *p, struct node *name)
{
	struct node *last_name = p->last_name;

	while (eat(p, 'B'))
		name = node_new(p, TAGGED, name, parse_source_name(p));
	p->last_name = last_name;
	return name;
}

static const struct abbreviation {
	char code;
	const char *name, *whole, *constructor;
} abbreviations[] = {
	{ 't', "std", "std", NULL },
	{ 'a', "std::allocator", "std::allocator", "allocator" },
	{ 'b', "std::basic_string", "std::basic_string", "basic_string" },
	{ 's', "std::string", "std::basic_string<char, "
	    "std::char_traits<char>, std::allocator<char> >", "basic_string" },
	{ 'i', "std::istream", "std::basic_istream<char, "
	    "std::char_traits<char> >", "basic_istream" },
	{ 'o', "std::ostream", "std::basic_ostream<char, "
	    "std::char_traits<char> >", "basic_ostream" },
	{ 'd', "std::iostream", "std::basic_iostream<char, "
	    "std::char_traits<char> >", "basic_iostream" },
};

/* Reads <seq-id>: S_ is the first, then S0_ to S9_, SA_ to SZ_, S10_. */
static struct node *
parse_known(struct parser *p)
{
	size_t number = 0, first = peek(p) == '_' ? 0 : 1;
	char c;

	for (; (c = peek(p)) != '_'; p->next++) {
		if (is_digit(c))
			number = number * 36 + (size_t)(c - '0');
		else if (c >= 'A' && c <= 'Z')
			number = number * 36 + (size_t)(c - 'A') + 10;
		else
			return fail(p);
		if (number >= LONGEST)
			return fail(p);
	}
	p->next++;
	number += first;
	return number < p->known_count ? p->known[number] : fail(p);
}

/*
 * Reads 5.1.10 <substitution>.  Ss as the prefix of a constructor is spelled
 * out, since there is no std::string::basic_string().
 */
static struct node *
parse_substitution(struct parser *p, bool is_prefix)
{
	const struct abbreviation *a = abbreviations;
	const struct abbreviation *end = a + sizeof(abbreviations) / sizeof(*a);
	struct node *node;
	bool whole;
	char c;

	expect(p, 'S');
	c = peek(p);
	if (c == '_' || is_digit(c) || (c >= 'A' && c <= 'Z'))
		return parse_known(p);
	while (a < end && a->code != c)
		a++;
	if (a == end)
		return fail(p);
	p->next++;
	whole = is_prefix && (peek(p) == 'C' || peek(p) == 'D');
	if (a->constructor != NULL)
		p->last_name = node_text(p, NAME, str_from(a->constructor));
	node = node_text(p, NAME, str_from(whole ? a->whole : a->name));
	if (peek(p) == 'B') {
		node = parse_abi_tags(p, node);
		remember(p, node);
	}
	return node;
}

/* Template arguments. */

/* Reads 5.1.5.10 <template-arg>. */
static struct node *
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
	struct node *list = NULL, **hole = &list;
	struct node *last_name = p->last_name;

	do
		hole = append(p, hole, TEMPLATE_ARGUMENTS,
		    parse_template_argument(p));
	while (!p->failed && peek(p) != 'E' && peek(p) != 'Q');
	p->last_name = last_name;
	list = parse_constraint(p, list);
	expect(p, 'E');
	return list;
}

/* Reads the same after the I, as a vendor's expression has them. */
static struct node *
parse_template_arguments_rest(struct parser *p)
{
	return eat(p, 'E') ? node_new(p, TEMPLATE_ARGUMENTS, NULL, NULL) :
	    parse_within(p, parse_some_arguments);
}

static struct node *
parse_template_arguments(struct parser *p)
{
	if (!eat(p, 'J'))
		expect(p, 'I');
	return parse_template_arguments_rest(p);
}

/* Reads the template arguments after a name, if there are any. */
static struct node *
with_arguments(struct parser *p, struct node *name)
{
	if (peek(p) != 'I')
		return name;
	return node_new(p, TEMPLATE, name, parse_template_arguments(p));
}

/* Reads 5.1.5.8 <template-param>: T_, T0_. */
static struct node *
parse_template_parameter(struct parser *p)
{
	expect(p, 'T');
	return node_number(p, TEMPLATE_PARAMETER, parse_index(p), NULL);
}

/* Types. */

static const struct builtin {
	char code[3];
	unsigned char literal;	/* enum literal */
	const char *name;
} builtins[] = {
	{ "i", AS_INT, "int" }, { "v", AS_VOID, "void" },
	{ "b", AS_BOOL, "bool" }, { "c", AS_CAST, "char" },
	{ "m", AS_UNSIGNED_LONG, "unsigned long" }, { "l", AS_LONG, "long" },
	{ "j", AS_UNSIGNED, "unsigned int" }, { "d", AS_FLOAT, "double" },
	{ "h", AS_CAST, "unsigned char" }, { "a", AS_CAST, "signed char" },
	{ "t", AS_CAST, "unsigned short" }, { "s", AS_CAST, "short" },
	{ "w", AS_CAST, "wchar_t" }, { "x", AS_LONG_LONG, "long long" },
	{ "y", AS_UNSIGNED_LONG_LONG, "unsigned long long" },
	{ "f", AS_FLOAT, "float" }, { "e", AS_FLOAT, "long double" },
	{ "g", AS_FLOAT, "__float128" }, { "n", AS_CAST, "__int128" },
	{ "o", AS_CAST, "unsigned __int128" }, { "z", AS_CAST, "..." },
	{ "Df", AS_CAST, "decimal32" }, { "Dd", AS_CAST, "decimal64" },
	{ "De", AS_CAST, "decimal128" }, { "Dh", AS_FLOAT, "half" },
	{ "Du", AS_CAST, "char8_t" }, { "Ds", AS_CAST, "char16_t" },
	{ "Di", AS_CAST, "char32_t" },
	{ "Dn", AS_NULLPTR, "decltype(nullptr)" },
};

static struct node *
new_builtin(struct parser *p, const char *name, int literal)
{
	struct node *node = node_text(p, BUILTIN, str_from(name));

	node->number = literal;
	return node;
}

/* Reads a small letter but u, or D and more: Da is auto, DF16_ is _Float16. */
static struct node *
parse_builtin(struct parser *p)
{
	const struct builtin *type = builtins;
	const struct builtin *end = type + sizeof(builtins) / sizeof(*type);
	bool is_extended;
	int bits;

	/* DF16_: _Float16, DF32x: _Float32x, DF16b: std::bfloat16_t */
	if (eat_two(p, 'D', 'F')) {
		bits = parse_number(p);
		if (bits == 16 && eat(p, 'b'))
			return new_builtin(p, "std::bfloat16_t", AS_FLOAT);
		is_extended = eat(p, 'x');
		if (!is_extended)
			expect(p, '_');
		return node_new(p, BUILTIN_FLOAT,
		    node_number(p, NUMBER, bits, NULL),
		    node_text(p, NAME, is_extended ? STR("x") : STR("")));
	}
	if (eat_two(p, 'D', 'a'))
		return node_text(p, NAME, STR("auto"));
	if (eat_two(p, 'D', 'c'))
		return node_text(p, NAME, STR("decltype(auto)"));
	for (; type < end; type++)
		if (type->code[1] == '\0' ? eat(p, type->code[0]) :
		    eat_two(p, type->code[0], type->code[1]))
			return new_builtin(p, type->name, type->literal);
	return fail(p);
}

static bool
is_qualifier(char a, char b)
{
	return a == 'r' || a == 'V' || a == 'K' ||
	    (a == 'D' && (b == 'x' || b == 'o' || b == 'O' || b == 'w'));
}

/*
 * Reads K: const, V: volatile, r: restrict, Do: noexcept, DO <expression> E:
 * noexcept(x), Dw <type>+ E: throw, Dx: transaction_safe.
 */
static struct node *
parse_qualifier(struct parser *p, bool of_this)
{
	static const char letters[] = "KVr";
	const char *letter = strchr(letters, peek(p));
	enum kind kind = NOEXCEPT;
	struct node *right = NULL;

	if (letter != NULL) {
		p->next++;
		kind = (enum kind)((of_this ? CONST_THIS : CONST) +
		    (letter - letters));
	} else if (eat_two(p, 'D', 'x'))
		kind = TRANSACTION_SAFE;
	else if (!eat_two(p, 'D', 'o')) {
		kind = peek_second(p) == 'O' ? NOEXCEPT : THROW;
		p->next += 2;
		right = kind == NOEXCEPT ? parse_expression(p) :
		    parse_parameters(p);
		expect(p, 'E');
	}
	return node_new(p, kind, NULL, right);
}

/*
 * Reads 5.1.5.1 <CV-qualifiers>, noexcept and throw, of a type or of `this`.
 * Stores the outermost in *hole, and returns where to store what is qualified.
 */
static struct node **
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
		if (is_cv(node))
			node->kind += CONST_THIS - CONST;
	return hole;
}

/* Reads 5.1.5.1 <ref-qualifier> of a function; returns the function if none. */
static struct node *
parse_reference_qualifier(struct parser *p, struct node *of)
{
	if (eat(p, 'R'))
		return node_new(p, REFERENCE_THIS, of, NULL);
	if (eat(p, 'O'))
		return node_new(p, RVALUE_REFERENCE_THIS, of, NULL);
	return of;
}

static struct node *
parse_parameters(struct parser *p)
{
	struct node *list = NULL, **hole = &list;
	char c, next;

	while ((c = peek(p)) != '\0' && c != 'E' && c != '.' && c != 'Q') {
		next = peek_second(p);
		if ((c == 'R' || c == 'O') && next == 'E')
			break;			/* a ref-qualifier */
		hole = append(p, hole, LIST, parse_type(p));
	}
	if (list == NULL)
		return fail(p);
	if (list->right == NULL && list->left->kind == BUILTIN &&
	    list->left->number == AS_VOID)
		list->left = NULL;
	return list;
}

/* Reads 5.1.5.3 <bare-function-type>; `returns` if the result comes first. */
static struct node *
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
		remember(p, type);
		return node_new(p, TEMPLATE, type, parse_template_arguments(p));
	}
	arguments = parse_template_arguments(p);
	if (peek(p) == 'I') {
		remember(p, type);
		return node_new(p, TEMPLATE, type, arguments);
	}
	p->failed = p->work > MOST_NODES;
	p->next = next;
	p->end = p->failed ? next : end;
	p->known_count = known_count;
	return type;
}

/* Reads a type that begins with a D; remembers it unless it is builtin. */
static struct node *
parse_d_type(struct parser *p)
{
	struct node *node;

	/* Dv4_f, Dv_ <expression> _ f */
	if (eat_two(p, 'D', 'v')) {
		node = eat(p, '_') ? parse_expression(p) :
		    node_number(p, NUMBER, parse_number(p), NULL);
		expect(p, '_');
		node = node_new(p, VECTOR, node, parse_type(p));
	} else if (eat_two(p, 'D', 't') || eat_two(p, 'D', 'T')) {
		node = node_new(p, DECLTYPE, parse_expression(p), NULL);
		expect(p, 'E');
	} else if (eat_two(p, 'D', 'p'))
		node = node_new(p, PACK_EXPANSION, parse_type(p), NULL);
	else
		return parse_builtin(p);
	remember(p, node);
	return node;
}

/* Reads a type that has a letter of its own. */
static struct node *
parse_lettered_type(struct parser *p)
{
	static const char letters[] = "PROCG";
	const char *letter = strchr(letters, peek(p)), *start;
	struct node *node = NULL;

	if (letter != NULL) {	/* P is POINTER, ... */
		p->next++;
		return node_new(p, (enum kind)(POINTER + (letter - letters)),
		    parse_type(p), NULL);
	}
	if (peek(p) == 'F')
		return parse_function_type(p);
	if (peek(p) == 'T')
		return parse_parameter_type(p);
	switch (*p->next++) {
	case 'A':	/* 5.1.5.6: A10_i, A_i, A <expression> _ i */
		start = p->next;
		while (is_digit(peek(p)))
			p->next++;
		if (p->next > start)
			node = node_text(p, NAME, (struct str){ start,
			    (size_t)(p->next - start) });
		else if (peek(p) != '_')
			node = parse_expression(p);
		expect(p, '_');
		return node_new(p, ARRAY, node, parse_type(p));
	case 'M':
		node = parse_type(p);
		return node_new(p, MEMBER_POINTER, node, parse_type(p));
	case 'U':	/* <source-name> [<template-args>] <type>, 5.1.5.1 */
		node = with_arguments(p, parse_source_name(p));
		return node_new(p, VENDOR_QUALIFIED, parse_type(p), node);
	}
	return node_special(p, "", parse_source_name(p));	/* u */
}

static struct node *
parse_any_type(struct parser *p)
{
	char c = peek(p);
	struct node *node, **hole, *core;

	if (c == '\0')
		return fail(p);
	if (is_qualifier(c, peek_second(p))) {	/* 5.1.5.1 <qualified-type> */
		hole = parse_qualifiers(p, &node, false);
		core = peek(p) == 'F' ? parse_function_type(p) : parse_type(p);
		*hole = core;
		if (core->kind == REFERENCE_THIS ||
		    core->kind == RVALUE_REFERENCE_THIS) {
			*hole = core->left;	/* "const &", not "& const" */
			core->left = node;
			node = core;
		}
	} else if (is_lower(c) && c != 'u')
		return parse_builtin(p);
	else if (c == 'D')
		return parse_d_type(p);
	else if (strchr("FTOPRCGAMUu", c) == NULL)
		return parse_name(p, true);	/* 5.1.5.5 <class-enum-type> */
	else
		node = parse_lettered_type(p);
	remember(p, node);
	return node;
}

static struct node *
parse_type(struct parser *p)
{
	return parse_within(p, parse_any_type);
}

/* Unqualified names. */

/* Reads 5.1.3 <operator-name>; returns an operator, a cast or a conversion. */
static struct node *
parse_operator_name(struct parser *p)
{
	bool was_conversion = p->in_conversion;
	char a = peek(p), b = peek_second(p);
	struct node *node;
	int number;

	if (b == '\0')
		return fail(p);
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
	number = cxxtree_operator(a, b);
	return number < 0 ? fail(p) : node_number(p, OPERATOR, number, NULL);
}

/* Reads "pl" and, in expressions, "onpl"; "li2_x" is operator"" _x. */
static struct node *
parse_operator(struct parser *p)
{
	bool was_expression = p->in_expression, is_literal;
	struct node *node, *operand = NULL;

	if (eat_two(p, 'o', 'n'))
		p->in_expression = false;
	is_literal = peek(p) == 'l' && peek_second(p) == 'i';
	node = parse_operator_name(p);
	p->in_expression = was_expression;
	if (!is_literal)
		return node;
	append(p, &operand, OPERANDS, parse_source_name(p));
	return node_new(p, OPERATION, node, operand);
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
		return fail(p);
	p->next++;
	if (inherited)
		parse_type(p);		/* the base, whose name it has */
	if (p->last_name == NULL)
		return fail(p);
	return node_new(p, kind, p->last_name, NULL);
}

/* Skips 5.1.7 <discriminator>, _3 or __12_, if it is there. */
static void
skip_discriminator(struct parser *p)
{
	bool two;
	int number;

	if (!eat(p, '_'))
		return;
	two = eat(p, '_');
	number = parse_number(p);
	if (number < 0)
		fail(p);
	if (number >= 10 && two)
		expect(p, '_');
}

static struct node *parse_template_head(struct parser *p);

/*
 * Reads 5.1.8 <template-param-decl>: Ty: typename, Tn <type>, Tt <parameters>
 * E: template<...> class, Tp <parameter>: a pack.
 */
static struct node *
parse_declaration(struct parser *p)
{
	struct node *node;

	if (eat_two(p, 'T', 'y'))
		return node_new(p, TYPE_PARAMETER, NULL, NULL);
	if (eat_two(p, 'T', 'n'))
		return node_new(p, VALUE_PARAMETER, parse_type(p), NULL);
	if (eat_two(p, 'T', 'p'))
		return node_new(p, PACK_PARAMETER,
		    parse_within(p, parse_declaration), NULL);
	if (!eat_two(p, 'T', 't'))
		return fail(p);
	node = parse_template_head(p);
	expect(p, 'E');
	return node_new(p, HEAD_PARAMETER, node, NULL);
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
		*hole = parse_within(p, parse_declaration);
		hole = &(*hole)->right;
	}
	return node_new(p, TEMPLATE_HEAD, first, NULL);
}

static struct node *
parse_plain_name(struct parser *p)
{
	char c = peek(p);
	struct node *node = NULL, **hole = &node, *parameters;

	if (is_digit(c))
		return parse_source_name(p);
	if (is_lower(c))
		return parse_operator(p);
	if (eat_two(p, 'D', 'C')) {	/* 1a1bE, of auto [a, b] */
		do
			hole = append(p, hole, LIST, parse_source_name(p));
		while (!p->failed && peek(p) != 'E');
		expect(p, 'E');
		return node_new(p, STRUCTURED_BINDING, node, NULL);
	}
	if (c == 'C' || c == 'D')
		return parse_constructor(p);
	/* Ul <template-param-decl>* <type>+ E [<number>] _ */
	if (eat_two(p, 'U', 'l')) {
		if (is_declaration(p))
			node = parse_template_head(p);
		parameters = parse_parameters(p);
		if (node != NULL)
			node->right = parameters;
		expect(p, 'E');
		return node_number(p, LAMBDA, parse_index(p), node != NULL ?
		    node : parameters);
	}
	if (eat(p, 'L')) {
		node = parse_source_name(p);
		skip_discriminator(p);
	} else if (eat_two(p, 'U', 't')) {	/* [<number>] _ */
		node = node_number(p, UNNAMED, parse_index(p), NULL);
		remember(p, node);
	} else
		node = fail(p);
	return node;
}

/* Reads 5.1.2 <unqualified-name>, in the scope or module that is not NULL. */
static struct node *
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

/* Names. */

static bool
is_module(const struct node *node)
{
	return node->kind == MODULE || node->kind == MODULE_PARTITION;
}

/* Reads the start of a prefix: a type to remember, or a substitution. */
static struct node *
parse_prefix_start(struct parser *p, bool remembered)
{
	struct node *node;
	char c = peek(p), next = peek_second(p);

	if (c == 'S') {
		node = parse_substitution(p, true);
		if (!is_module(node))
			return peek(p) == 'E' ? fail(p) : node;
		node = parse_unqualified_name(p, NULL, node);
	} else if (c == 'T')
		node = parse_template_parameter(p);
	else if (c == 'D' && (next == 'T' || next == 't'))
		node = parse_type(p);
	else
		return NULL;
	if (remembered && peek(p) != 'E')
		remember(p, node);
	return node;
}

/*
 * N 3std 6vector I..E 3foo E, without its N and E.  Every part that it begins
 * with is something that a substitution may mean, but not the whole.
 */
static struct node *
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
				return fail(p);
			node = parse_unqualified_name(p, node, module);
		}
		if (remembered && peek(p) != 'E')
			remember(p, node);
	}
	return node;
}

/* Reads 5.1.2 <nested-name>, N [<qualifiers>] <prefix> E, after its N. */
static struct node *
parse_nested_name(struct parser *p)
{
	struct node *name, **hole = &name, *reference;

	if (eat(p, 'H')) {
		*hole = node_new(p, EXPLICIT_THIS, NULL, NULL);
		hole = &(*hole)->left;
	} else
		hole = parse_qualifiers(p, hole, true);
	reference = parse_reference_qualifier(p, NULL);
	*hole = parse_prefix(p, true);
	expect(p, 'E');
	if (reference != NULL) {
		reference->left = name;
		name = reference;
	}
	return name;
}

static struct node *
parse_local_name(struct parser *p)
{
	struct node *function = parse_encoding(p), *name;
	bool in_default;
	int number = 0;

	expect(p, 'E');
	if (eat(p, 's')) {
		skip_discriminator(p);
		name = node_text(p, NAME, STR("string literal"));
	} else {
		/* in an argument's default: d_, d0_ */
		in_default = eat(p, 'd');
		if (in_default)
			number = parse_index(p);
		name = parse_name(p, false);
		if (name->kind != LAMBDA && name->kind != UNNAMED)
			skip_discriminator(p);
		if (in_default)
			name = node_number(p, DEFAULT_ARGUMENT, number, name);
	}
	/* It would look like the type of what is in the function. */
	if (function->kind == TYPED && function->right->kind == FUNCTION)
		function->right->left = NULL;
	return node_new(p, LOCAL, function, name);
}

static struct node *
parse_name(struct parser *p, bool remembered)
{
	struct node *name, *scope = NULL, *module = NULL;
	bool known = false;		/* it is S_ */

	if (eat(p, 'N'))
		name = parse_nested_name(p);
	else if (eat(p, 'Z'))
		name = parse_local_name(p);
	else if (peek(p) == 'U')
		name = parse_unqualified_name(p, NULL, NULL);
	else {
		/* St3foo, S_, or S1_3foo of a module S1_ */
		if (eat_two(p, 'S', 't'))
			scope = node_text(p, NAME, STR("std"));
		if (peek(p) == 'S') {
			module = parse_substitution(p, false);
			known = !is_module(module);
		}
		name = !known ? parse_unqualified_name(p, scope, module) :
		    scope != NULL ? fail(p) : module;
		if (peek(p) == 'I') {
			if (!known)
				remember(p, name);
			known = false;
			name = node_new(p, TEMPLATE, name,
			    parse_template_arguments(p));
		}
	}
	if (remembered && !known)
		remember(p, name);
	return name;
}

/* Expressions: in template arguments, decltype, noexcept, lengths of arrays. */

static struct node *parse_operand(struct parser *p);

/* Reads expressions up to `end`, and passes that. */
static struct node *
parse_expressions(struct parser *p, char end)
{
	struct node *list = NULL, **hole = &list;

	if (eat(p, end))
		return node_new(p, LIST, NULL, NULL);
	do
		hole = append(p, hole, LIST, parse_operand(p));
	while (!p->failed && !eat(p, end));
	return list;
}

/* Reads what one letter of an operator's row says: see struct operator. */
static struct node *
parse_operand_of(struct parser *p, char letter)
{
	char c = peek(p), next = peek_second(p);

	switch (letter) {
	case 't':
		return parse_type(p);
	case 'o':
		return parse_operator_name(p);
	case 'n':
		return parse_unqualified_name(p, NULL, NULL);
	case 'm':
		if ((c == 'g' && next == 's') || (c == 's' && next == 'r'))
			break;
		return with_arguments(p, parse_unqualified_name(p, NULL, NULL));
	case 'a':
		return parse_template_arguments_rest(p);
	case 'l':
		return parse_expressions(p, 'E');
	case 'p':
		return parse_expressions(p, '_');
	case 'i':
		if (eat_two(p, 'p', 'i'))
			return parse_expressions(p, 'E');
		if (c == 'i' && next == 'l')
			break;
		expect(p, 'E');
		return NULL;
	case 'c':
		if (eat(p, '_'))
			return parse_expressions(p, 'E');
		break;
	}
	return parse_operand(p);
}

static struct node *
parse_operation(struct parser *p)
{
	struct node *operator = parse_operator_name(p);
	struct node *list = NULL, **hole = &list;
	const char *letter;

	if (operator->kind == OPERATOR)
		letter = cxxtree_operators[operator->number].operands;
	else if (operator->kind == CAST)
		letter = "c";
	else if (operator->kind == VENDOR_OPERATOR && operator->number < 2)
		letter = operator->number == 1 ? "e" : "";
	else
		return fail(p);
	if (*letter == '\0')
		return node_new(p, NULLARY, operator, NULL);
	if (*letter == '_' && !eat(p, '_'))
		return node_new(p, POSTFIX, parse_operand(p), operator);
	for (; *letter != '\0'; letter++)
		hole = append(p, hole, OPERANDS, parse_operand_of(p, *letter));
	return node_new(p, OPERATION, operator, list);
}

static struct node *
parse_any_expression(struct parser *p)
{
	char c = peek(p);
	struct node *node;
	int number;

	if (c == 'L')
		return parse_literal(p);
	if (c == 'T')
		return parse_template_parameter(p);
	/* 5.1.6 <unresolved-name>: a type or a prefix, E, a name (read_old) */
	if (eat_two(p, 's', 'r')) {
		c = peek(p);
		if (!p->read_old && (is_digit(c) || is_lower(c) ||
		    c == 'C' || c == 'U' || c == 'L')) {
			p->was_ambiguous = true;
			node = parse_prefix(p, false);
			eat(p, 'E');
		} else
			node = parse_type(p);
		return with_arguments(p, parse_unqualified_name(p, node, NULL));
	}
	if (eat_two(p, 's', 'p'))
		return node_new(p, PACK_EXPANSION, parse_operand(p), NULL);
	if (eat_two(p, 'f', 'p')) {	/* 5.1.5.9; fpT is this */
		number = eat(p, 'T') ? -1 : parse_index(p);
		return number == INT_MAX ? fail(p) :
		    node_number(p, FUNCTION_PARAMETER, number + 1, NULL);
	}
	if (is_digit(c) || eat_two(p, 'o', 'n'))
		return with_arguments(p, parse_unqualified_name(p, NULL, NULL));
	if (eat_two(p, 'i', 'l'))	/* <expression>* E */
		return node_new(p, INITIALIZER, node_text(p, NAME, STR("")),
		    parse_expressions(p, 'E'));
	if (eat_two(p, 't', 'l')) {	/* <type> <expression>* E */
		node = parse_type(p);
		return node_new(p, INITIALIZER, node,
		    parse_expressions(p, 'E'));
	}
	if (eat(p, 'u')) {
		node = parse_source_name(p);
		return node_new(p, VENDOR_EXPRESSION, node,
		    parse_template_arguments_rest(p));
	}
	return parse_operation(p);
}

/* Reads an expression within another one. */
static struct node *
parse_operand(struct parser *p)
{
	return parse_within(p, parse_any_expression);
}

static struct node *
parse_expression(struct parser *p)
{
	bool was_expression = p->in_expression;
	struct node *node;

	p->in_expression = true;
	node = parse_operand(p);
	p->in_expression = was_expression;
	return node;
}

static struct node *
parse_constraint(struct parser *p, struct node *node)
{
	if (eat(p, 'Q'))
		node = node_new(p, CONSTRAINED, node, parse_expression(p));
	return node;
}

/* Li42E, Lin1E, LDnE; the value is any text. */
static struct node *
parse_literal(struct parser *p)
{
	struct node *type;
	const char *start;
	enum kind kind;

	expect(p, 'L');
	/* L_Z3fooE, LZ3fooE: a function or a variable */
	if (peek(p) == '_' || peek(p) == 'Z') {
		eat(p, '_');
		expect(p, 'Z');
		type = parse_encoding(p);
		expect(p, 'E');
		return type;
	}
	type = parse_type(p);
	if (type->kind == BUILTIN && type->number == AS_NULLPTR && eat(p, 'E'))
		return type;
	kind = eat(p, 'n') ? NEGATIVE_LITERAL : LITERAL;
	start = p->next;
	while (peek(p) != 'E' && peek(p) != '\0')
		p->next++;
	if (p->next == start)
		return fail(p);
	type = node_new(p, kind, type, node_text(p, NAME,
	    (struct str){ start, (size_t)(p->next - start) }));
	expect(p, 'E');
	return type;
}

/* Special names: compilers make them for a class, a function or a variable. */

/*
 * The rest of a special name, after its code: a type, a name, an argument, a
 * module, an encoding; or an encoding after one offset, or after two.
 */
static const struct special {
	char code[3], rest;
	const char *text;
} specials[] = {
	{ "TV", 't', "vtable for " },
	{ "TT", 't', "VTT for " },
	{ "TI", 't', "typeinfo for " },
	{ "TS", 't', "typeinfo name for " },
	{ "TF", 't', "typeinfo fn for " },
	{ "TJ", 't', "java Class for " },
	{ "TH", 'n', "TLS init function for " },
	{ "TW", 'n', "TLS wrapper function for " },
	{ "TA", 'a', "template parameter object for " },
	{ "Th", '1', "non-virtual thunk to " },
	{ "Tv", '1', "virtual thunk to " },
	{ "Tc", '2', "covariant return thunk to " },
	{ "GV", 'n', "guard variable for " },
	{ "GA", 'e', "hidden alias for " },
	{ "GI", 'm', "initializer for module " },
};

/* Skips 5.1.4.2 <call-offset>: h16_ or v0_n24_. */
static void
skip_offset(struct parser *p)
{
	bool is_virtual = eat(p, 'v');

	if (!is_virtual)
		expect(p, 'h');
	parse_number(p);
	expect(p, '_');
	if (is_virtual) {
		parse_number(p);
		expect(p, '_');
	}
}

static struct node *
parse_rest(struct parser *p, char rest)
{
	struct node *module;

	switch (rest) {
	case 't':
		return parse_type(p);
	case 'n':
		return parse_name(p, false);
	case 'a':
		return parse_template_argument(p);
	case 'm':
		module = parse_module(p, NULL);
		return module != NULL ? module : fail(p);
	case '1':
		p->next--;	/* the code ends with the offset's letter */
		skip_offset(p);
		break;
	case '2':
		skip_offset(p);
		skip_offset(p);
		break;
	}
	return parse_encoding(p);
}

/* Reads 5.1.4 <special-name>: T or G and more. */
static struct node *
parse_special_name(struct parser *p)
{
	const struct special *special = specials;
	const struct special *end = special +
	    sizeof(specials) / sizeof(*special);
	struct node *node;
	bool within;

	/* <derived type> <offset> _ <base type> */
	if (eat_two(p, 'T', 'C')) {
		node = parse_type(p);
		if (parse_number(p) < 0)
			return fail(p);
		expect(p, '_');
		return node_new(p, CONSTRUCTION_VTABLE, parse_type(p), node);
	}
	/* 5.1.4.5 <name> [<number>], an object for a reference */
	if (eat_two(p, 'G', 'R')) {
		node = parse_name(p, false);
		return node_new(p, REFERENCE_TEMPORARY, node_number(p, NUMBER,
		    parse_number(p), NULL), node);
	}
	/* 5.1.4.6 GTt, GTn <encoding> */
	if (eat_two(p, 'G', 'T')) {
		within = !eat(p, 'n');
		if (within && peek(p) != '\0')
			p->next++;
		return node_special(p, within ? "transaction clone for " :
		    "non-transaction clone for ",
		    parse_encoding(p));
	}
	for (; special < end; special++)
		if (eat_two(p, special->code[0], special->code[1]))
			return node_special(p, special->text,
			    parse_rest(p, special->rest));
	return fail(p);
}

/* Whole names. */

/*
 * True if the type of a function begins with what it returns (5.1.5.3): for
 * templates, but constructors, destructors and conversion operators.
 */
static bool
has_return_type(const struct node *name)
{
	while (name != NULL &&
	    (name->kind == LOCAL || is_function_qualifier(name)))
		name = name->kind == LOCAL ? name->right : name->left;
	if (name == NULL || name->kind != TEMPLATE)
		return false;
	name = name->left;
	while (name != NULL && (name->kind == QUALIFIED || name->kind == LOCAL))
		name = name->right;
	return name == NULL || (name->kind != CONSTRUCTOR &&
	    name->kind != DESTRUCTOR && name->kind != CONVERSION);
}

static struct node *
parse_function(struct parser *p)
{
	struct node *name = parse_name(p, false), *type;

	if (p->failed)
		return name;
	if (peek(p) == '\0' || peek(p) == 'E')
		return name;		/* a variable */
	type = parse_bare_function(p, has_return_type(name));
	if (name->kind == LOCAL)
		type->left = NULL;
	return node_new(p, TYPED, name, parse_constraint(p, type));
}

/* Reads a function's name alone, without a member's "const". */
static struct node *
parse_function_name(struct parser *p)
{
	struct node *name = parse_name(p, false);

	while (!p->failed && is_function_qualifier(name))
		name = name->left;
	while (!p->failed && name->kind == LOCAL &&
	    is_function_qualifier(name->right))
		name->right = name->right->left;
	return name;
}

static struct node *
parse_encoding(struct parser *p)
{
	return parse_within(p, peek(p) == 'G' || peek(p) == 'T' ?
	    parse_special_name : parse_function);
}

/* True for _GLOBAL__I_main, _GLOBAL_.D__ZN1a1bE: run before main and after. */
static bool
is_global(struct str mangled)
{
	return mangled.len > 11 && str_starts(mangled, STR("_GLOBAL_")) &&
	    strchr("._$", mangled.data[8]) != NULL &&
	    (mangled.data[9] == 'D' || mangled.data[9] == 'I') &&
	    mangled.data[10] == '_';
}

/* Reads 5.1.2 <mangled-name>, _Z <encoding>. */
static struct node *
parse(struct parser *p, struct str mangled, struct arena *arena, bool read_old,
    enum demangle_parameters parameters)
{
	struct node *node;

	memset(p, 0, offsetof(struct parser, known));
	p->next = mangled.data;
	p->end = mangled.data + mangled.len;
	p->arena = arena;
	p->read_old = read_old;
	if (is_global(mangled)) {
		p->next += 11;
		node = eat_two(p, '_', 'Z') ? parse_encoding(p) :
		    node_text(p, NAME, str_skip(mangled, 11));
		return node_special(p, mangled.data[9] == 'I' ?
		    "global constructors keyed to " :
		    "global destructors keyed to ", node);
	}
	if (!eat_two(p, '_', 'Z'))
		return fail(p);
	return parameters == WITH_PARAMETERS || peek(p) == 'G' ||
	    peek(p) == 'T' ? parse_encoding(p) :
	    parse_within(p, parse_function_name);
}

bool
cxx_demangle(struct str mangled, enum demangle_parameters parameters,
    struct text *out)
{
	struct arena arena = { 0 };
	struct parser parser;
	struct node *tree;
	bool done;

	if (mangled.len > LONGEST || !(is_global(mangled) ||
	    str_starts(mangled, STR("_Z"))))
		return false;
	tree = parse(&parser, mangled, &arena, false, parameters);
	if (parser.failed && parser.was_ambiguous)
		tree = parse(&parser, mangled, &arena, true, parameters);
	done = !parser.failed && cxxtree_print(tree, &arena, out);
	arena_free(&arena);
	return done;
}
