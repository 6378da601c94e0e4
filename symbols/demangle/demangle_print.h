/*
 * demangle_print: a tree of demangle_tree.h as C++, as binutils and perf write
 * it.
 *
 * A template parameter means an argument of the template around it, and a type
 * looks different by what is made of it: a pointer to a function is
 * "void (*)(int)".  So the printer knows, while it goes down the tree, the
 * templates that it is in and the modifiers that it has passed but not printed.
 */
#ifndef DEMANGLE_PRINT_H
#define DEMANGLE_PRINT_H

#include "demangle_tree.h"
#include "lib/text.h"

/* Templates whose arguments count, innermost first. */
struct scope {
	const struct scope *outer;
	struct node *template;	/* TEMPLATE, a lambda's TEMPLATE_HEAD or NULL */
};

/* The nodes that are being printed, innermost first. */
struct path {
	const struct path *outer;
	const struct node *node;
};

struct modifier;
struct capture;

struct printer {
	struct text *out;
	size_t start;		/* of the name in out */
	char last;		/* character, also if it was taken back */
	bool failed;
	int depth, work;
	struct arena *arena;
	const struct path *path;
	const struct scope *scope;
	struct node *template;	/* the innermost one around this node */
	struct modifier *modifiers;
	struct capture *captures;
	int pack_index;		/* of the argument in a pack; -1: all */
	int lambda_parameters;	/* of templates, and one; 0: in no lambda */
};

/* Adds the name to out, or nothing and returns false. */
bool print_tree(struct node *tree, struct arena *arena, struct text *out);

/* Print a node, a text, a character, a number; for the parts of the printer. */
void print_node(struct printer *pr, struct node *node);
void print_str(struct printer *pr, struct str s);
void print_char(struct printer *pr, char c);
void print_number(struct printer *pr, int number);

/* Prints "::" and the node, a function with or without its "const". */
void print_behind_colons(struct printer *pr, struct node *node, bool qualified);

/* Enters a template, until the caller sets the scope back. */
void enter_template(struct printer *pr, struct node *template);

/* Returns the argument for a template parameter, or NULL. */
struct node *template_argument(struct printer *pr,
    const struct node *parameter);

/* Return any pack of arguments that node names, or NULL; and its length. */
struct node *find_pack(struct printer *pr, const struct node *node);
int pack_length(const struct node *pack);

/*
 * demangle_print_types.c: types.
 */

/* Prints a type that is made of others; false if node is not one. */
bool print_type(struct printer *pr, struct node *node);

/* Prints a function's name and its type. */
void print_typed(struct printer *pr, struct node *node);

/*
 * demangle_print_expr.c: expressions.
 */

/* Prints an expression; false if node is not one. */
bool print_expression(struct printer *pr, struct node *node);

/* Prints an expression in brackets, unless it is a name. */
void print_operand(struct printer *pr, struct node *node);

/* Prints "operator+", "operator new". */
void print_operator_name(struct printer *pr, struct str name);

/*
 * demangle_print_lambda.c: lambdas.
 */

/* Prints {lambda(int)#1}. */
void print_lambda(struct printer *pr, struct node *node);

/* Prints T_ in a lambda: $T0 if it was declared, auto:1 if not. */
void print_lambda_parameter(struct printer *pr, int number);

/* Prints the parameters of a template template: <typename, int>. */
void print_head(struct printer *pr, struct node *head);

#endif
