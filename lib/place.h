/*
 * place: what perf script prints of a frame,
 *
 *	    7f722d142778 main+0x1f (/usr/bin/java)
 */
#ifndef PLACE_H
#define PLACE_H

#include "str.h"

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

#endif
