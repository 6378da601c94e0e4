/*
 * Reads mangled names, and prints them demangled, or as they came.
 */
#include <stdio.h>

#include "symbols/demangle/demangle.h"
#include "unit.h"

int
main(void)
{
	struct text text = { 0 };
	struct str name;

	while (unit_line(&name)) {
		text.len = 0;
		unit_print(demangle(name, &text) ? text_str(&text) : name,
		    "\n");
	}
	return 0;
}
