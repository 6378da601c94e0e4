/*
 * demangle_parse: reads the productions of a mangled C++ name.  Each may hold
 * any other, so they are all declared here, by the files that they are in.
 *
 * A number in front of a production is the section of the ABI that defines it.
 */
#ifndef DEMANGLE_PARSE_H
#define DEMANGLE_PARSE_H

#include "demangle_tree.h"

/*
 * demangle_names.c: names.
 */

enum encoding { WITHOUT_PARAMETERS, WITH_PARAMETERS };

/* Reads 5.1.2 <encoding>: a function, a variable or a special name. */
struct node *parse_encoding(struct parser *p, enum encoding how);

/* Reads 5.1.2 <name>, and makes it the next S..._ if `remembered`. */
struct node *parse_name(struct parser *p, bool remembered);

/* Reads 5.1.2 <prefix>, scopes and a name up to an E; remembers its parts. */
struct node *parse_prefix(struct parser *p, bool remembered);

/*
 * Reads 5.1.2 <unqualified-name>.  The result is in the scope and belongs to
 * the module that are not NULL.
 */
struct node *parse_unqualified_name(struct parser *p, struct node *scope,
    struct node *module);

/* Reads 5.1.2 <source-name>: 3foo. */
struct node *parse_source_name(struct parser *p);

/* Reads 5.1.3 <operator-name>; returns an operator, a cast or a conversion. */
struct node *parse_operator_name(struct parser *p);

/* Reads 5.1.2 <abi-tags>, B5cxx11; returns the name with them, if any. */
struct node *parse_abi_tags(struct parser *p, struct node *name);

/* Reads W3foo, which GCC writes for modules; returns the parent if none. */
struct node *parse_module(struct parser *p, struct node *parent);

/*
 * demangle_types.c: types and template arguments.
 */

/* Reads 5.1.5 <type>. */
struct node *parse_type(struct parser *p);

/* Reads 5.1.5.3 <bare-function-type>; `returns` if the result comes first. */
struct node *parse_bare_function(struct parser *p, bool returns);

/* Reads types up to what ends parameters; returns an empty LIST for void. */
struct node *parse_parameters(struct parser *p);

/*
 * Reads 5.1.5.1 <CV-qualifiers>, noexcept and throw, of a type or of `this`.
 * Stores the outermost in *hole, and returns where to store what is qualified.
 */
struct node **parse_qualifiers(struct parser *p, struct node **hole,
    bool of_this);

/* Reads 5.1.5.1 <ref-qualifier> of a function; returns the function if none. */
struct node *parse_reference_qualifier(struct parser *p, struct node *of);

/* Reads 5.1.5.8 <template-param>: T_, T0_. */
struct node *parse_template_parameter(struct parser *p);

/* Reads 5.1.5.10 <template-args>: I or J, arguments, E. */
struct node *parse_template_arguments(struct parser *p);

/* Reads the same behind the I, as a vendor's expression has them. */
struct node *parse_template_arguments_rest(struct parser *p);

/* Reads 5.1.5.10 <template-arg>. */
struct node *parse_template_argument(struct parser *p);

/*
 * demangle_expr.c: expressions, which occur in template arguments, decltype,
 * noexcept and the lengths of arrays.
 */

/* Reads 5.1.6 <expression>. */
struct node *parse_expression(struct parser *p);

/* Reads 5.1.6.1 <expr-primary>, which begins with an L. */
struct node *parse_literal(struct parser *p);

/* Reads Q <expression>; returns the node with what it requires, if any. */
struct node *parse_constraint(struct parser *p, struct node *node);

/*
 * demangle_local.c: names that belong to a function or have no name.
 */

/* Reads 5.1.7 <local-name> behind its Z. */
struct node *parse_local_name(struct parser *p);

/* Skips 5.1.7 <discriminator>, _3 or __12_, if it is there. */
void skip_discriminator(struct parser *p);

/* Reads 5.1.8 <closure-type-name> behind its Ul. */
struct node *parse_lambda(struct parser *p);

/* Reads 5.1.7 <unnamed-type-name> behind its Ut. */
struct node *parse_unnamed_type(struct parser *p);

/*
 * demangle_special.c: what a compiler makes for a class, a function or a
 * variable.
 */

/* Reads 5.1.4 <special-name>, which begins with a T or a G. */
struct node *parse_special_name(struct parser *p);

/*
 * demangle_substitution.c: abbreviations.
 */

/*
 * Reads 5.1.10 <substitution>.  Ss as the prefix of a constructor is spelled
 * out, since there is no std::string::basic_string().
 */
struct node *parse_substitution(struct parser *p, bool is_prefix);

/*
 * demangle_builtin.c: 5.1.5.2 <builtin-type>.
 */

/* Reads one small letter, but not u. */
struct node *parse_letter_builtin(struct parser *p);

/* Reads D and more: Da is auto, DF16_ is _Float16. */
struct node *parse_d_builtin(struct parser *p);

#endif
