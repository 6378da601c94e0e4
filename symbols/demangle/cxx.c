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
	struct node nothing;	/* in place of what could not be read */

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

/* Reads 5.1.6 <expression>. */
static struct node *parse_expression(struct parser *p);

/* Reads 5.1.6.1 <expr-primary>: L and more. */
static struct node *parse_literal(struct parser *p);

/* Reads what a letter of a struct production says. */
static struct node *parse_part(struct parser *p, char letter);

/* Nodes of the tree. */

/* Sets failed.  Returns a node that nobody will print. */
static struct node *
fail(struct parser *p)
{
	p->failed = true;
	p->end = p->next;
	return &p->nothing;
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
node_format(struct parser *p, enum kind kind, const char *format,
    struct node *left, struct node *right)
{
	struct node *node = node_new(p, kind, left, right);

	node->format = format;
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
node_number(struct parser *p, enum kind kind, int number)
{
	struct node *node = node_new(p, kind, NULL, NULL);

	node->number = number;
	return node;
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

/* Passes a text; false if another one is there. */
static bool
eat(struct parser *p, const char *text)
{
	const char *at;

	for (at = p->next; *text != '\0'; at++, text++)
		if (at == p->end || *at != *text)
			return false;
	p->next = at;
	return true;
}

/*
 * Passes the code that a row begins with, and returns the row; NULL if no row
 * has it.  Rows are of `size` bytes; the last one has an empty code.
 */
static const void *
eat_code(struct parser *p, const void *rows, size_t size)
{
	const char *code;
	char c = peek(p);

	for (code = rows; *code != '\0'; code += size)
		if (*code == c && eat(p, code))
			return code;
	return NULL;
}

/* Passes a text, or fails. */
static void
expect(struct parser *p, const char *text)
{
	if (!eat(p, text))
		fail(p);
}

/*
 * Reads [n] <decimal number>; returns 0 where there is no digit, and -1 where
 * the number does not fit an int.
 */
static int
parse_number(struct parser *p)
{
	bool negative = eat(p, "n");
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

	if (eat(p, "_"))
		return 0;
	number = peek(p) == 'n' ? -1 : parse_number(p);
	if (number < 0 || number >= INT_MAX - 1 || !eat(p, "_")) {
		fail(p);
		return -1;
	}
	return number + 1;
}

/* Reads the same, as a node of the number from 1. */
static struct node *
parse_index_node(struct parser *p)
{
	return node_number(p, NUMBER, parse_index(p) + 1);
}

/*
 * A code and what follows it.  The parts of the node have a letter each, and
 * are read in this order; a space is nothing.
 *
 *	t	type
 *	s	source name
 *	u	source name with template arguments, if any
 *	x	expression and E
 *	w	types and E
 *	h	declared template parameters and E
 *	p	one of these
 *	d	length of an array and "_", may be nothing
 *	v	length of a vector and "_"
 *	n	name
 *	a	template argument
 *	m	module
 *	f, g	encoding, and after a letter
 *	1, 2	encoding after one offset, or after two
 *	#	number
 *	b	number, "_" and a type
 */
struct production {
	char code[4];
	unsigned char kind;
	char right, left;
	const char *format;
};

/* Reads a production of a table; returns NULL if no code is there. */
static struct node *
parse_production(struct parser *p, const struct production *table)
{
	const struct production *row = eat_code(p, table, sizeof(*table));
	struct node *right;

	if (row == NULL)
		return NULL;
	right = parse_part(p, row->right);
	return node_format(p, row->kind, row->format, parse_part(p, row->left),
	    right);
}

/* Names in the source, and their abbreviations. */

/* True for _GLOBAL_, one of "._$", and one of the letters. */
static bool
starts_global(struct str name, const char *letters)
{
	return name.len >= 10 && str_starts(name, STR("_GLOBAL_")) &&
	    strchr("._$", name.data[8]) != NULL &&
	    strchr(letters, name.data[9]) != NULL;
}

/* Reads 5.1.2 <source-name>: 3foo. */
static struct node *
parse_source_name(struct parser *p)
{
	int len = parse_number(p);
	struct str name = { p->next, (size_t)len };

	if (len <= 0 || p->end - p->next < len)
		return fail(p);
	p->next += len;
	if (starts_global(name, "N"))		/* _GLOBAL__N_1 */
		name = STR("(anonymous namespace)");
	return p->last_name = node_text(p, NAME, name);
}

/* Reads W3foo, a module of GCC; returns the parent if there is no W. */
static struct node *
parse_module(struct parser *p, struct node *parent)
{
	struct node *name;
	bool is_part;

	while (eat(p, "W")) {
		is_part = eat(p, "P");
		name = parse_source_name(p);
		parent = parent == NULL ? node_format(p, MODULE,
		    is_part ? ":%n" : "%n", name, NULL) :
		    node_format(p, MODULE, is_part ? "%n:%n" : "%n.%n", parent,
		    name);
		remember(p, parent);
	}
	return parent;
}

/* Reads 5.1.2 <abi-tags>, B5cxx11; returns the name with them, if any. */
static struct node *
parse_abi_tags(struct parser *p, struct node *name)
{
	struct node *last_name = p->last_name;

	while (eat(p, "B"))
		name = node_format(p, TAGGED, "%n[abi:%n]", name,
		    parse_source_name(p));
	p->last_name = last_name;
	return name;
}

static const struct abbreviation {
	char code[2];
	const char *name, *whole, *constructor;
} abbreviations[] = {
	{ "t", "std", "std", NULL },
	{ "a", "std::allocator", "std::allocator", "allocator" },
	{ "b", "std::basic_string", "std::basic_string", "basic_string" },
	{ "s", "std::string", "std::basic_string<char, "
	    "std::char_traits<char>, std::allocator<char> >", "basic_string" },
	{ "i", "std::istream", "std::basic_istream<char, "
	    "std::char_traits<char> >", "basic_istream" },
	{ "o", "std::ostream", "std::basic_ostream<char, "
	    "std::char_traits<char> >", "basic_ostream" },
	{ "d", "std::iostream", "std::basic_iostream<char, "
	    "std::char_traits<char> >", "basic_iostream" },
	{ "", NULL, NULL, NULL }
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
	const struct abbreviation *a;
	struct node *node;
	bool whole;

	expect(p, "S");
	a = eat_code(p, abbreviations, sizeof(*abbreviations));
	if (a == NULL)
		return parse_known(p);
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
	if (eat(p, "X"))
		return parse_part(p, 'x');
	if (peek(p) == 'L')
		return parse_literal(p);
	if (peek(p) == 'I' || peek(p) == 'J')
		return parse_template_arguments(p);
	return parse_type(p);
}

/* Reads Q <expression>; returns the node with what it requires, if any. */
static struct node *
parse_constraint(struct parser *p, struct node *node)
{
	if (eat(p, "Q"))
		node = node_format(p, CONSTRAINED, "%n requires %n", node,
		    parse_expression(p));
	return node;
}

/* Reads 5.1.5.10 <template-args> after its I or J. */
static struct node *
parse_template_arguments_rest(struct parser *p)
{
	struct node *list = NULL, **hole = &list;
	struct node *last_name = p->last_name;

	if (eat(p, "E"))
		return node_new(p, TEMPLATE_ARGUMENTS, NULL, NULL);
	do
		hole = append(p, hole, TEMPLATE_ARGUMENTS,
		    parse_template_argument(p));
	while (!p->failed && peek(p) != 'E' && peek(p) != 'Q');
	p->last_name = last_name;
	list = parse_constraint(p, list);
	expect(p, "E");
	return list;
}

static struct node *
parse_template_arguments(struct parser *p)
{
	if (!eat(p, "J"))
		expect(p, "I");
	return parse_within(p, parse_template_arguments_rest);
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
	expect(p, "T");
	return node_number(p, TEMPLATE_PARAMETER, parse_index(p));
}

/* Types. */

static const struct builtin {
	char code[6];
	const char *name;
	const char *literal;	/* format of its text; NULL: (char)97 */
} builtins[] = {
	{ "i", "int", "%n" }, { "v", "void", NULL },
	{ "b", "bool", NULL }, { "c", "char", NULL },
	{ "m", "unsigned long", "%nul" }, { "l", "long", "%nl" },
	{ "j", "unsigned int", "%nu" }, { "d", "double", "[%n]" },
	{ "h", "unsigned char", NULL }, { "a", "signed char", NULL },
	{ "t", "unsigned short", NULL }, { "s", "short", NULL },
	{ "w", "wchar_t", NULL }, { "x", "long long", "%nll" },
	{ "y", "unsigned long long", "%null" },
	{ "f", "float", "[%n]" }, { "e", "long double", "[%n]" },
	{ "g", "__float128", "[%n]" }, { "n", "__int128", NULL },
	{ "o", "unsigned __int128", NULL }, { "z", "...", NULL },
	{ "Df", "decimal32", NULL }, { "Dd", "decimal64", NULL },
	{ "De", "decimal128", NULL }, { "Dh", "half", "[%n]" },
	{ "Du", "char8_t", NULL }, { "Ds", "char16_t", NULL },
	{ "Di", "char32_t", NULL }, { "Dn", "decltype(nullptr)", NULL },
	{ "DF16b", "std::bfloat16_t", "[%n]" }, { "", NULL, NULL }
};

static bool
is_builtin(const struct node *node, struct str name)
{
	return node->kind == BUILTIN && str_equal(node->text, name);
}

/* Reads a small letter but u, or D and more: Da is auto, DF16_ is _Float16. */
static struct node *
parse_builtin(struct parser *p)
{
	const struct builtin *type = eat_code(p, builtins, sizeof(*builtins));
	struct node *node;

	if (type != NULL) {
		node = node_text(p, BUILTIN, str_from(type->name));
		node->format = type->literal;
		return node;
	}
	if (eat(p, "Da"))
		return node_text(p, NAME, STR("auto"));
	if (eat(p, "Dc"))
		return node_text(p, NAME, STR("decltype(auto)"));
	if (!eat(p, "DF"))
		return fail(p);
	/* DF16_: _Float16, DF32x: _Float32x */
	node = node_number(p, NUMBER, parse_number(p));
	if (eat(p, "x"))
		return node_format(p, FORMATTED, "_Float%nx", node, NULL);
	expect(p, "_");
	return node_format(p, FORMATTED, "_Float%n", node, NULL);
}

static const struct production qualifiers[] = {
	{ "K", CV, ' ', ' ', " const" },
	{ "V", CV, ' ', ' ', " volatile" },
	{ "r", CV, ' ', ' ', " restrict" },
	{ "Dx", FUNCTION_QUALIFIER, ' ', ' ', " transaction_safe" },
	{ "Do", FUNCTION_QUALIFIER, ' ', ' ', " noexcept" },
	{ "DO", FUNCTION_QUALIFIER, 'x', ' ', " noexcept(%n)" },
	{ "Dw", FUNCTION_QUALIFIER, 'w', ' ', " throw(%n)" },
	{ "", NAME, ' ', ' ', NULL }
};

/*
 * Reads 5.1.5.1 <CV-qualifiers>, noexcept and throw, of a type or of `this`.
 * Stores the outermost in *hole, and returns where to store what is qualified.
 */
static struct node **
parse_qualifiers(struct parser *p, struct node **hole, bool of_this)
{
	struct node **end = hole, *node;

	while ((node = parse_production(p, qualifiers)) != NULL) {
		*end = node;
		end = &node->left;
	}
	if (of_this || peek(p) == 'F')
		for (; hole != end; hole = &(*hole)->left)
			(*hole)->kind = FUNCTION_QUALIFIER;
	return end;
}

/* Reads 5.1.5.1 <ref-qualifier> of a function; returns the function if none. */
static struct node *
parse_reference_qualifier(struct parser *p, struct node *of)
{
	if (eat(p, "R"))
		return node_format(p, FUNCTION_REFERENCE, " &", of, NULL);
	if (eat(p, "O"))
		return node_format(p, FUNCTION_REFERENCE, " &&", of, NULL);
	return of;
}

/* Reads types up to the end of parameters; returns an empty LIST for void. */
static struct node *
parse_parameters(struct parser *p)
{
	struct node *list = NULL, **hole = &list;

	/* up to the end, or to a ref-qualifier before it */
	while (strchr("E.Q", peek(p)) == NULL &&
	    (peek_second(p) != 'E' || strchr("RO", peek(p)) == NULL))
		hole = append(p, hole, LIST, parse_type(p));
	if (list == NULL)
		return fail(p);
	if (list->right == NULL && is_builtin(list->left, STR("void")))
		list->left = NULL;
	return list;
}

/* Reads 5.1.5.3 <bare-function-type>; `returns` if the result comes first. */
static struct node *
parse_bare_function(struct parser *p, bool returns)
{
	struct node *type = NULL;

	if (eat(p, "J") || returns)
		type = parse_type(p);
	return node_new(p, FUNCTION, type, parse_parameters(p));
}

/* Reads 5.1.5.3 <function-type>, F [Y] <type>+ [<ref-qualifier>] E. */
static struct node *
parse_function_type(struct parser *p)
{
	struct node *type;

	expect(p, "F");
	eat(p, "Y");			/* extern "C" */
	type = parse_bare_function(p, true);
	type = parse_reference_qualifier(p, type);
	expect(p, "E");
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
		return with_arguments(p, type);
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

static const struct production types[] = {
	{ "P", POINTER, ' ', 't', "*" },
	{ "R", REFERENCE, ' ', 't', "&" },
	{ "O", RVALUE_REFERENCE, ' ', 't', "&&" },
	{ "C", POINTER, ' ', 't', " _Complex" },
	{ "G", POINTER, ' ', 't', " _Imaginary" },
	{ "U", POINTER, 'u', 't', " %n" },
	{ "M", MEMBER_POINTER, 't', 't', " %n::*" },
	{ "A", ARRAY, 'd', 't', NULL },
	{ "Dv", VECTOR, 'v', 't', " __vector(%n)" },
	{ "Dt", FORMATTED, ' ', 'x', "decltype (%n)" },
	{ "DT", FORMATTED, ' ', 'x', "decltype (%n)" },
	{ "Dp", PACK_EXPANSION, ' ', 't', NULL },
	{ "u", FORMATTED, ' ', 's', "%n" },
	{ "", NAME, ' ', ' ', NULL }
};

static struct node *
parse_any_type(struct parser *p)
{
	struct node *node, **hole = parse_qualifiers(p, &node, false), *core;
	bool local = peek(p) == 'Z';

	if (hole != &node) {			/* 5.1.5.1 <qualified-type> */
		core = peek(p) == 'F' ? parse_function_type(p) : parse_type(p);
		*hole = core;
		if (core->kind == FUNCTION_REFERENCE && !local) {
			*hole = core->left;	/* "const &", not "& const" */
			core->left = node;
			node = core;
		}
	} else if (peek(p) == 'F')
		node = parse_function_type(p);
	else if (peek(p) == 'T')
		node = parse_parameter_type(p);
	else
		node = parse_production(p, types);
	if (node == NULL)	/* builtin, or 5.1.5.5 <class-enum-type> */
		return is_lower(peek(p)) || peek(p) == 'D' ? parse_builtin(p) :
		    parse_name(p, true);
	remember(p, node);
	return node;
}

static struct node *
parse_type(struct parser *p)
{
	return parse_within(p, parse_any_type);
}

/* Unqualified names. */

static const struct operator operators[] = {
	{ "aN", "ee", "&=", NULL }, { "aS", "ee", "=", NULL },
	{ "aa", "ee", "&&", NULL }, { "ad", "e", "&", NULL },
	{ "an", "ee", "&", NULL },
	{ "at", "e", "alignof ", NULL },	/* of a type */
	{ "aw", "e", "co_await ", NULL },
	{ "az", "e", "alignof ", NULL },	/* of an expression */
	{ "cc", "te", "const_cast", "const_cast<%n>(%n)" },
	{ "cl", "el", "()", "%o%o" }, { "cm", "ee", ",", NULL },
	{ "co", "e", "~", NULL }, { "dV", "ee", "/=", NULL },
	{ "dX", "eev", "[...]=", "[%n ... %n]%n" },	/* [1 ... 9] = value */
	{ "da", "e", "delete[] ", NULL },
	{ "dc", "te", "dynamic_cast", "dynamic_cast<%n>(%n)" },
	{ "de", "e", "*", NULL },
	{ "di", "nv", "=", ".%n%n" },	/* .member = value */
	{ "dl", "e", "delete ", NULL }, { "ds", "ee", ".*", NULL },
	{ "dt", "em", ".", NULL }, { "dv", "ee", "/", NULL },
	{ "dx", "ev", "]=", "[%n]%n" },	/* [1] = value */
	{ "eO", "ee", "^=", NULL }, { "eo", "ee", "^", NULL },
	{ "eq", "ee", "==", NULL },
	{ "fL", "oee", "...", NULL },	/* folds: (0 + ... + x) */
	{ "fR", "oee", "...", NULL },	/* (x + ... + 0) */
	{ "fl", "oe", "...", NULL },	/* (... + x) */
	{ "fr", "oe", "...", NULL },	/* (x + ...) */
	{ "ge", "ee", ">=", NULL }, { "gs", "e", "::", "::%n" },
	{ "gt", "ee", ">", "(%o>%o)" }, { "ix", "ee", "[]", "%o[%n]" },
	{ "lS", "ee", "<<=", NULL }, { "le", "ee", "<=", NULL },
	{ "li", "e", "operator\"\" ", NULL }, { "ls", "ee", "<<", NULL },
	{ "lt", "ee", "<", NULL }, { "mI", "ee", "-=", NULL },
	{ "mL", "ee", "*=", NULL }, { "mi", "ee", "-", NULL },
	{ "ml", "ee", "*", NULL }, { "mm", "_", "--", NULL },
	{ "na", "pti", "new[]", NULL }, { "ne", "ee", "!=", NULL },
	{ "ng", "e", "-", NULL }, { "nt", "e", "!", NULL },
	{ "nw", "pti", "new", NULL }, { "nx", "e", "noexcept", "noexcept(%n)" },
	{ "oR", "ee", "|=", NULL }, { "oo", "ee", "||", NULL },
	{ "or", "ee", "|", NULL }, { "pL", "ee", "+=", NULL },
	{ "pl", "ee", "+", NULL }, { "pm", "ee", "->*", NULL },
	{ "pp", "_", "++", NULL }, { "ps", "e", "+", NULL },
	{ "pt", "em", "->", NULL }, { "qu", "eee", "?", "%o?%o : %o" },
	{ "rM", "ee", "%=", NULL }, { "rS", "ee", ">>=", NULL },
	{ "rc", "te", "reinterpret_cast", "reinterpret_cast<%n>(%n)" },
	{ "rm", "ee", "%", NULL }, { "rs", "ee", ">>", NULL },
	{ "sP", "a", "sizeof...", NULL },	/* of a pack's arguments */
	{ "sZ", "e", "sizeof...", NULL },	/* of a parameter pack */
	{ "sc", "te", "static_cast", "static_cast<%n>(%n)" },
	{ "ss", "ee", "<=>", NULL },
	{ "st", "t", "sizeof ", "sizeof (%n)" },	/* of a type */
	{ "sz", "e", "sizeof ", NULL },	/* of an expression */
	{ "tr", "", "throw", NULL },	/* throw; */
	{ "tw", "e", "throw ", NULL },	/* throw x; */
	{ "", "", "", NULL }
};

/* Reads 5.1.3 <operator-name>; returns an operator, a cast or a conversion. */
static struct node *
parse_operator_name(struct parser *p)
{
	bool was_conversion = p->in_conversion;
	struct node *node;

	if (peek(p) == 'v' && is_digit(peek_second(p))) {
		p->next += 2;
		return node_format(p, FORMATTED, "operator %n",
		    parse_source_name(p), NULL);
	}
	if (eat(p, "cv")) {
		p->in_conversion = !p->in_expression;
		node = node_new(p, p->in_conversion ? CONVERSION : CAST,
		    parse_type(p), NULL);
		p->in_conversion = was_conversion;
		return node;
	}
	node = node_new(p, OPERATOR, NULL, NULL);
	node->operator = eat_code(p, operators, sizeof(*operators));
	return node->operator != NULL ? node : fail(p);
}

/* Reads "pl" and, in expressions, "onpl"; "li2_x" is operator"" _x. */
static struct node *
parse_operator(struct parser *p)
{
	bool was_expression = p->in_expression, is_literal;
	struct node *node;

	if (eat(p, "on"))
		p->in_expression = false;
	is_literal = peek(p) == 'l' && peek_second(p) == 'i';
	node = parse_operator_name(p);
	p->in_expression = was_expression;
	return !is_literal ? node : node_new(p, OPERATION, node,
	    node_new(p, LIST, parse_source_name(p), NULL));
}

/* Reads 5.1.4.3 <ctor-dtor-name>: C1, D2; CI1 <type> is inherited. */
static struct node *
parse_constructor(struct parser *p)
{
	bool is_constructor = eat(p, "C");
	bool inherited = is_constructor && eat(p, "I");

	if (!is_constructor)
		expect(p, "D");
	if (peek(p) == '\0' ||
	    strchr(is_constructor ? "12345" : "01245", peek(p)) == NULL)
		return fail(p);
	p->next++;
	if (inherited)
		parse_type(p);		/* the base, whose name it has */
	if (p->last_name == NULL)
		return fail(p);
	return node_format(p, CONSTRUCTOR, is_constructor ? "%n" : "~%n",
	    p->last_name, NULL);
}

/* Skips 5.1.7 <discriminator>, _3 or __12_, if it is there. */
static void
skip_discriminator(struct parser *p)
{
	bool two;
	int number;

	if (!eat(p, "_"))
		return;
	two = eat(p, "_");
	number = parse_number(p);
	if (number < 0)
		fail(p);
	if (number >= 10 && two)
		expect(p, "_");
}

/* 5.1.8 <template-param-decl> */
static const struct production declarations[] = {
	{ "Ty", TYPE_PARAMETER, ' ', ' ', "typename" },
	{ "Tn", VALUE_PARAMETER, ' ', 't', "%n" },
	{ "Tt", HEAD_PARAMETER, ' ', 'h', "template<%n> class" },
	{ "Tp", PACK_PARAMETER, ' ', 'p', "%n..." },
	{ "", NAME, ' ', ' ', NULL }
};

static struct node *
parse_declaration(struct parser *p)
{
	struct node *node = parse_production(p, declarations);

	return node != NULL ? node : fail(p);
}

/* Reads any number of these. */
static struct node *
parse_declarations(struct parser *p)
{
	struct node *list = NULL, **hole = &list;

	while (peek(p) == 'T' && strchr("yntp", peek_second(p)) != NULL)
		hole = append(p, hole, LIST,
		    parse_within(p, parse_declaration));
	return list != NULL ? list : node_new(p, LIST, NULL, NULL);
}

static struct node *
parse_plain_name(struct parser *p)
{
	char c = peek(p);
	struct node *node = NULL, **hole = &node;

	if (is_digit(c))
		return parse_source_name(p);
	if (is_lower(c))
		return parse_operator(p);
	if (eat(p, "DC")) {	/* 1a1bE, of auto [a, b] */
		do
			hole = append(p, hole, LIST, parse_source_name(p));
		while (!p->failed && peek(p) != 'E');
		expect(p, "E");
		return node_format(p, FORMATTED, "[%n]", node, NULL);
	}
	if (c == 'C' || c == 'D')
		return parse_constructor(p);
	/* Ul <template-param-decl>* <type>+ E [<number>] _ */
	if (eat(p, "Ul")) {
		node = node_new(p, LAMBDA, parse_declarations(p), NULL);
		node->right = parse_parameters(p);
		expect(p, "E");
		node->number = parse_index(p);
		return node;
	}
	if (eat(p, "L")) {
		node = parse_source_name(p);
		skip_discriminator(p);
		return node;
	}
	if (!eat(p, "Ut"))	/* [<number>] _ */
		return fail(p);
	node = node_format(p, UNNAMED, "{unnamed type#%n}", parse_index_node(p),
	    NULL);
	remember(p, node);
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
	is_friend = eat(p, "F");
	name = parse_plain_name(p);
	if (module != NULL)
		name = node_format(p, FORMATTED, "%n@%n", name, module);
	name = parse_abi_tags(p, name);
	if (is_friend)
		name = node_format(p, FORMATTED, "%n[friend]", name, NULL);
	if (scope != NULL)
		name = node_format(p, QUALIFIED, "%n::%n", scope, name);
	return name;
}

/* Names. */

/*
 * N 3std 6vector I..E 3foo E, without its N and E.  Every part that it begins
 * with is something that a substitution may mean, but not the whole.
 */
static struct node *
parse_prefix(struct parser *p, bool remembered)
{
	struct node *node = NULL, *module;

	do {
		eat(p, "M");		/* a lambda in a member's initializer */
		module = NULL;
		if (peek(p) == 'S') {
			module = parse_substitution(p, node == NULL);
			if (module->kind != MODULE) {
				if (node != NULL || peek(p) == 'E')
					return fail(p);
				node = module;
				continue;
			}
		}
		if (node != NULL && peek(p) == 'I')
			node = with_arguments(p, node);
		else if (node == NULL && peek(p) == 'T')
			node = parse_template_parameter(p);
		else if (node == NULL && peek(p) == 'D' &&
		    (peek_second(p) == 'T' || peek_second(p) == 't'))
			node = parse_type(p);
		else
			node = parse_unqualified_name(p, node, module);
		if (remembered && peek(p) != 'E')
			remember(p, node);
	} while (!p->failed && peek(p) != 'E');
	return node;
}

/* Reads 5.1.2 <nested-name>, N [<qualifiers>] <prefix> E, after its N. */
static struct node *
parse_nested_name(struct parser *p)
{
	struct node *name, **hole = &name, *reference;

	if (eat(p, "H")) {
		*hole = node_format(p, EXPLICIT_THIS, "", NULL, NULL);
		hole = &(*hole)->left;
	} else
		hole = parse_qualifiers(p, hole, true);
	reference = parse_reference_qualifier(p, NULL);
	*hole = parse_prefix(p, true);
	expect(p, "E");
	if (reference != NULL) {
		reference->left = name;
		name = reference;
	}
	return name;
}

/* Reads 5.1.7 <local-name>; the qualifiers of its name come out around all. */
static struct node *
parse_local_name(struct parser *p)
{
	struct node *function = parse_encoding(p), *name, **hole = &name;
	struct node *number = NULL;
	bool nested = false;

	expect(p, "E");
	if (eat(p, "s")) {
		skip_discriminator(p);
		name = node_text(p, NAME, STR("string literal"));
	} else {
		if (eat(p, "d"))	/* in an argument's default: d_, d0_ */
			number = parse_index_node(p);
		nested = peek(p) == 'N';
		name = parse_name(p, false);
		if (name->kind != LAMBDA && name->kind != UNNAMED)
			skip_discriminator(p);
	}
	/* It would look like the type of what is in the function. */
	if (function->kind == TYPED && function->right->kind == FUNCTION)
		function->right->left = NULL;
	while (nested && is_function_qualifier(*hole))
		hole = &(*hole)->left;
	if (number != NULL)
		*hole = node_format(p, DEFAULT_ARGUMENT,
		    "{default arg#%n}::%n", number, *hole);
	*hole = node_format(p, LOCAL, "%n::%n", function, *hole);
	return name;
}

static struct node *
parse_name(struct parser *p, bool remembered)
{
	struct node *name, *scope = NULL, *module = NULL;
	bool known = false;		/* it is S_ */

	if (eat(p, "N"))
		name = parse_nested_name(p);
	else if (eat(p, "Z"))
		name = parse_local_name(p);
	else if (peek(p) == 'U')
		name = parse_unqualified_name(p, NULL, NULL);
	else {
		/* St3foo, S_, or S1_3foo of a module S1_ */
		if (eat(p, "St"))
			scope = node_text(p, NAME, STR("std"));
		if (peek(p) == 'S') {
			module = parse_substitution(p, false);
			known = module->kind != MODULE;
		}
		name = !known ? parse_unqualified_name(p, scope, module) :
		    scope != NULL ? fail(p) : module;
		if (peek(p) == 'I') {
			if (!known)
				remember(p, name);
			known = false;
			name = with_arguments(p, name);
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
parse_expressions(struct parser *p, const char *end)
{
	struct node *list = NULL, **hole = &list;

	if (eat(p, end))
		return node_new(p, LIST, NULL, NULL);
	do
		hole = append(p, hole, LIST, parse_operand(p));
	while (!p->failed && !eat(p, end));
	return list;
}

/* Reads an operand: see struct operator. */
static struct node *
parse_operand_of(struct parser *p, char letter)
{
	char c = peek(p), next = peek_second(p);
	struct node *node;

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
		return parse_within(p, parse_template_arguments_rest);
	case 'l':
		return parse_expressions(p, "E");
	case 'p':
		return parse_expressions(p, "_");
	case 'i':
		if (eat(p, "pi"))
			return parse_expressions(p, "E");
		if (c == 'i' && next == 'l')
			break;
		expect(p, "E");
		return NULL;
	case 'c':
		if (eat(p, "_"))
			return parse_expressions(p, "E");
		break;
	case 'v':	/* "=x", but of .a.b=x or .a[1]=x not the first "=" */
		node = parse_operand(p);
		return node->kind == OPERATION &&
		    strchr(node->left->operator->operands, 'v') != NULL ? node :
		    node_format(p, FORMATTED, "=%o", node, NULL);
	}
	return parse_operand(p);
}

static struct node *
parse_operation(struct parser *p)
{
	char c = peek(p), next = peek_second(p);
	struct node *operator = parse_operator_name(p);
	struct node *list = NULL, **hole = &list;
	const char *letter;

	if (operator->kind == CAST)
		return node_format(p, FORMATTED, "(%n)%o", operator->left,
		    parse_operand_of(p, 'c'));
	if (c == 'v' && next == '0')
		return node_format(p, FORMATTED, "%n", operator, NULL);
	if (c == 'v' && next == '1')
		return node_format(p, FORMATTED, "%n%o", operator,
		    parse_operand(p));
	if (operator->kind != OPERATOR)
		return fail(p);
	letter = operator->operator->operands;
	if (*letter == '\0')
		return node_format(p, FORMATTED, "%p", operator, NULL);
	if (*letter == '_' && !eat(p, "_"))
		return node_format(p, FORMATTED, "%o%p", parse_operand(p),
		    operator);
	for (; *letter != '\0'; letter++)
		hole = append(p, hole, LIST, parse_operand_of(p, *letter));
	return node_new(p, OPERATION, operator, list);
}

static struct node *
parse_any_expression(struct parser *p)
{
	char c = peek(p);
	struct node *node;

	if (c == 'L')
		return parse_literal(p);
	if (c == 'T')
		return parse_template_parameter(p);
	/* 5.1.6 <unresolved-name>: a type or a prefix, E, a name (read_old) */
	if (eat(p, "sr")) {
		c = peek(p);
		if (!p->read_old && (is_digit(c) || is_lower(c) ||
		    c == 'C' || c == 'U' || c == 'L')) {
			p->was_ambiguous = true;
			node = parse_prefix(p, false);
			eat(p, "E");
		} else
			node = parse_type(p);
		return with_arguments(p, parse_unqualified_name(p, node, NULL));
	}
	if (eat(p, "sp"))
		return node_new(p, PACK_EXPANSION, parse_operand(p), NULL);
	if (eat(p, "fp")) {	/* 5.1.5.9; fpT is this */
		if (eat(p, "T"))
			return node_text(p, NAME, STR("this"));
		return node_format(p, PLAIN, "{parm#%n}", parse_index_node(p),
		    NULL);
	}
	if (is_digit(c) || eat(p, "on"))
		return with_arguments(p, parse_unqualified_name(p, NULL, NULL));
	if (eat(p, "il"))	/* <expression>* E */
		return node_format(p, PLAIN, "{%n}", parse_expressions(p, "E"),
		    NULL);
	if (eat(p, "tl")) {	/* <type> <expression>* E */
		node = parse_type(p);
		return node_format(p, PLAIN, "%n{%n}", node,
		    parse_expressions(p, "E"));
	}
	if (eat(p, "u")) {
		node = parse_source_name(p);
		return node_format(p, FORMATTED, "%n(%n)", node,
		    parse_within(p, parse_template_arguments_rest));
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

/* Returns 42ul, false, (char)97 or (float)[3f800000]. */
static struct node *
node_literal(struct parser *p, struct node *type, struct node *value,
    bool negative)
{
	const char *format = type->kind == BUILTIN ? type->format : NULL;
	bool is_float = format != NULL && format[0] == '[';

	if (is_builtin(type, STR("bool")) && !negative) {
		if (str_equal(value->text, STR("0")))
			return node_format(p, FORMATTED, "false", NULL, NULL);
		if (str_equal(value->text, STR("1")))
			return node_format(p, FORMATTED, "true", NULL, NULL);
	}
	if (is_float)
		value = node_format(p, FORMATTED, format, value, NULL);
	if (negative)
		value = node_format(p, FORMATTED, "-%n", value, NULL);
	return format != NULL && !is_float ?
	    node_format(p, FORMATTED, format, value, NULL) :
	    node_format(p, FORMATTED, "(%n)%n", type, value);
}

/* Li42E, Lin1E, LDnE; the value is any text. */
static struct node *
parse_literal(struct parser *p)
{
	struct node *type, *value;
	const char *start;
	bool negative;

	expect(p, "L");
	/* L_Z3fooE, LZ3fooE: a function or a variable */
	if (eat(p, "_Z") || eat(p, "Z")) {
		type = parse_encoding(p);
		expect(p, "E");
		return type;
	}
	type = parse_type(p);
	if (is_builtin(type, STR("decltype(nullptr)")) && eat(p, "E"))
		return type;
	negative = eat(p, "n");
	start = p->next;
	while (peek(p) != 'E' && peek(p) != '\0')
		p->next++;
	if (p->next == start)
		return fail(p);
	value = node_text(p, NAME, (struct str){ start,
	    (size_t)(p->next - start) });
	expect(p, "E");
	return node_literal(p, type, value, negative);
}

/* Special names: compilers make them for a class, a function or a variable. */

static const struct production specials[] = {
	{ "TV", FORMATTED, ' ', 't', "vtable for %n" },
	{ "TT", FORMATTED, ' ', 't', "VTT for %n" },
	{ "TI", FORMATTED, ' ', 't', "typeinfo for %n" },
	{ "TS", FORMATTED, ' ', 't', "typeinfo name for %n" },
	{ "TF", FORMATTED, ' ', 't', "typeinfo fn for %n" },
	{ "TJ", FORMATTED, ' ', 't', "java Class for %n" },
	{ "TH", FORMATTED, ' ', 'n', "TLS init function for %n" },
	{ "TW", FORMATTED, ' ', 'n', "TLS wrapper function for %n" },
	{ "TA", FORMATTED, ' ', 'a', "template parameter object for %n" },
	{ "TC", FORMATTED, 't', 'b', "construction vtable for %n-in-%n" },
	{ "Th", FORMATTED, ' ', '1', "non-virtual thunk to %n" },
	{ "Tv", FORMATTED, ' ', '1', "virtual thunk to %n" },
	{ "Tc", FORMATTED, ' ', '2', "covariant return thunk to %n" },
	{ "GV", FORMATTED, ' ', 'n', "guard variable for %n" },
	/* 5.1.4.5: an object for a reference */
	{ "GR", FORMATTED, 'n', '#', "reference temporary #%n for %n" },
	{ "GA", FORMATTED, ' ', 'f', "hidden alias for %n" },
	{ "GI", FORMATTED, ' ', 'm', "initializer for module %n" },
	{ "GTn", FORMATTED, ' ', 'f', "non-transaction clone for %n" },
	{ "GT", FORMATTED, ' ', 'g', "transaction clone for %n" },
	{ "", NAME, ' ', ' ', NULL }
};

/* Skips 5.1.4.2 <call-offset>: h16_ or v0_n24_. */
static void
skip_offset(struct parser *p)
{
	bool is_virtual = eat(p, "v");

	if (!is_virtual)
		expect(p, "h");
	parse_number(p);
	expect(p, "_");
	if (is_virtual) {
		parse_number(p);
		expect(p, "_");
	}
}

/* Reads 5.1.4 <special-name>: T or G and more. */
static struct node *
parse_special_name(struct parser *p)
{
	struct node *node = parse_production(p, specials);

	return node != NULL ? node : fail(p);
}

/* Reads A10_i's 10_, A_i's _, or <expression> _. */
static struct node *
parse_length(struct parser *p)
{
	struct str rest = { p->next, (size_t)(p->end - p->next) };
	struct str digits = str_take(rest, str_digits(rest));
	struct node *length = NULL;

	p->next += digits.len;
	if (digits.len > 0)
		length = node_text(p, NAME, digits);
	else if (peek(p) != '_')
		length = parse_expression(p);
	expect(p, "_");
	return length;
}

static struct node *
parse_part(struct parser *p, char letter)
{
	struct node *node;

	switch (letter) {
	case 't':
		return parse_type(p);
	case 's':
		return parse_source_name(p);
	case 'u':
		return with_arguments(p, parse_source_name(p));
	case 'x':
	case 'w':
	case 'h':
		node = letter == 'x' ? parse_expression(p) : letter == 'w' ?
		    parse_parameters(p) : parse_declarations(p);
		expect(p, "E");
		return node;
	case 'd':
		return parse_length(p);
	case 'v':			/* Dv4_f, Dv_ <expression> _ f */
		node = eat(p, "_") ? parse_expression(p) :
		    node_number(p, NUMBER, parse_number(p));
		expect(p, "_");
		return node;
	case 'n':
		return parse_name(p, false);
	case 'a':
		return parse_template_argument(p);
	case 'p':
		return parse_within(p, parse_declaration);
	case 'm':
		return peek(p) == 'W' ? parse_module(p, NULL) : fail(p);
	case '1':
		p->next--;	/* the code ends with the offset's letter */
		skip_offset(p);
		return parse_encoding(p);
	case '2':
		skip_offset(p);
		skip_offset(p);
		return parse_encoding(p);
	case 'g':
		if (peek(p) != '\0')
			p->next++;
		return parse_encoding(p);
	case 'f':
		return parse_encoding(p);
	case '#':
		return node_number(p, NUMBER, parse_number(p));
	case 'b':
		if (parse_number(p) < 0)
			fail(p);
		expect(p, "_");
		return parse_type(p);
	}
	return NULL;
}

/* Whole names. */

/*
 * True if the type of a function begins with what it returns (5.1.5.3): for
 * templates, but constructors, destructors and conversion operators.
 */
static bool
has_return_type(const struct node *name)
{
	while (name->kind == LOCAL || is_function_qualifier(name))
		name = name->kind == LOCAL ? name->right : name->left;
	if (name->kind != TEMPLATE)
		return false;
	for (name = name->left; name->kind == QUALIFIED || name->kind == LOCAL;)
		name = name->right;
	return name->kind != CONSTRUCTOR && name->kind != CONVERSION;
}

static struct node *
parse_function(struct parser *p)
{
	struct node *name = parse_name(p, false), *core = name, *type;

	if (p->failed)
		return name;
	if (peek(p) == '\0' || peek(p) == 'E')
		return name;		/* a variable */
	type = parse_bare_function(p, has_return_type(name));
	while (is_function_qualifier(core))
		core = core->left;
	if (core->kind == LOCAL)
		type->left = NULL;
	return node_new(p, TYPED, name, parse_constraint(p, type));
}

/* Reads a function's name alone, without a member's "const". */
static struct node *
parse_function_name(struct parser *p)
{
	struct node *name = parse_name(p, false), *core = name;

	while (is_function_qualifier(core))
		core = core->left;
	/* binutils leaves that of a name in an argument's default */
	return core->kind == LOCAL && core->right->kind == DEFAULT_ARGUMENT ?
	    name : core;
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
	return mangled.len > 11 && starts_global(mangled, "DI") &&
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
		node = eat(p, "_Z") ? parse_encoding(p) :
		    node_text(p, NAME, str_skip(mangled, 11));
		return node_format(p, FORMATTED, mangled.data[9] == 'I' ?
		    "global constructors keyed to %n" :
		    "global destructors keyed to %n", node, NULL);
	}
	if (!eat(p, "_Z"))
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

	if (mangled.len > LONGEST)
		return false;
	tree = parse(&parser, mangled, &arena, false, parameters);
	if (parser.failed && parser.was_ambiguous)
		tree = parse(&parser, mangled, &arena, true, parameters);
	done = !parser.failed && cxxtree_print(tree, &arena, out);
	arena_free(&arena);
	return done;
}
