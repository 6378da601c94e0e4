#include "demangle_print.h"

#define CODE(a, b)	OPERATOR_CODE(a, b)

/* Returns an operator's two letters; 0 for that of a vendor and for a cast. */
static int
code_of(const struct node *operator)
{
	return operator->kind == OPERATOR ? operator->number : 0;
}

void
print_operator_name(struct printer *pr, struct str name)
{
	print_str(pr, STR("operator"));
	if (is_lower(name.data[0]))
		print_char(pr, ' ');
	if (name.data[name.len - 1] == ' ')
		name.len--;
	print_str(pr, name);
}

/* Prints an operator between its operands. */
static void
print_operator(struct printer *pr, struct node *operator)
{
	if (operator->kind == OPERATOR)
		print_str(pr, operator->text);
	else
		print_node(pr, operator);
}

void
print_operand(struct printer *pr, struct node *node)
{
	bool brackets = node->kind != NAME && node->kind != QUALIFIED &&
	    node->kind != INITIALIZER && node->kind != FUNCTION_PARAMETER;

	if (brackets)
		print_char(pr, '(');
	print_node(pr, node);
	if (brackets)
		print_char(pr, ')');
}

/* Returns sizeof...(arguments), of which some may be packs. */
static int
arguments_length(struct printer *pr, const struct node *list)
{
	int length = 0;

	for (; list != NULL && list->kind == TEMPLATE_ARGUMENTS &&
	    list->left != NULL; list = list->right)
		if (list->left->kind == PACK_EXPANSION)
			length += pack_length(find_pack(pr, list->left->left));
		else
			length++;
	return length;
}

/* Prints (... + x), (x + ...), (0 + ... + x), with the whole pack. */
static void
print_fold(struct printer *pr, char direction, struct node *operands)
{
	struct node *operator = operands->left, *first = operands->right;
	struct node *second = NULL;
	int pack_index = pr->pack_index;

	pr->pack_index = -1;
	if (direction == 'L' || direction == 'R') {
		second = first->right;
		first = first->left;
	}
	print_char(pr, '(');
	if (direction != 'l') {
		print_operand(pr, first);
		print_operator(pr, operator);
	}
	print_str(pr, STR("..."));
	if (direction != 'r') {
		print_operator(pr, operator);
		print_operand(pr, second != NULL ? second : first);
	}
	print_char(pr, ')');
	pr->pack_index = pack_index;
}

/* True for di, dx, dX: .member=x, [index]=x, [first ... last]=x. */
static bool
is_designator(const struct node *node)
{
	int code = node->kind == BINARY || node->kind == TERNARY ?
	    code_of(node->left) : 0;

	return code == CODE('d', 'i') || code == CODE('d', 'x') ||
	    code == CODE('d', 'X');
}

static void
print_designator(struct printer *pr, int code, struct node *operands)
{
	struct node *value = operands->right;
	bool member = code == CODE('d', 'i');

	print_char(pr, member ? '.' : '[');
	print_node(pr, operands->left);
	if (code == CODE('d', 'X')) {
		print_str(pr, STR(" ... "));
		print_node(pr, value->left);
		value = value->right;
	}
	if (!member)
		print_char(pr, ']');
	if (is_designator(value)) {
		print_node(pr, value);
		return;
	}
	print_char(pr, '=');
	print_operand(pr, value);
}

static void
print_unary(struct printer *pr, struct node *operator, struct node *operand)
{
	int code = code_of(operator);

	/* &f of a function is written without its parameters. */
	if (code == CODE('a', 'd') && operand->kind == TYPED &&
	    operand->left->kind == QUALIFIED &&
	    operand->right->kind == FUNCTION)
		operand = operand->left;
	if (code == CODE('s', 'Z')) {
		print_number(pr, pack_length(find_pack(pr, operand)));
		return;
	}
	if (code == CODE('s', 'P')) {
		print_number(pr, arguments_length(pr, operand));
		return;
	}
	if (operator->kind == CAST) {
		print_char(pr, '(');
		print_node(pr, operator->left);
		print_char(pr, ')');
	} else
		print_operator(pr, operator);
	if (code == CODE('g', 's'))
		print_node(pr, operand);
	else if (code == CODE('s', 't') || code == CODE('n', 'x')) {
		print_char(pr, '(');
		print_node(pr, operand);
		print_char(pr, ')');
	} else
		print_operand(pr, operand);
}

/* Prints static_cast<int>(x). */
static void
print_named_cast(struct printer *pr, struct node *operator,
    struct node *operands)
{
	print_operator(pr, operator);
	print_char(pr, '<');
	print_node(pr, operands->left);
	print_str(pr, STR(">("));
	print_node(pr, operands->right);
	print_char(pr, ')');
}

/* Prints a function that is called, without the types of its parameters. */
static void
print_called(struct printer *pr, struct node *function)
{
	print_operand(pr, function->kind == TYPED ? function->left : function);
}

static void
print_binary(struct printer *pr, struct node *operator, struct node *operands)
{
	int code = code_of(operator);
	bool brackets = code == CODE('g', 't');	/* not the end of arguments */

	if (code == CODE('c', 'c') || code == CODE('d', 'c') ||
	    code == CODE('r', 'c') || code == CODE('s', 'c')) {
		print_named_cast(pr, operator, operands);
		return;
	}
	if (code >> 8 == 'f') {
		print_fold(pr, (char)(code & 0xff), operands);
		return;
	}
	if (brackets)
		print_char(pr, '(');
	if (code == CODE('c', 'l')) {
		print_called(pr, operands->left);
		print_operand(pr, operands->right);
	} else if (code == CODE('i', 'x')) {
		print_operand(pr, operands->left);
		print_char(pr, '[');
		print_node(pr, operands->right);
		print_char(pr, ']');
	} else {
		print_operand(pr, operands->left);
		print_operator(pr, operator);
		print_operand(pr, operands->right);
	}
	if (brackets)
		print_char(pr, ')');
}

/* Prints new (placement) type(value). */
static void
print_new(struct printer *pr, struct node *placement, struct node *rest)
{
	print_str(pr, STR("new "));
	if (placement->left != NULL) {
		print_operand(pr, placement);
		print_char(pr, ' ');
	}
	print_node(pr, rest->left);
	if (rest->right != NULL)
		print_operand(pr, rest->right);
}

static void
print_ternary(struct printer *pr, struct node *operator,
    struct node *operands)
{
	struct node *rest = operands->right;
	int code = code_of(operator);

	if (code >> 8 == 'f')
		print_fold(pr, (char)(code & 0xff), operands);
	else if (code == CODE('q', 'u')) {
		print_operand(pr, operands->left);
		print_operator(pr, operator);
		print_operand(pr, rest->left);
		print_str(pr, STR(" : "));
		print_operand(pr, rest->right);
	} else
		print_new(pr, operands->left, rest);
}

/* The letters behind an integer, by enum literal; NULL for other types. */
static const char *const suffixes[] = {
	[AS_CAST] = NULL, [AS_INT] = "", [AS_UNSIGNED] = "u", [AS_LONG] = "l",
	[AS_UNSIGNED_LONG] = "ul", [AS_LONG_LONG] = "ll",
	[AS_UNSIGNED_LONG_LONG] = "ull", [AS_BOOL] = NULL, [AS_FLOAT] = NULL,
	[AS_VOID] = NULL, [AS_NULLPTR] = NULL
};

/* Prints 42ul, false, (char)97, (float)[3f800000]. */
static void
print_literal(struct printer *pr, struct node *type, struct str value,
    bool negative)
{
	int literal = type->kind == BUILTIN ? type->number : AS_CAST;
	const char *suffix = suffixes[literal];

	if (literal == AS_BOOL && !negative &&
	    (str_equal(value, STR("0")) || str_equal(value, STR("1")))) {
		print_str(pr, value.data[0] == '0' ? STR("false") :
		    STR("true"));
		return;
	}
	if (suffix == NULL) {
		print_char(pr, '(');
		print_node(pr, type);
		print_char(pr, ')');
	}
	if (negative)
		print_char(pr, '-');
	if (literal == AS_FLOAT)
		print_char(pr, '[');
	print_str(pr, value);
	if (suffix != NULL)
		print_str(pr, str_from(suffix));
	if (literal == AS_FLOAT)
		print_char(pr, ']');
}

static void
print_function_parameter(struct printer *pr, int number)
{
	if (number == 0) {
		print_str(pr, STR("this"));
		return;
	}
	print_str(pr, STR("{parm#"));
	print_number(pr, number);
	print_char(pr, '}');
}

bool
print_expression(struct printer *pr, struct node *node)
{
	struct node *left = node->left, *right = node->right;

	switch ((enum kind)node->kind) {
	case NULLARY:
		print_operator(pr, left);
		break;
	case UNARY:
		print_unary(pr, left, right);
		break;
	case POSTFIX:
		print_operand(pr, right);
		print_operator(pr, left);
		break;
	case BINARY:
	case TERNARY:
		if (is_designator(node))
			print_designator(pr, code_of(left), right);
		else if (node->kind == BINARY)
			print_binary(pr, left, right);
		else
			print_ternary(pr, left, right);
		break;
	case LITERAL:
	case NEGATIVE_LITERAL:
		print_literal(pr, left, right->text,
		    node->kind == NEGATIVE_LITERAL);
		break;
	case VENDOR_EXPRESSION:
		print_node(pr, left);
		print_char(pr, '(');
		print_node(pr, right);
		print_char(pr, ')');
		break;
	case INITIALIZER:
		if (left != NULL)
			print_node(pr, left);
		print_char(pr, '{');
		print_node(pr, right);
		print_char(pr, '}');
		break;
	case FUNCTION_PARAMETER:
		print_function_parameter(pr, node->number);
		break;
	default:
		return false;
	}
	return true;
}
