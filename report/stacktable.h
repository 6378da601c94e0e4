/*
 * stacktable: stacks as a table in which each has its innermost frame, and the
 * stack of what called that:
 *
 *				caller	name
 *	main;parse;read		1	0	main
 *	main;print		2	1	parse
 *				3	2	read
 *				4	1	print
 *
 * A stack is the number of its row, from 1; that without frames is 0.  Callers
 * are before what they call.
 */
#ifndef STACKTABLE_H
#define STACKTABLE_H

#include "fold/trail.h"
#include "lib/intmap.h"
#include "lib/table.h"

struct stack_row {
	uint32_t caller;	/* a row, or 0 */
	uint32_t name;		/* a number of the names */
	uint32_t callee;	/* the first row that it calls, or 0 */
};

struct stack_table {
	struct table names;
	struct stack_row *rows;	/* rows[0] is no stack */
	uint32_t count;		/* of rows, with that one */
	size_t room;
	struct intmap known;	/* by caller and name, all rows but the first
				   of their caller: most have no sibling */
	struct trail trail;
};

void stack_table_init(struct stack_table *stacks);

/*
 * Returns the number of a stack, which is added if it is new.  Its names are
 * made clean (utf8_clean), and empty ones at its end are left out.
 */
uint32_t stack_table_add(struct stack_table *stacks, struct str stack);

#endif
