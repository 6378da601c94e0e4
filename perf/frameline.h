/*
 * place: what perf script prints of a frame,
 *
 *	    7f722d142778 main+0x1f (/usr/bin/java)
 */
#ifndef FRAMELINE_H
#define FRAMELINE_H

#include "../lib/str.h"

/* The column behind the address in a call graph: perf prints a tab and 16. */
#define PLACE_ADDRESS_END	17

struct place {
	struct str address;	/* hexadecimal digits */
	struct str symbol;	/* "main+0x1f", or "[unknown]" */
	struct str module;	/* "/usr/bin/ls", "[kernel.kallsyms]", ... */
	bool java;		/* the process is called java... */
};

/*
 * Takes a line apart; false when it is no frame.  A symbol that is empty,
 * between two blanks, is a blank; java is left as it is.
 */
bool place_parse(struct str line, struct place *place);

/*
 * The same where perf was told not to print the module, "	   7f722d142778
 * main+0x1f": behind a blank the address takes its columns, since any other line
 * of two words may be anything.
 */
bool place_parse_bare(struct str line, struct place *place);

#endif
