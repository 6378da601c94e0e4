#include "demangle_print.h"

/* Prints $T0, $N1, $TT2: a type, a value, a template. */
static void
print_parameter_name(struct printer *pr, const struct node *parameter,
    int number)
{
	if (parameter->kind == TYPE_PARAMETER)
		print_str(pr, STR("$T"));
	else if (parameter->kind == VALUE_PARAMETER)
		print_str(pr, STR("$N"));
	else if (parameter->kind == HEAD_PARAMETER)
		print_str(pr, STR("$TT"));
	else
		pr->failed = true;
	print_number(pr, number);
}

void
print_lambda_parameter(struct printer *pr, int number)
{
	const struct node *parameter = NULL;
	int i;

	if (pr->lambda_parameters <= number + 1) {
		print_str(pr, STR("auto:"));
		print_number(pr, number + 1);
		return;
	}
	if (pr->scope->template != NULL &&
	    pr->scope->template->kind == TEMPLATE_HEAD)
		parameter = pr->scope->template->left;
	for (i = 0; i < number && parameter != NULL; i++)
		parameter = parameter->right;
	if (parameter != NULL && parameter->kind == PACK_PARAMETER)
		parameter = parameter->left;
	if (parameter != NULL)
		print_parameter_name(pr, parameter, number);
	else
		pr->failed = true;
}

/* Prints <typename $T0, int $N1>; as in binutils, nothing behind a pack. */
static void
print_declarations(struct printer *pr, struct node *head)
{
	struct node *parameter = head->left;

	print_char(pr, '<');
	for (; parameter != NULL; parameter = parameter->right) {
		if (pr->lambda_parameters++ > 0)
			print_str(pr, STR(", "));
		print_node(pr, parameter);
		print_char(pr, ' ');
		if (parameter->kind == PACK_PARAMETER)
			parameter = parameter->left;
		print_parameter_name(pr, parameter, pr->lambda_parameters - 1);
	}
	print_char(pr, '>');
}

void
print_lambda(struct printer *pr, struct node *node)
{
	const struct scope *scope = pr->scope;
	int lambda_parameters = pr->lambda_parameters;
	struct node *parameters = node->left;

	print_str(pr, STR("{lambda"));
	pr->lambda_parameters = 0;
	if (parameters->kind == TEMPLATE_HEAD) {
		enter_template(pr, parameters);
		print_declarations(pr, parameters);
		parameters = parameters->right;
	} else
		enter_template(pr, NULL);
	pr->lambda_parameters++;
	print_char(pr, '(');
	print_node(pr, parameters);
	pr->lambda_parameters = lambda_parameters;
	pr->scope = scope;
	print_str(pr, STR(")#"));
	print_number(pr, node->number + 1);
	print_char(pr, '}');
}

void
print_head(struct printer *pr, struct node *head)
{
	struct node *parameter = head->left;

	print_char(pr, '<');
	for (; parameter != NULL; parameter = parameter->right) {
		print_node(pr, parameter);
		if (parameter->right != NULL)
			print_str(pr, STR(", "));
	}
	print_char(pr, '>');
}
