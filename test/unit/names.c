/*
 * Reads symbols, as "main+0x1f", and prints "process" or the calls in a symbol,
 * a " / " between their parts and a ", " between calls.
 */
#include <stdio.h>

#include "fold/function.h"
#include "unit.h"

static void
print_call(struct str call)
{
	struct function_parts parts = function_parts(call);
	const char *joint = "";
	struct str part;

	for (; function_next_part(&parts, &part); joint = " / ") {
		fputs(joint, stdout);
		unit_print(part, "");
	}
}

int
main(void)
{
	struct function_chain chain;
	struct str symbol, call;
	const char *joint;

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
			print_call(call);
		}
	}
	return 0;
}
