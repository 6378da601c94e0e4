/*
 * demangle_print: a tree of demangle_tree.h as C++, as binutils and perf write
 * it.
 *
 * What a template parameter stands for depends on the template around it, and
 * what a type looks like on what is made of it: a pointer to a function is
 * "void (*)(int)".  So the printer knows, while it goes down the tree, the
 * templates it is in and the modifiers that it has passed but not printed.
 */
#ifndef DEMANGLE_PRINT_H
#define DEMANGLE_PRINT_H

#include "../lib/text.h"
#include "demangle_tree.h"

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

/* For the parts of the printer. */
void print_node(struct printer *pr, struct node *node);
void print_str(struct printer *pr, struct str s);
void print_char(struct printer *pr, char c);
void print_number(struct printer *pr, int number);

/* "::" and what is behind it, a function with or without its "const". */
void print_behind_colons(struct printer *pr, struct node *node, bool qualified);

/* Enters a template, until the caller sets the scope back. */
void enter_template(struct printer *pr, struct node *template);

/* What a template parameter stands for; NULL if nothing. */
struct node *template_argument(struct printer *pr,
    const struct node *parameter);

/* The arguments of a pack named in node, and of a list; their number. */
struct node *find_pack(struct printer *pr, const struct node *node);
int pack_length(const struct node *pack);

/* Types, in demangle_print_types.c. */

/* A type that is made of others; false, and nothing done, if it is not. */
bool print_type(struct printer *pr, struct node *node);

/* A function's name and its type. */
void print_typed(struct printer *pr, struct node *node);

/* Expressions, in demangle_print_expr.c. */

/* An expression; false, and nothing done, if node is not one. */
bool print_expression(struct printer *pr, struct node *node);

/* An expression in brackets, unless it is a name. */
void print_operand(struct printer *pr, struct node *node);

/* "operator+", "operator new". */
void print_operator_name(struct printer *pr, struct str name);

/* Lambdas, in demangle_print_lambda.c. */

/* {lambda(int)#1} */
void print_lambda(struct printer *pr, struct node *node);

/* T_ in a lambda: $T0 if it was declared, auto:1 if not. */
void print_lambda_parameter(struct printer *pr, int number);

/* The parameters of a template template parameter: <typename, int>. */
void print_head(struct printer *pr, struct node *head);

#endif
