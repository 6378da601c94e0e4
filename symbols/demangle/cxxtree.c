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
	struct node *template;	/* TEMPLATE or LAMBDA */
};

struct modifier {
	struct modifier *outer;
	struct node *node;
	const struct scope *scope;	/* of its template parameters */
	bool printed;
};

struct printer {
	struct text *out;
	size_t start;		/* of the name in out */
	char last;		/* the last character, even if taken back */
	bool failed;
	int depth;		/* of nodes within nodes */
	int work;		/* the number of printed nodes */
	struct arena *arena;
	const struct scope *scope;
	struct node *template;	/* the innermost one around this node */
	struct modifier *modifiers;
	int pack_index;		/* of the argument in a pack; all below 0 */
	/* In a lambda, the number of template parameters plus 1; else 0. */
	int lambda_parameters;
};

static void print_node(struct printer *pr, struct node *node);

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
print_number(struct printer *pr, int number)
{
	text_add_format(pr->out, "%d", number);
	pr->last = '0';
}

/*
 * Prints a format with %n for a node, %o for an operand, in brackets unless it
 * is a name, %p for an operator, and %d for a number, an int.
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
			node = va_arg(args, struct node *);
			print(pr, node->kind == NAME || node->kind == PLAIN ||
			    node->kind == QUALIFIED ? "%n" : "(%n)", node);
			break;
		case 'p':
			node = va_arg(args, struct node *);
			if (node->kind == OPERATOR)
				print_str(pr, str_from(node->operator->name));
			else
				print_node(pr, node);
			break;
		case 'd':
			print_number(pr, va_arg(args, int));
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

/* Returns the argument of an index, or NULL. */
static struct node *
nth_argument(const struct node *list, int index)
{
	for (; list != NULL && list->kind == TEMPLATE_ARGUMENTS;
	    list = list->right)
		if (index-- == 0)
			return list->left;
	return NULL;
}

/* Returns the argument for a parameter, also a pack, or NULL. */
static struct node *
whole_argument(struct printer *pr, const struct node *parameter)
{
	if (pr->scope == NULL) {
		pr->failed = true;
		return NULL;
	}
	return nth_argument(pr->scope->template->right, parameter->number);
}

/* Returns the argument for a template parameter; fails without one. */
static struct node *
template_argument(struct printer *pr, const struct node *parameter)
{
	struct node *argument = whole_argument(pr, parameter);

	if (argument != NULL && argument->kind == TEMPLATE_ARGUMENTS &&
	    pr->pack_index >= 0)
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

/* Types. */

static bool
is_modifier(const struct node *node)
{
	return node->kind >= FUNCTION && node->kind <= EXPLICIT_THIS;
}

static struct modifier
push_modifier(struct printer *pr, struct node *node)
{
	return (struct modifier){ pr->modifiers, node, pr->scope, false };
}

static void print_function(struct printer *pr, struct node *node,
    struct modifier *modifiers);
static void print_array(struct printer *pr, struct node *node,
    struct modifier *modifiers);

/* Prints one modifier after what it modifies, perhaps around outer ones. */
static void
print_modifier(struct printer *pr, struct node *node, struct modifier *outer)
{
	const char *format = node->format;

	if (node->kind == FUNCTION)
		print_function(pr, node, outer);
	else if (node->kind == ARRAY)
		print_array(pr, node, outer);
	else if (is_modifier(node)) {
		if (node->kind == MEMBER_POINTER && pr->last == '(')
			format++;		/* its space */
		print(pr, format, node->right);
	} else			/* the name of a function */
		print_node(pr, node);
}

/*
 * Prints the modifiers that are not printed yet, innermost first.  Qualifiers
 * of `this` wait until after the parameters.  A function or an array prints the
 * rest.
 */
static void
print_modifiers(struct printer *pr, struct modifier *modifier, bool after)
{
	const struct scope *scope = pr->scope;

	for (; modifier != NULL && !pr->failed; modifier = modifier->outer) {
		if (modifier->printed ||
		    (!after && is_function_qualifier(modifier->node)))
			continue;
		modifier->printed = true;
		pr->scope = modifier->scope;
		print_modifier(pr, modifier->node, modifier->outer);
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
	    (in->node->kind < POINTER || in->node->kind > CV))
		in = in->outer;
	brackets = in != NULL && !in->printed;
	if (brackets) {
		if ((in->node->format[0] == ' ' ||
		    (pr->last != '(' && pr->last != '*')) && pr->last != ' ')
			print_str(pr, STR(" "));
		print_str(pr, STR("("));
	}
	pr->modifiers = NULL;
	print_modifiers(pr, modifiers, false);
	if (brackets)
		print_str(pr, STR(")"));
	while (this != NULL && this->node->kind != EXPLICIT_THIS)
		this = this->outer;
	print(pr, this != NULL ? "(this %n)" : "(%n)", node->right);
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
	print(pr, node->right != NULL ? "[%n]" : "[]", node->right);
}

/* Prints an array; its "const" belongs to its elements. */
static void
print_array_type(struct printer *pr, struct node *node)
{
	struct modifier *outer = pr->modifiers, *modifier = outer;
	struct modifier inner[4];	/* const, volatile, restrict, array */
	size_t count = 0;

	inner[0] = push_modifier(pr, node);
	for (; modifier != NULL && modifier->node->kind == CV;
	    modifier = modifier->outer)
		if (!modifier->printed) {
			inner[++count] = *modifier;
			inner[count].outer = &inner[count - 1];
			modifier->printed = true;
		}
	pr->modifiers = &inner[count];
	print_node(pr, node->left);
	pr->modifiers = outer;
	if (inner[0].printed)
		return;
	for (; count > 0; count--)
		print_modifier(pr, inner[count].node, NULL);
	print_array(pr, node, outer);
}

/*
 * Prints `inner` with the modifier `node`; inner may be NULL, what a function
 * returns.
 */
static void
print_modified(struct printer *pr, struct node *node, struct node *inner)
{
	struct modifier modifier = push_modifier(pr, node);

	pr->modifiers = &modifier;
	if (inner != NULL)
		print_node(pr, inner);
	if (!modifier.printed) {
		if (node->kind == FUNCTION && inner != NULL)
			print_str(pr, STR(" "));
		print_modifier(pr, node, modifier.outer);
	}
	pr->modifiers = modifier.outer;
}

/* Prints a qualifier, but not twice, as arrays would have it. */
static void
print_cv(struct printer *pr, struct node *node)
{
	const struct modifier *modifier = pr->modifiers;

	for (; modifier != NULL && (modifier->printed ||
	    modifier->node->kind == CV); modifier = modifier->outer)
		if (!modifier->printed &&
		    strcmp(modifier->node->format, node->format) == 0) {
			print_node(pr, node->left);
			return;
		}
	print_modified(pr, node, node->left);
}

/*
 * Prints a reference; a reference to a reference is &, unless both are &&.  A
 * parameter has the scope in which it was first seen: a substitution brings it
 * to places that have other templates around them.
 */
static void
print_reference(struct printer *pr, struct node *node)
{
	const struct scope *scope = pr->scope;
	struct node *to = node->left, *inner = NULL;

	if (pr->lambda_parameters == 0 && to->kind == TEMPLATE_PARAMETER) {
		if (to->scope == NULL)
			to->scope = scope;
		else if (node->printing == 1 && to->printing == 0)
			pr->scope = to->scope;	/* neither is around this */
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
 * modifiers of the type: it knows where they go.
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
		modifiers[count] = push_modifier(pr, name);
		pr->modifiers = &modifiers[count];
		if (!is_function_qualifier(name))
			break;
		if (++count == MOST_TYPED) {
			pr->failed = true;
			break;
		}
	}
	if (name->kind == LOCAL)
		name = name->right;
	if (name->kind == DEFAULT_ARGUMENT)
		name = name->right;
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
	pr->modifiers = outer;
}

/* Expressions. */

/* Prints "operator+", "operator new". */
static void
print_operator_name(struct printer *pr, struct node *node)
{
	struct str name = str_from(node->operator->name);

	print_str(pr, STR("operator"));
	if (is_lower(name.data[0]))
		print_str(pr, STR(" "));
	if (name.data[name.len - 1] == ' ')
		name.len--;
	print_str(pr, name);
}

/* Prints an operation in the way that its code or its row says. */
static void
print_operation(struct printer *pr, struct node *node)
{
	struct node *operator = node->left, *list = node->right;
	const struct operator *row = operator->operator;
	struct node *first = list->left, *second, *third;
	int pack_index = pr->pack_index;

	list = list->right;
	second = list != NULL ? list->left : NULL;
	third = list != NULL && list->right != NULL ? list->right->left : NULL;
	/* &f and f(x) of a function are written without its parameters. */
	if (first->kind == TYPED && (strcmp(row->code, "cl") == 0 ||
	    (strcmp(row->code, "ad") == 0 && first->left->kind == QUALIFIED &&
	    first->right->kind == FUNCTION)))
		first = first->left;
	if (strcmp(row->code, "sZ") == 0)
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

/* Lambdas. */

/* Prints $T0, $N1, $TT2: a type, a value, a template, or a pack of these. */
static void
print_parameter_name(struct printer *pr, const struct node *list, int number)
{
	const struct node *parameter = list != NULL ? list->left : NULL;

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
	const struct node *declared = node->left;

	enter_template(pr, node);
	pr->lambda_parameters = 0;
	print_str(pr, STR("{lambda"));
	if (declared->left != NULL) {
		/* <typename $T0, int $N1>; as in binutils, none after a pack */
		print_str(pr, STR("<"));
		for (; declared != NULL; declared = declared->right) {
			print(pr, pr->lambda_parameters++ > 0 ? ", %n " :
			    "%n ", declared->left);
			print_parameter_name(pr, declared,
			    pr->lambda_parameters - 1);
			if (declared->left->kind == PACK_PARAMETER)
				break;
		}
		print_str(pr, STR(">"));
	}
	pr->lambda_parameters++;
	print(pr, "(%n)#%d}", node->right, node->number + 1);
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
	const struct node *declared = NULL;
	struct node *found;
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
		if (scope != NULL && scope->template->kind == LAMBDA)
			declared = scope->template->left;
		for (i = 0; i < node->number && declared != NULL; i++)
			declared = declared->right;
		print_parameter_name(pr, declared, node->number);
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

/* Nodes that have a function of their own. */
static void (*const printers[PLAIN + 1])(struct printer *pr,
    struct node *node) = {
	[TYPED] = print_typed, [TEMPLATE] = print_template,
	[LIST] = print_list, [TEMPLATE_ARGUMENTS] = print_list,
	[TEMPLATE_PARAMETER] = print_template_parameter,
	[CONVERSION] = print_conversion, [OPERATOR] = print_operator_name,
	[LAMBDA] = print_lambda, [PACK_EXPANSION] = print_pack_expansion,
	[ARRAY] = print_array_type, [REFERENCE] = print_reference,
	[RVALUE_REFERENCE] = print_reference, [CV] = print_cv,
	[OPERATION] = print_operation
};

/*
 * A tree that is made of substitutions may be endless.  It is taken for that
 * where a node is within itself twice.
 */
static void
print_node(struct printer *pr, struct node *node)
{
	if (node == NULL || node->printing > 1 ||
	    pr->depth >= CXXTREE_DEEPEST || ++pr->work > MOST_PRINTED)
		pr->failed = true;
	if (pr->failed)
		return;
	node->printing++;
	pr->depth++;
	if (node->kind == NAME || node->kind == BUILTIN)
		print_str(pr, node->text);
	else if (printers[node->kind] != NULL)
		printers[node->kind](pr, node);
	else if (is_modifier(node))
		print_modified(pr, node, node->left);
	else if (node->format != NULL)
		print(pr, node->format, node->left, node->right);
	else if (node->kind == NUMBER)
		print_number(pr, node->number);
	else			/* a CAST alone */
		pr->failed = true;
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
