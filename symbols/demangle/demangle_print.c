#include "demangle_print.h"

void
print_str(struct printer *pr, struct str s)
{
	if (s.len == 0)
		return;
	if (pr->out->len - pr->start + s.len > DEMANGLE_BYTES)
		pr->failed = true;
	else
		text_add(pr->out, s);
	pr->last = s.data[s.len - 1];
}

void
print_char(struct printer *pr, char c)
{
	print_str(pr, (struct str){ &c, 1 });
}

void
print_number(struct printer *pr, int number)
{
	if (number < 0)
		print_char(pr, '-');
	text_add_number(pr->out, (unsigned long long)
	    (number < 0 ? -(long long)number : number));
	pr->last = '0';
}

void
enter_template(struct printer *pr, struct node *template)
{
	struct scope *scope = arena_take(pr->arena, sizeof(*scope));

	*scope = (struct scope){ pr->scope, template };
	pr->scope = scope;
}

/* Returns the argument of an index, all for one below 0, or NULL. */
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

/* Returns the argument for a parameter, a pack as a whole, or NULL. */
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

struct node *
template_argument(struct printer *pr, const struct node *parameter)
{
	struct node *argument = whole_argument(pr, parameter);

	if (argument != NULL && argument->kind == TEMPLATE_ARGUMENTS)
		argument = nth_argument(argument, pr->pack_index);
	return argument;
}

struct node *
find_pack(struct printer *pr, const struct node *node)
{
	struct node *found = NULL;

	if (node == NULL || ++pr->work > DEMANGLE_PRINTED)
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
	if (pr->depth++ < DEMANGLE_DEEPEST) {
		found = find_pack(pr, node->left);
		if (found == NULL)
			found = find_pack(pr, node->right);
	}
	pr->depth--;
	return found;
}

int
pack_length(const struct node *pack)
{
	int length = 0;

	for (; pack != NULL && pack->kind == TEMPLATE_ARGUMENTS &&
	    pack->left != NULL; pack = pack->right)
		length++;
	return length;
}

/*
 * Prints items with commas, but without those behind the last item that prints
 * anything, since a pack may be empty.
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

void
print_behind_colons(struct printer *pr, struct node *node, bool qualified)
{
	print_str(pr, STR("::"));
	if (node->kind == DEFAULT_ARGUMENT) {
		print_str(pr, STR("{default arg#"));
		print_number(pr, node->number + 1);
		print_str(pr, STR("}::"));
		node = node->left;
	}
	while (!qualified && is_function_qualifier(node))
		node = node->left;
	print_node(pr, node);
}

/* Prints arguments in angle brackets, which are never ">>" or "<<". */
static void
print_arguments(struct printer *pr, struct node *arguments)
{
	if (pr->last == '<')
		print_char(pr, ' ');
	print_char(pr, '<');
	print_node(pr, arguments);
	if (pr->last == '>')
		print_char(pr, ' ');
	print_char(pr, '>');
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

/* Prints the argument for a parameter, which is outside of the template. */
static void
print_template_parameter(struct printer *pr, struct node *node)
{
	const struct scope *scope = pr->scope;
	struct node *argument;

	if (pr->lambda_parameters > 0) {
		print_lambda_parameter(pr, node->number);
		return;
	}
	argument = template_argument(pr, node);
	if (argument == NULL) {
		pr->failed = true;
		return;
	}
	pr->scope = scope->outer;
	print_node(pr, argument);
	pr->scope = scope;
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

/* Prints [a, b]. */
static void
print_structured_binding(struct printer *pr, struct node *node)
{
	print_char(pr, '[');
	for (; node != NULL; node = node->right) {
		print_node(pr, node->left);
		if (node->right != NULL)
			print_str(pr, STR(", "));
	}
	print_char(pr, ']');
}

/* Prints module.part:partition. */
static void
print_module(struct printer *pr, struct node *node)
{
	if (node->left != NULL)
		print_node(pr, node->left);
	if (node->kind == MODULE_PARTITION)
		print_char(pr, ':');
	else if (node->left != NULL)
		print_char(pr, '.');
	print_node(pr, node->right);
}

static void
print_pack_expansion(struct printer *pr, struct node *node)
{
	struct node *pack = NULL;
	int length, i;

	if (pr->lambda_parameters == 0)
		pack = find_pack(pr, node->left);
	if (pack == NULL) {		/* of function parameters */
		print_operand(pr, node->left);
		print_str(pr, STR("..."));
		return;
	}
	length = pack_length(pack);
	for (i = 0; i < length && !pr->failed; i++) {
		if (i > 0)
			print_str(pr, STR(", "));
		pr->pack_index = i;
		print_node(pr, node->left);
	}
}

static void
print_pair(struct printer *pr, struct node *left, struct str between,
    struct node *right, struct str behind)
{
	print_node(pr, left);
	print_str(pr, between);
	print_node(pr, right);
	print_str(pr, behind);
}

static void
print_around(struct printer *pr, struct str text, struct node *left,
    struct str behind)
{
	print_str(pr, text);
	print_node(pr, left);
	print_str(pr, behind);
}

static void
print_numbered(struct printer *pr, struct str text, int number,
    struct str behind)
{
	print_str(pr, text);
	print_number(pr, number);
	print_str(pr, behind);
}

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
	case TAGGED:
		print_pair(pr, left, STR("[abi:"), right, STR("]"));
		break;
	case QUALIFIED:
	case LOCAL:
		print_node(pr, left);
		print_behind_colons(pr, right, true);
		break;
	case TYPED:
		print_typed(pr, node);
		break;
	case TEMPLATE:
		print_template(pr, node);
		break;
	case LIST:
	case TEMPLATE_ARGUMENTS:
		print_list(pr, node);
		break;
	case TEMPLATE_PARAMETER:
		print_template_parameter(pr, node);
		break;
	case CONSTRUCTOR:
		print_node(pr, left);
		break;
	case DESTRUCTOR:
		print_around(pr, STR("~"), left, STR(""));
		break;
	case CONVERSION:
		print_conversion(pr, node);
		break;
	case OPERATOR:
		print_operator_name(pr, node->text);
		break;
	case VENDOR_OPERATOR:
		print_around(pr, STR("operator "), left, STR(""));
		break;
	case LAMBDA:
		print_lambda(pr, node);
		break;
	case UNNAMED:
		print_numbered(pr, STR("{unnamed type#"), node->number + 1,
		    STR("}"));
		break;
	case STRUCTURED_BINDING:
		print_structured_binding(pr, node);
		break;
	case FRIEND:
		print_around(pr, STR(""), left, STR("[friend]"));
		break;
	case CONSTRAINED:
		print_pair(pr, left, STR(" requires "), right, STR(""));
		break;
	case MODULE:
	case MODULE_PARTITION:
		print_module(pr, node);
		break;
	case MODULE_ENTITY:
		print_pair(pr, left, STR("@"), right, STR(""));
		break;
	case SPECIAL:
		print_around(pr, node->text, left, STR(""));
		break;
	case CONSTRUCTION_VTABLE:
		print_str(pr, STR("construction vtable for "));
		print_pair(pr, left, STR("-in-"), right, STR(""));
		break;
	case REFERENCE_TEMPORARY:
		print_str(pr, STR("reference temporary #"));
		print_pair(pr, right, STR(" for "), left, STR(""));
		break;
	case BUILTIN_FLOAT:
		print_numbered(pr, STR("_Float"), node->number, node->text);
		break;
	case DECLTYPE:
		print_around(pr, STR("decltype ("), left, STR(")"));
		break;
	case PACK_EXPANSION:
		print_pack_expansion(pr, node);
		break;
	case TEMPLATE_HEAD:
		print_head(pr, node);
		break;
	case TYPE_PARAMETER:
		print_str(pr, STR("typename"));
		break;
	case VALUE_PARAMETER:
		print_node(pr, left);
		break;
	case HEAD_PARAMETER:
		print_around(pr, STR("template"), left, STR(" class"));
		break;
	case PACK_PARAMETER:
		print_around(pr, STR(""), left, STR("..."));
		break;
	default:
		if (!print_type(pr, node) && !print_expression(pr, node))
			pr->failed = true;
		break;
	}
}

/*
 * A tree made of substitutions may be endless, or as large as if it was; a
 * node within itself within itself is taken for the former.
 */
void
print_node(struct printer *pr, struct node *node)
{
	struct path path = { pr->path, node };

	if (node == NULL || node->printing > 1 ||
	    pr->depth >= DEMANGLE_DEEPEST || ++pr->work > DEMANGLE_PRINTED)
		pr->failed = true;
	if (pr->failed)
		return;
	node->printing++;
	pr->depth++;
	pr->path = &path;
	print_by_kind(pr, node);
	pr->path = path.outer;
	pr->depth--;
	node->printing--;
}

bool
print_tree(struct node *tree, struct arena *arena, struct text *out)
{
	struct printer pr = { .out = out, .start = out->len, .arena = arena };

	print_node(&pr, tree);
	if (pr.failed)
		out->len = pr.start;
	return !pr.failed;
}
