/*
 * Reads mangled names, and prints them demangled, or as they came.
 */
#include <stdio.h>

#include "symbols/demangle/demangle.h"
#include "unit.h"

int
demangle_main(int argc, char **argv)
{
	struct text text = { 0 };
	struct str name;

	(void)argc;
	(void)argv;
	while (unit_line(&name)) {
		text.len = 0;
		unit_print(demangle(name, &text) ? text_str(&text) : name,
		    "\n");
	}
	return 0;
}
