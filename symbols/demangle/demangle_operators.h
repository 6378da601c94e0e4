/*
 * demangle_operators: the two letters that an operator has in a mangled C++
 * name (Itanium C++ ABI, 5.1.3 <operator-name> and 5.1.6 <expression>).
 */
#ifndef DEMANGLE_OPERATORS_H
#define DEMANGLE_OPERATORS_H

struct operator {
	char code[3];
	int operands;
	const char *name;	/* with a space at its end before an operand */
};

/* Returns the operator of two letters, or NULL. */
const struct operator *operator_find(char a, char b);

#endif
