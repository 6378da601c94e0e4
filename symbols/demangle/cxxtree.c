/*
 * A template parameter means an argument of the template around it, and a type
 * looks different by what it is a part of.  So the printer knows, while it goes
 * down the tree, the templates that it is in and the modifiers that it has
 * passed but not printed.
 *
 * Modifiers are pointers, references, qualifiers, functions and arrays, since
 * C++ writes types around the names they are the types of: "PFviE" is pointer,
 * function, void, int from left to right, and is written void (*)(int).  The
 * innermost type is printed first.  A function or an array then prints the
 * modifiers between its parts; the rest is printed after the type.
 */
#include <stdarg.h>

#include "cxxtree.h"

/*
 * A tree in which nodes have several parents can be printed without end.  These
 * bound the nodes that are printed, and the bytes of the result; none of
 * 600,000 names took more than 2,720 and 12,400.
 */
#define MOST_PRINTED	65536
#define MOST_BYTES	((size_t)64 * 1024)

/* Templates whose arguments count, innermost first. */
struct scope {
	const struct scope *outer;
	struct node *template;	/* TEMPLATE, a lambda's TEMPLATE_HEAD or NULL */
};

/* The nodes that are being printed, innermost first. */
struct ancestor {
	const struct ancestor *outer;
	const struct node *node;
};

struct modifier {
	struct modifier *outer;
	struct node *node;
	const struct scope *scope;	/* of its template parameters */
	bool printed;
};

/* The scope that a template parameter was first seen in. */
struct capture {
	struct capture *before;
	const struct node *parameter;
	const struct scope *scope;
};

struct printer {
	struct text *out;
	size_t start;		/* of the name in out */
	char last;		/* the last character, even if taken back */
	bool failed;
	int depth;		/* of nodes within nodes */
	int work;		/* the number of printed nodes */
	struct arena *arena;
	const struct ancestor *ancestors;
	const struct scope *scope;
	struct node *template;	/* the innermost one around this node */
	struct modifier *modifiers;
	struct capture *captures;
	int pack_index;		/* of the argument in a pack; all below 0 */
	/* In a lambda, the number of template parameters plus 1; else 0. */
	int lambda_parameters;
};

const struct operator cxxtree_operators[] = {
	{ "aN", "ee", "&=", NULL }, { "aS", "ee", "=", NULL },
	{ "aa", "ee", "&&", NULL }, { "ad", "e", "&", NULL },
	{ "an", "ee", "&", NULL },
	{ "at", "e", "alignof ", NULL },	/* of a type */
	{ "aw", "e", "co_await ", NULL },
	{ "az", "e", "alignof ", NULL },	/* of an expression */
	{ "cc", "te", "const_cast", "const_cast<%n>(%n)" },
	{ "cl", "el", "()", "%f%o" }, { "cm", "ee", ",", NULL },
	{ "co", "e", "~", NULL }, { "dV", "ee", "/=", NULL },
	{ "dX", "eee", "[...]=", "[%n ... %n]%v" },	/* [1 ... 9] = value */
	{ "da", "e", "delete[] ", NULL },
	{ "dc", "te", "dynamic_cast", "dynamic_cast<%n>(%n)" },
	{ "de", "e", "*", NULL },
	{ "di", "ne", "=", ".%n%v" },	/* .member = value */
	{ "dl", "e", "delete ", NULL }, { "ds", "ee", ".*", NULL },
	{ "dt", "em", ".", NULL }, { "dv", "ee", "/", NULL },
	{ "dx", "ee", "]=", "[%n]%v" },	/* [1] = value */
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
};

int
cxxtree_operator(char a, char b)
{
	const int count = sizeof(cxxtree_operators) /
	    sizeof(*cxxtree_operators);
	int i;

	for (i = 0; i < count; i++)
		if (cxxtree_operators[i].code[0] == a &&
		    cxxtree_operators[i].code[1] == b)
			return i;
	return -1;
}

static void print_node(struct printer *pr, struct node *node);
static void print_operand(struct printer *pr, struct node *node);
static void print_value(struct printer *pr, struct node *node);

/* Text. */

static void
print_str(struct printer *pr, struct str s)
{
	if (s.len == 0)
		return;
	if (pr->out->len - pr->start + s.len > MOST_BYTES)
		pr->failed = true;
	else
		text_add(pr->out, s);
	pr->last = s.data[s.len - 1];
}

static void
print_char(struct printer *pr, char c)
{
	print_str(pr, (struct str){ &c, 1 });
}

static void
print_number(struct printer *pr, int number)
{
	if (number < 0)
		print_char(pr, '-');
	text_add_number(pr->out, (unsigned long long)
	    (number < 0 ? -(long long)number : number));
	pr->last = '0';
}

static struct str
operator_name(const struct node *operator)
{
	return str_from(cxxtree_operators[operator->number].name);
}

/*
 * Prints a format with %n for a node, %o for one that is an operand, %f for the
 * same but a function without its parameters, %v for one after "=", %p for an
 * operator, %d for a number, an int, and %s for a struct str.
 */
static void
print(struct printer *pr, const char *format, ...)
{
	struct node *node;
	va_list args;
	size_t len;

	va_start(args, format);
	for (; *format != '\0'; format += len) {
		for (len = 0; format[len] != '%' && format[len] != '\0';)
			len++;
		print_str(pr, (struct str){ format, len });
		if (format[len] == '\0')
			break;
		switch (format[len + 1]) {
		case 'n':
			print_node(pr, va_arg(args, struct node *));
			break;
		case 'o':
			print_operand(pr, va_arg(args, struct node *));
			break;
		case 'f':
			node = va_arg(args, struct node *);
			print_operand(pr, node->kind == TYPED ? node->left :
			    node);
			break;
		case 'v':
			print_value(pr, va_arg(args, struct node *));
			break;
		case 'p':
			node = va_arg(args, struct node *);
			if (node->kind == OPERATOR)
				print_str(pr, operator_name(node));
			else
				print_node(pr, node);
			break;
		case 'd':
			print_number(pr, va_arg(args, int));
			break;
		case 's':
			print_str(pr, va_arg(args, struct str));
			break;
		}
		len += 2;
	}
	va_end(args);
}

/* Arguments of templates, and packs. */

/* Enters a template, until the caller sets the scope back. */
static void
enter_template(struct printer *pr, struct node *template)
{
	struct scope *scope = arena_take(pr->arena, sizeof(*scope));

	*scope = (struct scope){ pr->scope, template };
	pr->scope = scope;
}

/* Returns the argument of an index, all arguments for one below 0, or NULL. */
static struct node *
nth_argument(struct node *arguments, int index)
{
	if (index < 0)
		return arguments;
	while (arguments != NULL && arguments->kind == TEMPLATE_ARGUMENTS &&
	    index-- > 0)
		arguments = arguments->right;
	return arguments != NULL && arguments->kind == TEMPLATE_ARGUMENTS ?
	    arguments->left : NULL;
}

/* Returns the argument for a parameter, also a pack, or NULL. */
static struct node *
whole_argument(struct printer *pr, const struct node *parameter)
{
	if (pr->scope == NULL) {
		pr->failed = true;
		return NULL;
	}
	if (pr->scope->template == NULL)
		return NULL;
	return nth_argument(pr->scope->template->right, parameter->number);
}

/* Returns the argument for a template parameter; fails without one. */
static struct node *
template_argument(struct printer *pr, const struct node *parameter)
{
	struct node *argument = whole_argument(pr, parameter);

	if (argument != NULL && argument->kind == TEMPLATE_ARGUMENTS)
		argument = nth_argument(argument, pr->pack_index);
	pr->failed |= argument == NULL;
	return argument;
}

/* Returns any pack of arguments that node names, or NULL. */
static struct node *
find_pack(struct printer *pr, const struct node *node)
{
	struct node *found = NULL;

	if (node == NULL || ++pr->work > MOST_PRINTED)
		return NULL;
	switch (node->kind) {
	case TEMPLATE_PARAMETER:
		found = whole_argument(pr, node);
		return found != NULL && found->kind == TEMPLATE_ARGUMENTS ?
		    found : NULL;
	case PACK_EXPANSION:
	case LAMBDA:
	case TAGGED:
	case DEFAULT_ARGUMENT:
		return NULL;
	}
	if (pr->depth++ < CXXTREE_DEEPEST) {
		found = find_pack(pr, node->left);
		if (found == NULL)
			found = find_pack(pr, node->right);
	}
	pr->depth--;
	return found;
}

/* Returns the number of arguments; an expansion among them may count as all. */
static int
count_arguments(struct printer *pr, const struct node *list, bool expand)
{
	int count = 0;

	for (; list != NULL && list->kind == TEMPLATE_ARGUMENTS &&
	    list->left != NULL; list = list->right)
		count += expand && list->left->kind == PACK_EXPANSION ?
		    count_arguments(pr, find_pack(pr, list->left->left),
		    false) : 1;
	return count;
}

/*
 * Prints items with commas between them.  Those after the last item that prints
 * anything are taken back, since a pack may be empty.
 */
static void
print_list(struct printer *pr, struct node *list)
{
	size_t end = pr->out->len, before;

	while (list != NULL && !pr->failed) {
		before = pr->out->len;
		if (list->left != NULL)
			print_node(pr, list->left);
		if (pr->out->len > before)
			end = pr->out->len;
		list = list->right;
		if (list != NULL)
			print_str(pr, STR(", "));
	}
	pr->out->len = end;
}

/* Prints "::" and the node, a function with or without its "const". */
static void
print_after_colons(struct printer *pr, struct node *node, bool qualified)
{
	print_str(pr, STR("::"));
	if (node->kind == DEFAULT_ARGUMENT) {
		print(pr, "{default arg#%d}::", node->number + 1);
		node = node->left;
	}
	while (!qualified && is_function_qualifier(node))
		node = node->left;
	print_node(pr, node);
}

/* Types. */

static struct modifier
push_modifier(struct printer *pr, struct node *node)
{
	return (struct modifier){ pr->modifiers, node, pr->scope, false };
}

/* Modifiers that are printed by one format, of the right node. */
static const char *const marks[FUNCTION_PARAMETER + 1] = {
	[POINTER] = "*", [REFERENCE] = "&", [RVALUE_REFERENCE] = "&&",
	[COMPLEX] = " _Complex", [IMAGINARY] = " _Imaginary",
	[VENDOR_QUALIFIED] = " %n",
	[CONST] = " const", [VOLATILE] = " volatile",
	[RESTRICT] = " restrict", [CONST_THIS] = " const",
	[VOLATILE_THIS] = " volatile", [RESTRICT_THIS] = " restrict",
	[REFERENCE_THIS] = " &", [RVALUE_REFERENCE_THIS] = " &&",
	[EXPLICIT_THIS] = "",		/* "this " is among the parameters */
	[TRANSACTION_SAFE] = " transaction_safe", [THROW] = " throw(%n)"
};

/* Prints one modifier, after what it modifies. */
static void
print_modifier(struct printer *pr, struct node *node)
{
	struct node *left = node->left, *right = node->right;

	switch ((enum kind)node->kind) {
	case NOEXCEPT:
		print(pr, right != NULL ? " noexcept(%n)" : " noexcept",
		    right);
		break;
	case VECTOR:
		print(pr, " __vector(%n)", left);
		break;
	case MEMBER_POINTER:
		print(pr, pr->last == '(' ? "%n::*" : " %n::*", left);
		break;
	case TYPED:
		print_node(pr, left);
		break;
	default:
		if (marks[node->kind] != NULL)
			print(pr, marks[node->kind], right);
		else		/* the name of a function */
			print_node(pr, node);
		break;
	}
}

static void print_function(struct printer *pr, struct node *node,
    struct modifier *modifiers);
static void print_array(struct printer *pr, struct node *node,
    struct modifier *modifiers);

/*
 * Prints the modifiers that are not printed yet, innermost first.  Qualifiers
 * of `this` wait until after the parameters.  A function or an array prints the
 * rest.
 */
static void
print_modifiers(struct printer *pr, struct modifier *modifier, bool after)
{
	struct modifier *modifiers = pr->modifiers;
	const struct scope *scope = pr->scope;
	enum kind kind;
	bool done = false;

	for (; modifier != NULL && !done && !pr->failed;
	    modifier = modifier->outer) {
		if (modifier->printed ||
		    (!after && is_function_qualifier(modifier->node)))
			continue;
		modifier->printed = true;
		pr->scope = modifier->scope;
		kind = modifier->node->kind;
		done = kind == FUNCTION || kind == ARRAY || kind == LOCAL;
		if (kind == FUNCTION)
			print_function(pr, modifier->node, modifier->outer);
		else if (kind == ARRAY)
			print_array(pr, modifier->node, modifier->outer);
		else if (kind == LOCAL) {	/* without qualifiers */
			pr->modifiers = NULL;
			print_node(pr, modifier->node->left);
			pr->modifiers = modifiers;
			print_after_colons(pr, modifier->node->right, false);
		} else
			print_modifier(pr, modifier->node);
		pr->scope = scope;
	}
}

/* Prints modifiers and parameters: (*)(int), foo(int) const. */
static void
print_function(struct printer *pr, struct node *node,
    struct modifier *modifiers)
{
	struct modifier *outer = pr->modifiers, *this = modifiers;
	const struct modifier *in = modifiers;
	bool brackets;

	/* pointers and qualifiers need brackets, some a space before them */
	while (in != NULL && !in->printed &&
	    (in->node->kind < POINTER || in->node->kind > RESTRICT))
		in = in->outer;
	brackets = in != NULL && !in->printed;
	if (brackets) {
		if ((in->node->kind > RVALUE_REFERENCE ||
		    (pr->last != '(' && pr->last != '*')) && pr->last != ' ')
			print_char(pr, ' ');
		print_char(pr, '(');
	}
	pr->modifiers = NULL;
	print_modifiers(pr, modifiers, false);
	if (brackets)
		print_char(pr, ')');
	while (this != NULL && this->node->kind != EXPLICIT_THIS)
		this = this->outer;
	print_str(pr, this != NULL ? STR("(this ") : STR("("));
	print_node(pr, node->right);
	print_char(pr, ')');
	print_modifiers(pr, modifiers, true);
	pr->modifiers = outer;
}

/* Prints modifiers and the length: " [3]", " (&) [3]", "[3]". */
static void
print_array(struct printer *pr, struct node *node, struct modifier *modifiers)
{
	const struct modifier *next = modifiers;
	bool nested, brackets;

	while (next != NULL && next->printed)
		next = next->outer;
	nested = next != NULL && next->node->kind == ARRAY;
	brackets = next != NULL && !nested;
	if (brackets)
		print_str(pr, STR(" ("));
	print_modifiers(pr, modifiers, false);
	print(pr, brackets ? ") " : nested ? "" : " ");
	print(pr, node->left != NULL ? "[%n]" : "[]", node->left);
}

/* Prints the result, perhaps around the rest, and the parameters. */
static void
print_function_type(struct printer *pr, struct node *node)
{
	struct modifier modifier = push_modifier(pr, node);

	if (node->left != NULL) {
		pr->modifiers = &modifier;
		print_node(pr, node->left);
		pr->modifiers = modifier.outer;
		if (modifier.printed)
			return;
		print_char(pr, ' ');
	}
	print_function(pr, node, pr->modifiers);
}

/* Prints an array; its "const" belongs to its elements. */
static void
print_array_type(struct printer *pr, struct node *node)
{
	struct modifier *outer = pr->modifiers, *modifier = outer;
	struct modifier inner[4];
	size_t count = 1;

	inner[0] = push_modifier(pr, node);
	for (; modifier != NULL && is_cv(modifier->node);
	    modifier = modifier->outer) {
		if (modifier->printed)
			continue;
		if (count == sizeof(inner) / sizeof(*inner)) {
			pr->failed = true;
			return;
		}
		inner[count] = *modifier;
		inner[count].outer = &inner[count - 1];
		modifier->printed = true;
		count++;
	}
	pr->modifiers = &inner[count - 1];
	print_node(pr, node->right);
	pr->modifiers = outer;
	if (inner[0].printed)
		return;
	while (--count > 0)
		print_modifier(pr, inner[count].node);
	print_array(pr, node, outer);
}

/* Prints `inner` with the modifier `node`. */
static void
print_modified(struct printer *pr, struct node *node, struct node *inner)
{
	struct modifier modifier = push_modifier(pr, node);

	pr->modifiers = &modifier;
	print_node(pr, inner);
	if (!modifier.printed)
		print_modifier(pr, node);
	pr->modifiers = modifier.outer;
}

/* Prints a qualifier, but not twice, as arrays would have it. */
static void
print_cv(struct printer *pr, struct node *node)
{
	const struct modifier *modifier = pr->modifiers;

	for (; modifier != NULL; modifier = modifier->outer) {
		if (modifier->printed)
			continue;
		if (!is_cv(modifier->node))
			break;
		if (modifier->node->kind == node->kind) {
			print_node(pr, node->left);
			return;
		}
	}
	print_modified(pr, node, node->left);
}

/*
 * Sets the scope back to that where the parameter was first seen: a
 * substitution brings it to places that have other templates around them.
 */
static void
recall_scope(struct printer *pr, const struct node *node,
    const struct node *parameter)
{
	struct capture *capture = pr->captures;
	const struct ancestor *at = pr->ancestors;

	while (capture != NULL && capture->parameter != parameter)
		capture = capture->before;
	if (capture == NULL) {
		capture = arena_take(pr->arena, sizeof(*capture));
		*capture = (struct capture){ pr->captures, parameter,
		    pr->scope };
		pr->captures = capture;
		return;
	}
	/* unless this node or the parameter is around it already */
	while (at != NULL && at->node != parameter &&
	    (at->node != node || at == pr->ancestors))
		at = at->outer;
	if (at == NULL)
		pr->scope = capture->scope;
}

/* Prints a reference; a reference to a reference is &, unless both are &&. */
static void
print_reference(struct printer *pr, struct node *node)
{
	const struct scope *scope = pr->scope;
	struct node *to = node->left, *inner = NULL;

	if (pr->lambda_parameters == 0 && to->kind == TEMPLATE_PARAMETER) {
		recall_scope(pr, node, to);
		to = template_argument(pr, to);
		if (to == NULL)
			return;
	}
	if (to->kind == REFERENCE || to->kind == node->kind)
		node = to;
	else if (to->kind == RVALUE_REFERENCE)
		inner = to->left;
	print_modified(pr, node, inner != NULL ? inner : node->left);
	pr->scope = scope;
}

/* The most modifiers that a function's name and qualifiers may be. */
#define MOST_TYPED	4

/*
 * Prints a function's name and its type.  The name and the qualifiers become
 * modifiers of the type: it knows where they go.  The qualifiers of a local
 * function are right of its "::".
 */
static void
print_typed(struct printer *pr, struct node *node)
{
	struct modifier *outer = pr->modifiers, modifiers[MOST_TYPED];
	const struct scope *scope = pr->scope;
	struct node *name = node->left, *constraint;
	size_t count = 0;

	pr->modifiers = NULL;
	for (;; name = name->left) {
		if (count == MOST_TYPED)
			goto fail;
		modifiers[count] = push_modifier(pr, name);
		pr->modifiers = &modifiers[count++];
		if (!is_function_qualifier(name))
			break;
	}
	if (name->kind == LOCAL) {
		name = name->right;
		if (name->kind == DEFAULT_ARGUMENT)
			name = name->left;
		for (; is_function_qualifier(name); name = name->left) {
			if (count == MOST_TYPED)
				goto fail;
			modifiers[count] = modifiers[count - 1];
			modifiers[count].outer = &modifiers[count - 1];
			modifiers[count - 1].node = name;
			pr->modifiers = &modifiers[count++];
		}
	}
	if (name->kind == TEMPLATE) {
		constraint = name->right;
		/* which is printed after the function's type */
		if (constraint->kind == CONSTRAINED) {
			name->right = constraint->left;
			constraint->left = node->right;
			node->right = constraint;
		}
		enter_template(pr, name);
	}
	print_node(pr, node->right);
	pr->scope = scope;
	while (count-- > 0)
		if (!modifiers[count].printed) {
			print_char(pr, ' ');
			print_modifier(pr, modifiers[count].node);
		}
	pr->modifiers = outer;
	return;
fail:
	pr->failed = true;
	pr->modifiers = outer;
}

/* Expressions. */

/* Prints "operator+", "operator new". */
static void
print_operator_name(struct printer *pr, struct node *node)
{
	struct str name = operator_name(node);

	print_str(pr, STR("operator"));
	if (is_lower(name.data[0]))
		print_char(pr, ' ');
	if (name.data[name.len - 1] == ' ')
		name.len--;
	print_str(pr, name);
}

/* Prints an expression in brackets, unless it is a name. */
static void
print_operand(struct printer *pr, struct node *node)
{
	bool brackets = node->kind != NAME && node->kind != QUALIFIED &&
	    node->kind != INITIALIZER && node->kind != FUNCTION_PARAMETER;

	print(pr, brackets ? "(%n)" : "%n", node);
}

/* Prints "=x", but of .a.b=x or .a[1]=x not the first "=". */
static void
print_value(struct printer *pr, struct node *node)
{
	const char *format = node->kind == OPERATION &&
	    node->left->kind == OPERATOR ?
	    cxxtree_operators[node->left->number].format : NULL;
	bool is_designator = format != NULL && strstr(format, "%v") != NULL;

	print(pr, is_designator ? "%n" : "=%o", node);
}

/* Prints an operation in the way that its code or its row says. */
static void
print_operation(struct printer *pr, struct node *node)
{
	static const struct operator other = { "", "e", "", NULL };
	struct node *operator = node->left, *list = node->right;
	const struct operator *row = operator->kind == OPERATOR ?
	    &cxxtree_operators[operator->number] : &other;
	struct node *first = list->left, *second = NULL, *third = NULL;
	int pack_index = pr->pack_index;

	if (list->right != NULL) {
		second = list->right->left;
		if (list->right->right != NULL)
			third = list->right->right->left;
	}
	/* &f of a function is written without its parameters. */
	if (strcmp(row->code, "ad") == 0 && first->kind == TYPED &&
	    first->left->kind == QUALIFIED && first->right->kind == FUNCTION)
		first = first->left;
	if (operator->kind == CAST)
		print(pr, "(%n)%o", operator->left, first);
	else if (strcmp(row->code, "sZ") == 0)
		print_number(pr, count_arguments(pr, find_pack(pr, first),
		    false));
	else if (strcmp(row->code, "sP") == 0)
		print_number(pr, count_arguments(pr, first, true));
	else if (row->operands[0] == 'o') {
		/* (... + x), (x + ...), (0 + ... + x); x is all of the pack */
		pr->pack_index = -1;
		print(pr, row->code[1] == 'l' ? "(..." : "(%o%p...", second,
		    first);
		print(pr, row->code[1] == 'r' ? ")" : "%p%o)", first,
		    third != NULL ? third : second);
		pr->pack_index = pack_index;
	} else if (row->operands[0] == 'p') {	/* new (1) int(2) */
		print(pr, first->left != NULL ? "new %o " : "new ", first);
		print(pr, third != NULL ? "%n%o" : "%n", second, third);
	} else if (row->format != NULL)
		print(pr, row->format, first, second, third);
	else if (second == NULL)
		print(pr, "%p%o", operator, first);
	else
		print(pr, "%o%p%o", first, operator, second);
}

/* The letters after an integer, by enum literal; NULL for other types. */
static const char *const suffixes[AS_NULLPTR + 1] = {
	[AS_INT] = "", [AS_UNSIGNED] = "u", [AS_LONG] = "l",
	[AS_UNSIGNED_LONG] = "ul", [AS_LONG_LONG] = "ll",
	[AS_UNSIGNED_LONG_LONG] = "ull"
};

/* Prints 42ul, false, (char)97, (float)[3f800000]. */
static void
print_literal(struct printer *pr, struct node *node)
{
	const struct str value = node->right->text;
	bool negative = node->kind == NEGATIVE_LITERAL;
	struct node *type = node->left;
	int literal = type->kind == BUILTIN ? type->number : AS_CAST;
	const char *suffix = suffixes[literal];

	if (literal == AS_BOOL && !negative &&
	    (str_equal(value, STR("0")) || str_equal(value, STR("1")))) {
		print(pr, value.data[0] == '0' ? "false" : "true");
		return;
	}
	if (suffix == NULL)
		print(pr, "(%n)", type);
	if (negative)
		print_char(pr, '-');
	print(pr, literal == AS_FLOAT ? "[%s]" : "%s", value);
	if (suffix != NULL)
		print(pr, suffix);
}

/* Lambdas. */

/* Prints $T0, $N1, $TT2: a type, a value, a template, or a pack of these. */
static void
print_parameter_name(struct printer *pr, const struct node *parameter,
    int number)
{
	if (parameter != NULL && parameter->kind == PACK_PARAMETER)
		parameter = parameter->left;
	if (parameter == NULL || parameter->kind == PACK_PARAMETER)
		pr->failed = true;
	else
		print(pr, parameter->kind == TYPE_PARAMETER ? "$T%d" :
		    parameter->kind == VALUE_PARAMETER ? "$N%d" : "$TT%d",
		    number);
}

/* Prints {lambda(int)#1}. */
static void
print_lambda(struct printer *pr, struct node *node)
{
	const struct scope *scope = pr->scope;
	int lambda_parameters = pr->lambda_parameters;
	struct node *parameters = node->left, *declared;

	print_str(pr, STR("{lambda"));
	pr->lambda_parameters = 0;
	if (parameters->kind == TEMPLATE_HEAD) {
		enter_template(pr, parameters);
		/* <typename $T0, int $N1>; as in binutils, none after a pack */
		print_char(pr, '<');
		for (declared = parameters->left; declared != NULL;
		    declared = declared->right) {
			print(pr, pr->lambda_parameters++ > 0 ? ", %n " :
			    "%n ", declared);
			print_parameter_name(pr, declared,
			    pr->lambda_parameters - 1);
			if (declared->kind == PACK_PARAMETER)
				declared = declared->left;
		}
		print_char(pr, '>');
		parameters = parameters->right;
	} else
		enter_template(pr, NULL);
	pr->lambda_parameters++;
	print(pr, "(%n)#%d}", parameters, node->number + 1);
	pr->lambda_parameters = lambda_parameters;
	pr->scope = scope;
}

/* Names. */

/* Prints arguments in angle brackets, never ">>" or "<<". */
static void
print_arguments(struct printer *pr, struct node *arguments)
{
	print_str(pr, pr->last == '<' ? STR(" <") : STR("<"));
	print_node(pr, arguments);
	print_str(pr, pr->last == '>' ? STR(" >") : STR(">"));
}

/* Prints a template; its modifiers are not for its arguments. */
static void
print_template(struct printer *pr, struct node *node)
{
	struct modifier *modifiers = pr->modifiers;
	struct node *outer = pr->template;

	pr->template = node;
	pr->modifiers = NULL;
	print_node(pr, node->left);
	print_arguments(pr, node->right);
	pr->modifiers = modifiers;
	pr->template = outer;
}

/*
 * Prints the argument for a parameter, from outside of the template.  In a
 * lambda it is $T0 if it was declared, auto:1 if not.
 */
static void
print_template_parameter(struct printer *pr, struct node *node)
{
	const struct scope *scope = pr->scope;
	struct node *found = NULL;
	int i;

	if (pr->lambda_parameters == 0) {
		found = template_argument(pr, node);
		if (found == NULL)
			return;
		pr->scope = scope->outer;
		print_node(pr, found);
		pr->scope = scope;
	} else if (pr->lambda_parameters <= node->number + 1)
		print(pr, "auto:%d", node->number + 1);
	else {
		if (scope->template != NULL &&
		    scope->template->kind == TEMPLATE_HEAD)
			found = scope->template->left;
		for (i = 0; i < node->number && found != NULL; i++)
			found = found->right;
		print_parameter_name(pr, found, node->number);
	}
}

/*
 * Prints "operator T", where T is a parameter of the template around the
 * operator; the operator's own arguments know nothing of that.
 */
static void
print_conversion(struct printer *pr, struct node *node)
{
	const struct scope *scope = pr->scope;
	struct node *type = node->left;
	bool with_arguments = type->kind == TEMPLATE;

	print_str(pr, STR("operator "));
	if (pr->template != NULL)
		enter_template(pr, pr->template);
	print_node(pr, with_arguments ? type->left : type);
	pr->scope = scope;
	if (with_arguments)
		print_arguments(pr, type->right);
}

static void
print_pack_expansion(struct printer *pr, struct node *node)
{
	struct node *pack = NULL;
	int count, i;

	if (pr->lambda_parameters == 0)
		pack = find_pack(pr, node->left);
	if (pack == NULL) {		/* of function parameters */
		print(pr, "%o...", node->left);
		return;
	}
	count = count_arguments(pr, pack, false);
	for (i = 0; i < count && !pr->failed; i++) {
		pr->pack_index = i;
		print(pr, i > 0 ? ", %n" : "%n", node->left);
	}
}

/* Nodes that are printed by one format, of left and right. */
static const char *const formats[FUNCTION_PARAMETER + 1] = {
	[TAGGED] = "%n[abi:%n]",
	[CONSTRUCTOR] = "%n",
	[DESTRUCTOR] = "~%n",
	[VENDOR_OPERATOR] = "operator %n",
	[STRUCTURED_BINDING] = "[%n]",
	[FRIEND] = "%n[friend]",
	[CONSTRAINED] = "%n requires %n",
	[MODULE_ENTITY] = "%n@%n",
	[SPECIAL] = "%n%n",
	[CONSTRUCTION_VTABLE] = "construction vtable for %n-in-%n",
	[REFERENCE_TEMPORARY] = "reference temporary #%n for %n",
	[BUILTIN_FLOAT] = "_Float%n%n",
	[DECLTYPE] = "decltype (%n)",
	[TYPE_PARAMETER] = "typename",
	[VALUE_PARAMETER] = "%n",
	[HEAD_PARAMETER] = "template%n class",
	[PACK_PARAMETER] = "%n...",
	[NULLARY] = "%p",
	[POSTFIX] = "%o%p",
	[VENDOR_EXPRESSION] = "%n(%n)",
	[INITIALIZER] = "%n{%n}"
};

/* Nodes that have a function of their own. */
static void (*const printers[FUNCTION_PARAMETER + 1])(struct printer *pr,
    struct node *node) = {
	[TYPED] = print_typed, [TEMPLATE] = print_template,
	[LIST] = print_list, [TEMPLATE_ARGUMENTS] = print_list,
	[TEMPLATE_PARAMETER] = print_template_parameter,
	[CONVERSION] = print_conversion, [OPERATOR] = print_operator_name,
	[LAMBDA] = print_lambda, [PACK_EXPANSION] = print_pack_expansion,
	[FUNCTION] = print_function_type, [ARRAY] = print_array_type,
	[REFERENCE] = print_reference, [RVALUE_REFERENCE] = print_reference,
	[CONST] = print_cv, [VOLATILE] = print_cv, [RESTRICT] = print_cv,
	[OPERATION] = print_operation, [LITERAL] = print_literal,
	[NEGATIVE_LITERAL] = print_literal
};

static void
print_by_kind(struct printer *pr, struct node *node)
{
	struct node *left = node->left, *right = node->right;

	switch ((enum kind)node->kind) {
	case NAME:
	case BUILTIN:
		print_str(pr, node->text);
		break;
	case NUMBER:
		print_number(pr, node->number);
		break;
	case QUALIFIED:
	case LOCAL:
		print_node(pr, left);
		print_after_colons(pr, right, true);
		break;
	case UNNAMED:
		print(pr, "{unnamed type#%d}", node->number + 1);
		break;
	case MODULE:
	case MODULE_PARTITION:
		if (left != NULL)	/* module.part:partition */
			print_node(pr, left);
		print(pr, node->kind == MODULE_PARTITION ? ":%n" :
		    left != NULL ? ".%n" : "%n", right);
		break;
	case TEMPLATE_HEAD:	/* of a template template: <typename, int> */
		print_char(pr, '<');
		for (; left != NULL; left = left->right)
			print(pr, left->right != NULL ? "%n, " : "%n", left);
		print_char(pr, '>');
		break;
	case MEMBER_POINTER:
	case VECTOR:
		print_modified(pr, node, right);
		break;
	case FUNCTION_PARAMETER:
		print(pr, node->number == 0 ? "this" : "{parm#%d}",
		    node->number);
		break;

	default:
		if (printers[node->kind] != NULL)
			printers[node->kind](pr, node);
		else if (formats[node->kind] != NULL)
			print(pr, formats[node->kind], left, right);
		else if (node->kind >= POINTER && node->kind <= THROW)
			print_modified(pr, node, left);
		else
			pr->failed = true;
		break;
	}
}

/* Substitutions can make a tree endless; a node is then twice in itself. */
static void
print_node(struct printer *pr, struct node *node)
{
	struct ancestor ancestor = { pr->ancestors, node };

	if (node == NULL || node->printing > 1 ||
	    pr->depth >= CXXTREE_DEEPEST || ++pr->work > MOST_PRINTED)
		pr->failed = true;
	if (pr->failed)
		return;
	node->printing++;
	pr->depth++;
	pr->ancestors = &ancestor;
	print_by_kind(pr, node);
	pr->ancestors = ancestor.outer;
	pr->depth--;
	node->printing--;
}

bool
cxxtree_print(struct node *tree, struct arena *arena, struct text *out)
{
	struct printer pr = { .out = out, .start = out->len, .arena = arena };

	print_node(&pr, tree);
	if (pr.failed)
		out->len = pr.start;
	return !pr.failed;
}
