/*
 * demangle_parse: the productions of a mangled C++ name.  Each may hold any
 * other, so they are all declared here.
 */
#ifndef DEMANGLE_PARSE_H
#define DEMANGLE_PARSE_H

#include "demangle_tree.h"

/*
 * Names (5.1.2 to 5.1.4), in demangle_names.c.
 */

/* How much of a function is wanted. */
enum encoding { WITHOUT_PARAMETERS, WITH_PARAMETERS };

/* 5.1.2 <encoding>: a function with its type, a variable, a special name. */
struct node *parse_encoding(struct parser *p, enum encoding how);

/* 5.1.2 <name>, which a substitution may stand for later if `remembered`. */
struct node *parse_name(struct parser *p, bool remembered);

/* 5.1.3 <prefix>: what is in front of the last "::", and behind it. */
struct node *parse_prefix(struct parser *p, bool remembered);

/*
 * 5.1.4 <unqualified-name>, in a scope, "scope::name", and of a module where
 * these are not NULL.
 */
struct node *parse_unqualified_name(struct parser *p, struct node *scope,
    struct node *module);

/* 5.1.4 <source-name>: 3foo. */
struct node *parse_source_name(struct parser *p);

/* 5.1.4 <operator-name>: OPERATOR, VENDOR_OPERATOR, CAST or CONVERSION. */
struct node *parse_operator_name(struct parser *p);

/* 5.1.4 <abi-tags> behind a name: B5cxx11, or none. */
struct node *parse_abi_tags(struct parser *p, struct node *name);

/* 5.1.4 <module-name>: W3foo in a parent or in NULL; the parent if none. */
struct node *parse_module(struct parser *p, struct node *parent);

/*
 * Types and template arguments (5.1.5, 5.1.7), in demangle_types.c.
 */

/* 5.1.5 <type>. */
struct node *parse_type(struct parser *p);

/* 5.1.5.3 <bare-function-type>, with what it returns or without. */
struct node *parse_bare_function(struct parser *p, bool returns);

/* The types of parameters up to E, Q, ref-qualifier or end; none for void. */
struct node *parse_parameters(struct parser *p);

/*
 * 5.1.5.2 <CV-qualifiers> and the like, of a type or of `this`.  The first node
 * goes to *hole; returns the hole for what is qualified.
 */
struct node **parse_qualifiers(struct parser *p, struct node **hole,
    bool of_this);

/* 5.1.5.3 <ref-qualifier>: R or O, of a function. */
struct node *parse_reference_qualifier(struct parser *p, struct node *of);

/* 5.1.5.8 <template-param>: T_, T0_. */
struct node *parse_template_parameter(struct parser *p);

/* 5.1.7 <template-args>: I or J, arguments, E. */
struct node *parse_template_arguments(struct parser *p);

/* The same behind their I; also the arguments of a vendor's expression. */
struct node *parse_template_arguments_rest(struct parser *p);

/* 5.1.7 <template-arg>. */
struct node *parse_template_argument(struct parser *p);

/*
 * Expressions (5.1.6), in demangle_expr.c: they occur in template
 * arguments, decltype, noexcept and the lengths of arrays.
 */

/* 5.1.6 <expression>. */
struct node *parse_expression(struct parser *p);

/* 5.1.6.1 <expr-primary>, which begins with an L. */
struct node *parse_literal(struct parser *p);

/* Q <constraint-expression> behind a node, or the node where there is none. */
struct node *parse_constraint(struct parser *p, struct node *node);

/*
 * Names that belong to a function or have no name of their own (5.1.8), and
 * the template parameters of lambdas (5.1.5.8), in demangle_local.c.
 */

/* 5.1.8 <local-name> behind its Z. */
struct node *parse_local_name(struct parser *p);

/* 5.1.8 <discriminator>, _3 or __12_, which nobody wants. */
void skip_discriminator(struct parser *p);

/* 5.1.8 <closure-type-name> behind its Ul. */
struct node *parse_lambda(struct parser *p);

/* 5.1.8 <unnamed-type-name> behind its Ut. */
struct node *parse_unnamed_type(struct parser *p);
/*
 * What a compiler makes for a class or a function, such as its virtual
 * table, in demangle_special.c.
 */

/* 5.1.4.4 <special-name>, which begins with a T or a G. */
struct node *parse_special_name(struct parser *p);

/*
 * What stands for something said before, in demangle_substitution.c.
 */

/*
 * 5.1.10 <substitution>.  Ss as the prefix of a constructor is spelled out,
 * since std::string::basic_string() is not how it is declared.
 */
struct node *parse_substitution(struct parser *p, bool is_prefix);

/*
 * Builtin types, in demangle_builtin.c.
 */

/* One small letter, but not u. */
struct node *parse_letter_builtin(struct parser *p);

/* D and more: Da is auto, DF16_ is _Float16. */
struct node *parse_d_builtin(struct parser *p);

#endif
