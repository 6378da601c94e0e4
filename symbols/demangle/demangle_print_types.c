/*
 * C++ writes types around the names they are the types of.
 *
 * "PFviE" is pointer, function, void, int from left to right, and is written
 * void (*)(int).  The printer goes down the tree, puts each pointer, reference,
 * qualifier, function or array on a list of modifiers and prints the innermost
 * type first.  A function or an array then prints what is on the list between
 * its parts; what nobody has printed by then is printed behind the type.
 */
#include "demangle_print.h"

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

static struct modifier
push_modifier(struct printer *pr, struct node *node)
{
	return (struct modifier){ pr->modifiers, node, pr->scope, false };
}

static bool
is_cv(const struct node *node)
{
	return node->kind >= CONST && node->kind <= RESTRICT;
}

/* Prints a word and, if there is one, a clause in brackets. */
static void
print_clause(struct printer *pr, struct str word, struct node *clause)
{
	print_str(pr, word);
	if (clause != NULL) {
		print_char(pr, '(');
		print_node(pr, clause);
		print_char(pr, ')');
	}
}

/* Prints one modifier, behind what it modifies. */
static void
print_modifier(struct printer *pr, struct node *node)
{
	switch ((enum kind)node->kind) {
	case CONST:
	case CONST_THIS:
		print_str(pr, STR(" const"));
		break;
	case VOLATILE:
	case VOLATILE_THIS:
		print_str(pr, STR(" volatile"));
		break;
	case RESTRICT:
	case RESTRICT_THIS:
		print_str(pr, STR(" restrict"));
		break;
	case POINTER:
		print_char(pr, '*');
		break;
	case REFERENCE:
		print_char(pr, '&');
		break;
	case RVALUE_REFERENCE:
		print_str(pr, STR("&&"));
		break;
	case REFERENCE_THIS:
		print_str(pr, STR(" &"));
		break;
	case RVALUE_REFERENCE_THIS:
		print_str(pr, STR(" &&"));
		break;
	case EXPLICIT_THIS:
		break;			/* "this " is among the parameters */
	case TRANSACTION_SAFE:
		print_str(pr, STR(" transaction_safe"));
		break;
	case NOEXCEPT:
		print_clause(pr, STR(" noexcept"), node->right);
		break;
	case THROW:
		print_clause(pr, STR(" throw"), node->right);
		break;
	case COMPLEX:
		print_str(pr, STR(" _Complex"));
		break;
	case IMAGINARY:
		print_str(pr, STR(" _Imaginary"));
		break;
	case VENDOR_QUALIFIED:
		print_char(pr, ' ');
		print_node(pr, node->right);
		break;
	case MEMBER_POINTER:
		if (pr->last != '(')
			print_char(pr, ' ');
		print_node(pr, node->left);
		print_str(pr, STR("::*"));
		break;
	case VECTOR:
		print_clause(pr, STR(" __vector"), node->left);
		break;
	case TYPED:
		print_node(pr, node->left);
		break;
	default:
		print_node(pr, node);	/* the name of a function */
		break;
	}
}

static void print_function(struct printer *pr, struct node *node,
    struct modifier *modifiers);
static void print_array(struct printer *pr, struct node *node,
    struct modifier *modifiers);

/* Prints the name of a function in a function, without qualifiers. */
static void
print_local(struct printer *pr, struct node *node)
{
	struct modifier *modifiers = pr->modifiers;

	pr->modifiers = NULL;
	print_node(pr, node->left);
	pr->modifiers = modifiers;
	print_behind_colons(pr, node->right, false);
}

/*
 * Prints the modifiers that are not printed yet, innermost first; those of
 * `this` only behind the parameters.  A function or an array prints the rest.
 */
static void
print_modifiers(struct printer *pr, struct modifier *modifier, bool behind)
{
	const struct scope *scope = pr->scope;
	enum kind kind;
	bool done = false;

	for (; modifier != NULL && !done && !pr->failed;
	    modifier = modifier->outer) {
		if (modifier->printed ||
		    (!behind && is_function_qualifier(modifier->node)))
			continue;
		modifier->printed = true;
		pr->scope = modifier->scope;
		kind = modifier->node->kind;
		done = kind == FUNCTION || kind == ARRAY || kind == LOCAL;
		if (kind == FUNCTION)
			print_function(pr, modifier->node, modifier->outer);
		else if (kind == ARRAY)
			print_array(pr, modifier->node, modifier->outer);
		else if (kind == LOCAL)
			print_local(pr, modifier->node);
		else
			print_modifier(pr, modifier->node);
		pr->scope = scope;
	}
}

/* True if the modifiers of a function need brackets; sets *space. */
static bool
needs_brackets(const struct modifier *modifier, bool *space)
{
	for (; modifier != NULL && !modifier->printed;
	    modifier = modifier->outer)
		switch ((enum kind)modifier->node->kind) {
		case POINTER:
		case REFERENCE:
		case RVALUE_REFERENCE:
			*space = false;
			return true;
		case CONST:
		case VOLATILE:
		case RESTRICT:
		case VENDOR_QUALIFIED:
		case COMPLEX:
		case IMAGINARY:
		case MEMBER_POINTER:
			*space = true;
			return true;
		default:
			break;
		}
	return false;
}

/* True for a function whose first parameter is what `this` was. */
static bool
is_explicit_this(const struct modifier *modifier)
{
	while (modifier != NULL && modifier->node->kind != EXPLICIT_THIS)
		modifier = modifier->outer;
	return modifier != NULL;
}

/* Prints modifiers and parameters: (*)(int), foo(int) const. */
static void
print_function(struct printer *pr, struct node *node,
    struct modifier *modifiers)
{
	struct modifier *outer = pr->modifiers;
	bool space, brackets = needs_brackets(modifiers, &space);

	if (brackets) {
		space = space || (pr->last != '(' && pr->last != '*');
		if (space && pr->last != ' ')
			print_char(pr, ' ');
		print_char(pr, '(');
	}
	pr->modifiers = NULL;
	print_modifiers(pr, modifiers, false);
	if (brackets)
		print_char(pr, ')');
	print_char(pr, '(');
	if (is_explicit_this(modifiers))
		print_str(pr, STR("this "));
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
	if (brackets)
		print_char(pr, ')');
	if (!nested)
		print_char(pr, ' ');
	print_char(pr, '[');
	if (node->left != NULL)
		print_node(pr, node->left);
	print_char(pr, ']');
}

/* Prints the result, which may be around the rest, and the parameters. */
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

/* Prints an array; its "const" is that of its elements. */
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

/* Prints inner, which node modifies. */
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

/* True if this node or the parameter is around it already. */
static bool
is_within(const struct printer *pr, const struct node *node,
    const struct node *parameter)
{
	const struct path *path = pr->path;

	for (; path != NULL; path = path->outer)
		if (path->node == parameter ||
		    (path->node == node && path != pr->path))
			return true;
	return false;
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

	while (capture != NULL && capture->parameter != parameter)
		capture = capture->before;
	if (capture == NULL) {
		capture = arena_take(pr->arena, sizeof(*capture));
		*capture = (struct capture){ pr->captures, parameter,
		    pr->scope };
		pr->captures = capture;
	} else if (!is_within(pr, node, parameter))
		pr->scope = capture->scope;
}

/* Prints a reference; to a reference it is &, unless both are &&. */
static void
print_reference(struct printer *pr, struct node *node)
{
	const struct scope *scope = pr->scope;
	struct node *to = node->left, *inner = NULL;

	if (pr->lambda_parameters == 0 && to->kind == TEMPLATE_PARAMETER) {
		recall_scope(pr, node, to);
		to = template_argument(pr, to);
		if (to == NULL) {
			pr->failed = true;
			return;
		}
	}
	if (to->kind == REFERENCE || to->kind == node->kind)
		node = to;
	else if (to->kind == RVALUE_REFERENCE)
		inner = to->left;
	print_modified(pr, node, inner != NULL ? inner : node->left);
	pr->scope = scope;
}

/* Moves a constraint from a template, whose arguments it needs, to the type. */
static void
move_constraint(struct node *typed, struct node *template)
{
	struct node *constraint = template->right;

	if (constraint->kind == CONSTRAINED) {
		template->right = constraint->left;
		constraint->left = typed->right;
		typed->right = constraint;
	}
}

/* The most qualifiers that a function may have, and its name. */
#define MOST	4

/*
 * The name and the qualifiers become modifiers of the type, which knows where
 * they go.  Those of a local function are right of its "::".
 */
void
print_typed(struct printer *pr, struct node *node)
{
	struct modifier *outer = pr->modifiers, modifiers[MOST];
	const struct scope *scope = pr->scope;
	struct node *name = node->left;
	size_t count = 0;

	pr->modifiers = NULL;
	for (;; name = name->left) {
		if (count == MOST)
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
			if (count == MOST)
				goto fail;
			modifiers[count] = modifiers[count - 1];
			modifiers[count].outer = &modifiers[count - 1];
			modifiers[count - 1].node = name;
			pr->modifiers = &modifiers[count++];
		}
	}
	if (name->kind == TEMPLATE) {
		move_constraint(node, name);
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

bool
print_type(struct printer *pr, struct node *node)
{
	switch ((enum kind)node->kind) {
	case FUNCTION:
		print_function_type(pr, node);
		return true;
	case ARRAY:
		print_array_type(pr, node);
		return true;
	case REFERENCE:
	case RVALUE_REFERENCE:
		print_reference(pr, node);
		return true;
	case CONST:
	case VOLATILE:
	case RESTRICT:
		print_cv(pr, node);
		return true;
	case MEMBER_POINTER:
	case VECTOR:
		print_modified(pr, node, node->right);
		return true;
	case POINTER:
	case COMPLEX:
	case IMAGINARY:
	case VENDOR_QUALIFIED:
		print_modified(pr, node, node->left);
		return true;
	default:
		if (is_function_qualifier(node))
			print_modified(pr, node, node->left);
		return is_function_qualifier(node);
	}
}
