/*
 * Reads symbols, as "main+0x1f", and prints "process" or the calls in a symbol,
 * a " / " between their parts and a ", " between calls.  With an argument, the
 * result of C++ functions is left out.
 */
#include <stdio.h>

#include "fold/function.h"
#include "unit.h"

static void
print_call(struct str call, bool leaves_out)
{
	struct function_parts parts = function_parts(call);
	const char *joint = "";
	struct str part;

	if (leaves_out)
		function_skip_result(&parts);
	for (; function_next_part(&parts, &part); joint = " / ") {
		fputs(joint, stdout);
		unit_print(part, "");
	}
}

int
names_main(int argc, char **argv)
{
	struct function_chain chain;
	struct str symbol, call;
	const char *joint;

	(void)argv;
	for (; unit_line(&symbol); putchar('\n')) {
		symbol = function_without_offset(symbol);
		if (function_is_process(symbol)) {
			fputs("process", stdout);
			continue;
		}
		chain = function_chain(symbol);
		for (joint = ""; function_next_call(&chain, &call);
		    joint = ", ") {
			fputs(joint, stdout);
			print_call(call, argc > 1);
		}
	}
	return 0;
}
