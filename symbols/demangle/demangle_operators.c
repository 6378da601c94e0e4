#include <stddef.h>

#include "demangle_operators.h"

/* Sorted by code. */
static const struct operator operators[] = {
	{ "aN", 2, "&=" },
	{ "aS", 2, "=" },
	{ "aa", 2, "&&" },
	{ "ad", 1, "&" },
	{ "an", 2, "&" },
	{ "at", 1, "alignof " },	/* of a type */
	{ "aw", 1, "co_await " },
	{ "az", 1, "alignof " },	/* of an expression */
	{ "cc", 2, "const_cast" },
	{ "cl", 2, "()" },
	{ "cm", 2, "," },
	{ "co", 1, "~" },
	{ "dV", 2, "/=" },
	{ "dX", 3, "[...]=" },		/* [first ... last] = value */
	{ "da", 1, "delete[] " },
	{ "dc", 2, "dynamic_cast" },
	{ "de", 1, "*" },
	{ "di", 2, "=" },		/* .member = value */
	{ "dl", 1, "delete " },
	{ "ds", 2, ".*" },
	{ "dt", 2, "." },
	{ "dv", 2, "/" },
	{ "dx", 2, "]=" },		/* [index] = value */
	{ "eO", 2, "^=" },
	{ "eo", 2, "^" },
	{ "eq", 2, "==" },
	{ "fL", 3, "..." },		/* folds: (0 + ... + x) */
	{ "fR", 3, "..." },		/* (x + ... + 0) */
	{ "fl", 2, "..." },		/* (... + x) */
	{ "fr", 2, "..." },		/* (x + ...) */
	{ "ge", 2, ">=" },
	{ "gs", 1, "::" },
	{ "gt", 2, ">" },
	{ "ix", 2, "[]" },
	{ "lS", 2, "<<=" },
	{ "le", 2, "<=" },
	{ "li", 1, "operator\"\" " },
	{ "ls", 2, "<<" },
	{ "lt", 2, "<" },
	{ "mI", 2, "-=" },
	{ "mL", 2, "*=" },
	{ "mi", 2, "-" },
	{ "ml", 2, "*" },
	{ "mm", 1, "--" },
	{ "na", 3, "new[]" },
	{ "ne", 2, "!=" },
	{ "ng", 1, "-" },
	{ "nt", 1, "!" },
	{ "nw", 3, "new" },
	{ "nx", 1, "noexcept" },
	{ "oR", 2, "|=" },
	{ "oo", 2, "||" },
	{ "or", 2, "|" },
	{ "pL", 2, "+=" },
	{ "pl", 2, "+" },
	{ "pm", 2, "->*" },
	{ "pp", 1, "++" },
	{ "ps", 1, "+" },
	{ "pt", 2, "->" },
	{ "qu", 3, "?" },
	{ "rM", 2, "%=" },
	{ "rS", 2, ">>=" },
	{ "rc", 2, "reinterpret_cast" },
	{ "rm", 2, "%" },
	{ "rs", 2, ">>" },
	{ "sP", 1, "sizeof..." },	/* of a pack's arguments */
	{ "sZ", 1, "sizeof..." },	/* of a parameter pack */
	{ "sc", 2, "static_cast" },
	{ "ss", 2, "<=>" },
	{ "st", 1, "sizeof " },		/* of a type */
	{ "sz", 1, "sizeof " },		/* of an expression */
	{ "tr", 0, "throw" },		/* throw; */
	{ "tw", 1, "throw " },		/* throw x; */
};

const struct operator *
operator_find(char a, char b)
{
	size_t low = 0, high = sizeof(operators) / sizeof(*operators), middle;
	const struct operator *found;

	while (low < high) {
		middle = low + (high - low) / 2;
		found = &operators[middle];
		if (found->code[0] == a && found->code[1] == b)
			return found;
		if (found->code[0] > a ||
		    (found->code[0] == a && found->code[1] > b))
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}
